/** A named pipe, through which another program passes on bytes. */
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { cFunction } from '../native/c-library.ts'
import { enlargePipe } from '../native/pipe.ts'

export type Fifo = {
  /** Removes its name: who has opened it goes on. */
  hide(): void
  /** From now on the pipe ends with its last writer. */
  release(): void
  close(): void
}

/** The most that Linux gives a program without rights of its own (/proc/sys/fs/pipe-max-size). */
const roomBytes = 1024 * 1024

const mkfifo = cFunction<(path: string, mode: number) => number>('int mkfifo(const char *, unsigned int)')

/**
 * @param onBytes called with what comes
 * @param onEnd called once, when nobody can write to it any more
 * @returns undefined where this machine can't make one
 */
export function openFifo(
  file: string,
  onBytes: (bytes: Buffer) => void,
  onEnd: () => void,
): Fifo | undefined {
  return attempt(() => {
    if (mkfifo()?.(file, 0o600) !== 0) return undefined
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    // As long as this end is open, the pipe does not end for want of the writer that is still to come.
    let writer: number | undefined = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
    enlargePipe(reader, roomBytes)
    let isHidden = false
    const { Socket } = process.getBuiltinModule('node:net')
    const socket = new Socket({ fd: reader, readable: true, writable: false })
    socket.on('data', onBytes)
    socket.on('error', () => undefined)
    socket.on('close', onEnd)
    const fifo = {
      hide() {
        if (!isHidden) attempt(() => unlinkSync(file))
        isHidden = true
      },
      release() {
        if (writer !== undefined) closeSync(writer)
        writer = undefined
      },
      close() {
        fifo.hide()
        fifo.release()
        socket.destroy()
      },
    }
    return fifo
  })
}
