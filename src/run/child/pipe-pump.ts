/**
 * Passes a pipe on to a file descriptor, byte for byte, as fast as its reader takes it: one piece at a time, and a flood
 * without copying it. A slow reader never blocks the event loop.
 */
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { attempt } from '../../os/attempt.ts'
import { writeAll } from '../../os/file/write-all.ts'
import { enlargePipe, isReady, moveBytes, waitingBytes } from '../../os/native/pipe.ts'

export type PumpOptions = {
  /** Each piece, before it is written. Of a flood only samples, unless `isWhole`. The buffer is used again. */
  readonly onOutput: (piece: Buffer) => void
  /** Every byte is wanted: it is recorded. */
  readonly isWhole: boolean
}

export type Pump = {
  /** All has been passed on and every writer has closed it, or the reader has left. */
  readonly ended: Promise<void>
  /** Passes on what is there, waits no longer for those who hold it open, and ends. */
  finish(): void
}

const pieceBytes = 64 * 1024
/** So much that waits is a flood: it comes faster than one can take it piece by piece. */
const floodBytes = 32 * 1024
const pipeBytes = 1024 * 1024
/** A flood is passed on for so long at once; then the event loop has its turn, and a piece is looked at. */
const turnMs = 10
/** Where a flood pauses for longer, it is over. */
const pauseMs = 2
/** After `finish`: as long as pieces follow each other within this time they are passed on, and no longer than `mostDrainMs`. */
const lullMs = 50
const mostDrainMs = 500

export function pumpPipe(from: number, to: number, { onOutput, isWhole }: PumpOptions): Pump {
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  let canMove = !isWhole
  let isWide = false
  let isOver = false
  let isFinishing = false
  let isWriting = false
  let pieces = 0
  let timer: NodeJS.Timeout | undefined
  let finishBy = Infinity
  const { promise: ended, resolve } = Promise.withResolvers<void>()

  const socket = new Socket({
    fd: from,
    readable: true,
    writable: false,
    onread: {
      buffer: piece,
      callback(length) {
        clearTimeout(timer)
        isWriting = true
        pieces++
        const got = piece.subarray(0, length)
        onOutput(got)
        writeAll(to, got, error => (error ? leave() : next()))
        return false
      },
    },
  })
  socket.on('end', end)
  socket.on('close', end)
  socket.on('error', end)

  function end(): void {
    if (isOver || isWriting) return
    isOver = true
    clearTimeout(timer)
    socket.destroy()
    resolve()
  }

  /** The reader is gone: so the command's writes must fail as they would without us. */
  function leave(): void {
    isWriting = false
    end()
  }

  function next(): void {
    isWriting = false
    if (canMove && waitingBytes(from) >= floodBytes) {
      if (!isWide) for (const pipe of [from, to]) enlargePipe(pipe, pipeBytes)
      isWide = true
      canMove = moveFlood(from, to)
    }
    if (socket.destroyed) end()
    else if (isFinishing && performance.now() > finishBy) end()
    else {
      if (isFinishing) awaitLull()
      socket.resume()
    }
  }

  function awaitLull(): void {
    clearTimeout(timer)
    const before = pieces
    // A busy program's timers come before what it has yet to read.
    timer = setTimeout(() => setImmediate(() => pieces === before && end()), lullMs)
  }

  return {
    ended,
    finish() {
      if (isOver || isFinishing) return
      isFinishing = true
      finishBy = performance.now() + mostDrainMs
      if (!isWriting) awaitLull()
    },
  }
}

/**
 * Moves what comes from pipe to pipe, for one turn at most, or until it pauses.
 * @returns false where this output takes nothing in this way
 */
function moveFlood(from: number, to: number): boolean {
  const until = performance.now() + turnMs
  while (performance.now() < until) {
    const moved = moveBytes(from, to, pipeBytes)
    if (moved > 0) continue
    // Every writer has closed it: the socket finds that out.
    if (moved === 0) return true
    const isEmpty = waitingBytes(from) === 0
    if (!isReady(isEmpty ? from : to, isEmpty ? 'read' : 'write', pauseMs)) return true
    // There is something to move, and room for it.
    if (!isEmpty && moveBytes(from, to, pipeBytes) < 0) return waitingBytes(from) === 0
  }
  return true
}

/** The same where there are no real pipes (no koffi): the output as Node reads it. */
export function pumpStream(from: Readable, to: number, { onOutput }: Pick<PumpOptions, 'onOutput'>): Pump {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  from.on('data', (piece: Buffer) => {
    from.pause()
    onOutput(piece)
    writeAll(to, piece, error => (error ? from.destroy() : from.resume()))
  })
  for (const event of ['end', 'close', 'error']) from.on(event, () => resolve())
  return { ended, finish: () => void setTimeout(() => from.destroy(), mostDrainMs).unref() }
}

/** The ends of a pipe that only its writers keep. */
export const closeEnd = (fd: number): void => void attempt(() => closeSync(fd))
