/** A terminal's settings and its unread input, asked of the terminal itself: opening it takes nothing from anyone. */
import { closeSync, constants, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Termios } from '../probed.ts'

/** Requests of asm-generic/ioctls.h (x86-64 and arm64), and bits of c_lflag in asm-generic/termbits-common.h. */
const TCGETS = 0x5401
const FIONREAD = 0x541b
const ISIG = 0x1
const ICANON = 0x2
const ECHO = 0x8

/** c_lflag is the fourth word of the kernel's struct termios, which has 36 bytes. */
const lflagAt = 12

type Ioctl = (fd: number, request: number, answer: Buffer) => number

let known: Ioctl | undefined

/** libc's ioctl. Loading takes some ms, so it is done once, and only where a terminal is looked at. */
function ioctl(): Ioctl {
  if (known) return known
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi')
  const found = koffi.load(null).func('int ioctl(int fd, unsigned long request, void *answer)')
  known = (fd, request, answer) => found(fd, request, answer) as number
  return known
}

const answer = Buffer.alloc(64)

export type TerminalSettings = { readonly termios: Termios; readonly queued: number }

/** Undefined where the terminal is gone, is another user's, or is no terminal. */
export function readSettings(tty: string): TerminalSettings | undefined {
  let opened: number | undefined
  try {
    opened = openSync(tty, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
    const ask = ioctl()
    if (ask(opened, TCGETS, answer) !== 0) return undefined
    const flags = answer.readUInt32LE(lflagAt)
    const termios = {
      canonical: (flags & ICANON) !== 0,
      echo: (flags & ECHO) !== 0,
      signals: (flags & ISIG) !== 0,
    }
    const queued = ask(opened, FIONREAD, answer) === 0 ? answer.readInt32LE(0) : 0
    return { termios, queued }
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
