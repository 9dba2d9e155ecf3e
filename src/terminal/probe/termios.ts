/** A terminal's settings and its unread input, asked of the terminal itself: opening it takes nothing from anyone. */
import { askTerminal, TCGETS } from '../../os/tty/tty.ts'
import type { Termios } from './probed.ts'

/** A request of asm-generic/ioctls.h (x86-64 and arm64), and bits of c_lflag in asm-generic/termbits-common.h. */
const FIONREAD = 0x541b
const ISIG = 0x1
const ICANON = 0x2
const ECHO = 0x8

/** c_lflag is the fourth word of the kernel's struct termios, which has 36 bytes. */
const lflagAt = 12

const answer = Buffer.alloc(64)

export type TerminalSettings = { readonly termios: Termios; readonly queued: number }

/** Undefined where the terminal is gone, is another user's, or is no terminal. */
export const readSettings = (tty: string): TerminalSettings | undefined =>
  askTerminal(tty, ask => {
    if (ask(TCGETS, answer) !== 0) return undefined
    const flags = answer.readUInt32LE(lflagAt)
    const termios = {
      canonical: (flags & ICANON) !== 0,
      echo: (flags & ECHO) !== 0,
      signals: (flags & ISIG) !== 0,
    }
    const queued = ask(FIONREAD, answer) === 0 ? answer.readInt32LE(0) : 0
    return { termios, queued }
  })
