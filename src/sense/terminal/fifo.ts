/** A pipe with a name, through which another program passes on bytes. */
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { attempt } from '../attempt.ts'
import { loadKoffi } from '../koffi.ts'

export type Fifo = {
  /** Removes its name: who has opened it goes on. */
  hide(): void
  /** From now on the pipe ends with its last writer. */
  release(): void
  close(): void
}

/** linux/fcntl.h. */
const F_SETPIPE_SZ = 1031
/** The most that Linux gives a program without rights of its own (/proc/sys/fs/pipe-max-size). */
const roomBytes = 1024 * 1024

let known: { readonly mkfifo: Call; readonly fcntl: Call } | undefined
type Call = (...args: readonly unknown[]) => number

function library() {
  if (known) return known
  const c = loadKoffi().load(null)
  known = {
    mkfifo: c.func('int mkfifo(const char *path, unsigned int mode)'),
    fcntl: c.func('int fcntl(int fd, int command, ...)'),
  }
  return known
}

/**
 * @param heard called with what comes
 * @param ended called once, when nobody can write to it any more
 * @returns undefined where this machine can't make one
 */
export function openFifo(file: string, heard: (bytes: Buffer) => void, ended: () => void): Fifo | undefined {
  return attempt(() => {
    if (library().mkfifo(file, 0o600) !== 0) return undefined
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    // As long as this end is open, the pipe does not end for want of the writer that is still to come.
    let writer: number | undefined = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
    if (process.platform === 'linux') library().fcntl(reader, F_SETPIPE_SZ, 'int', roomBytes)
    let isHidden = false
    const socket = new Socket({ fd: reader, readable: true, writable: false })
    socket.on('data', heard)
    socket.on('error', () => undefined)
    socket.on('close', ended)
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
