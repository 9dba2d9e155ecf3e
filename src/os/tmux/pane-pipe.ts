/**
 * The output of a pane, read through tmux's `pipe-pane`: programs notice a client that attaches (ask-tmux.ts).
 * tmux passes a pane's output on to one only: where somebody hears it already, this one does not, and takes nothing away.
 */

import path from 'node:path'
import { attempt } from '../attempt.ts'
import { openFifo } from '../file/fifo.ts'
import { makeOwnFolder, placesOf } from '../file/places.ts'
import { readArguments } from '../proc/command-line.ts'
import { childrenOf } from '../proc/stat.ts'
import { uniqueName } from '../unique-name.ts'
import { actIf, askTmuxWithin } from './ask-tmux.ts'

export type Listener = {
  readonly onBytes: (bytes: Buffer) => void
  /** The output has ended for this listener; it may be opened again. */
  readonly onLost: () => void
}

type Shared = { readonly pipe: PanePipe; readonly listeners: Set<Listener> }

const pipes = new Map<string, Shared>()

/** `close` leaves the pipe, and ends it after the last one. */
export function joinPanePipe(socket: string, pane: string, listener: Listener): PanePipe {
  const key = `${pane} ${socket}`
  const shared = pipes.get(key) ?? start(key, socket, pane)
  shared.listeners.add(listener)
  return {
    opened: shared.pipe.opened,
    flush: shared.pipe.flush,
    async close() {
      shared.listeners.delete(listener)
      if (shared.listeners.size > 0) return
      if (pipes.get(key) === shared) pipes.delete(key)
      await shared.pipe.close()
    },
  }
}

function start(key: string, socket: string, pane: string): Shared {
  const listeners = new Set<Listener>()
  const onBytes = (bytes: Buffer) => {
    for (const listener of [...listeners]) listener.onBytes(bytes)
  }
  const onLost = () => {
    if (pipes.get(key) === shared) pipes.delete(key)
    for (const listener of [...listeners]) listener.onLost()
  }
  const shared: Shared = { pipe: openPanePipe(socket, pane, onBytes, onLost), listeners }
  pipes.set(key, shared)
  return shared
}

export type PanePipe = {
  /** Resolves to whether tmux passes the output on from now on. */
  readonly opened: Promise<boolean>
  /** Resolves to true once everything that tmux had read of the pane at the call has been received. */
  flush(): Promise<boolean>
  close(): Promise<void>
}

/** What is asked is done also where the answer is not waited for: ms. */
const closeMs = 100
/** A helper that does not come, or does not end, has failed: ms. */
const helperMs = 1000
/** One through which nothing has come is not waited for as long. */
const silentMs = 100

type Pipe = {
  readonly file: string
  readonly close: () => void
  readonly ended: Promise<void>
  isUsed: boolean
}

/**
 * @param onBytes called with what the pane prints
 * @param onLost called once if the output ends, or could not be read at all, without a call of `close`
 */
function openPanePipe(
  socket: string,
  pane: string,
  onBytes: (bytes: Buffer) => void,
  onLost: () => void,
): PanePipe {
  let [isOver, isClosed] = [false, false]
  let current: Pipe | undefined

  function over(): void {
    if (isOver) return
    isOver = true
    current?.close()
    if (!isClosed) onLost()
  }

  /** Only where `isPiped` is as expected: another's pipe is left alone. */
  async function connect(isPiped: 0 | 1): Promise<boolean> {
    const before = current
    const pipe = openPipe(before?.ended, bytes => {
      if (!isClosed) onBytes(bytes)
    })
    current = pipe
    if (!pipe) return false
    void pipe.ended.then(() => pipe === current && over())
    const piping = ['pipe-pane', '-O', '-t', pane, helper(pipe.file)]
    return actIf(socket, pane, [`#{==:#{pane_pipe},${isPiped}}`], ...piping).catch(() => false)
  }

  async function open(): Promise<boolean> {
    const isOpen = await connect(0)
    if (!isOpen) over()
    return isOpen
  }

  async function flush(): Promise<boolean> {
    const before = current
    if (!(await opened) || isOver || !before) return false
    // What tmux reads from now on goes to another helper; the one that is there passes on what it has, and ends.
    if (!(await connect(1))) {
      before.close()
      over()
      return false
    }
    const patience = setTimeout(before.close, before.isUsed ? helperMs : silentMs)
    await before.ended
    clearTimeout(patience)
    return true
  }

  const opened = open()
  let flushing: Promise<boolean> = opened
  return {
    opened,
    flush() {
      flushing = flushing.then(flush)
      return flushing
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await flushing
      // A pipe that has ended was taken away, and the one that is there now is another's.
      if (!isOver)
        await askTmuxWithin(closeMs, socket, ['pipe-pane', '-t', pane]).catch(() =>
          endHelper(socket, current),
        )
      over()
    },
  }
}

/**
 * A pipe for a helper to come.
 * @param before what comes is kept until then
 * @returns undefined where this machine can't make one
 */
function openPipe(before: Promise<void> | undefined, onBytes: (bytes: Buffer) => void): Pipe | undefined {
  const folder = path.join(placesOf().runtime, 'tmux')
  const file = path.join(folder, uniqueName())
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let [kept, isKept]: [Buffer[], boolean] = [[], before !== undefined]
  const take = (bytes: Buffer) => {
    pipe.isUsed = true
    settle()
    if (isKept) kept.push(bytes)
    else onBytes(bytes)
  }
  void before?.then(() => {
    const late = kept
    ;[kept, isKept] = [[], false]
    for (const bytes of late) take(bytes)
  })
  const fifo = attempt(() => {
    makeOwnFolder(folder)
    return openFifo(file, take, end)
  })
  if (!fifo) return undefined
  /** The helper has opened the pipe, or never will: the pipe ends with it. */
  const settle = () => {
    clearTimeout(late)
    fifo.hide()
    fifo.release()
  }
  const late = setTimeout(settle, helperMs)
  const close = () => {
    clearTimeout(late)
    fifo.close()
  }
  const pipe: Pipe = { file, close, ended, isUsed: false }
  return pipe
}

/** tmux (3.3a) removes no pipe from a pane after its program has ended: the helper would stay as long as the pane. */
async function endHelper(socket: string, pipe: Pipe | undefined): Promise<void> {
  if (!pipe) return
  const server = await askTmuxWithin(closeMs, socket, ['display-message', '-p', '#{pid}']).catch(() => '')
  const isHelper = (pid: number) => readArguments(pid).includes(`of=${pipe.file}`)
  const helper = /^\d+$/.test(server.trim()) ? childrenOf(Number(server)).find(isHelper) : undefined
  if (helper !== undefined) attempt(() => process.kill(helper, 'SIGTERM'))
}

/**
 * What tmux starts to pass the output on. On Linux it ends when nobody has read for a megabyte: tmux keeps all that its
 * helper does not take, and a lull that is stopped must not make its server grow.
 */
function helper(file: string): string {
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`
  const command =
    process.platform === 'linux'
      ? `exec dd bs=65536 of=${quoted} oflag=nonblock conv=notrunc,nocreat 2>/dev/null`
      : `[ -p ${quoted} ] && exec cat >${quoted}`
  // tmux reads formats and times in it.
  return command.replaceAll('#', '##').replaceAll('%', '%%')
}
