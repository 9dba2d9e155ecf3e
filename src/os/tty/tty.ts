/** A terminal's settings and its unread input, asked of the terminal itself; and the names of terminals. */
import { closeSync, constants, openSync } from 'node:fs'
import { libc } from '../native/libc.ts'
import { isReady } from '../native/pipe.ts'
import { noteError } from '../proc/proc-file.ts'

/** asm-generic/ioctls.h, asm-generic/termbits.h: the same on x86-64 and arm64. */
const TCGETS = 0x5401
const TCSETS = 0x5402
const TIOCGWINSZ = 0x5413
const FIONREAD = 0x541b
const OPOST = 0o1
const ISIG = 0o1
const ICANON = 0o2
const ECHO = 0o10

/** struct termios of the kernel: four flag words, of which these are two, a byte, and the control characters. */
const oflagAt = 4
const iflagAt = 0
const IXANY = 0x800
const lflagAt = 12
const charactersAt = 17
/** Which of them a read without lines waits by. */
const VTIME = 5
const VMIN = 6

export type TerminalSettings = {
  /** ICANON: the terminal collects whole lines. */
  readonly canonical: boolean
  readonly echo: boolean
  /** ISIG: Ctrl-C is a signal. */
  readonly signals: boolean
  /** ms after which a read that got nothing returns. */
  readonly wait?: number
  /** Input that nobody has read yet, bytes; whole lines only where it is canonical. */
  readonly queued: number
  /** Takes no output: stopped (Ctrl-S, TCOOFF), or full. */
  readonly isOutputStopped: boolean
}

/** Larger than the struct of any system, and used again: terminals are asked every few milliseconds. */
const answer = Buffer.alloc(64)

/** @returns undefined where it is gone, is another user's or no terminal, or the C library can't be called */
export function readSettings(path: string): TerminalSettings | undefined {
  return withTerminal(path, (calls, fd) => {
    if (calls.ioctl(fd, TCGETS, answer) !== 0) return undefined
    const settings = parseTermios(answer)
    const queued = calls.ioctl(fd, FIONREAD, answer) === 0 ? answer.readInt32LE(0) : 0
    // A pseudo terminal with stopped output has no room (pty_write_room), and poll reports that.
    return { ...settings, queued, isOutputStopped: !isReady(fd, 'write', 0) }
  })
}

/** Whether the terminal takes output within this time, ms; this process waits. One with a slow reader soon does. */
export const takesOutputWithin = (path: string, ms: number): boolean =>
  withTerminal(path, (_, fd) => isReady(fd, 'write', ms)) === true

/** Opens a terminal without taking it and without waiting: that takes nothing from anyone. */
function withTerminal<T>(
  path: string,
  ask: (calls: NonNullable<ReturnType<typeof libc>>, fd: number) => T | undefined,
): T | undefined {
  const calls = libc()
  if (!calls) return undefined
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
  } catch (error) {
    noteError(error)
    return undefined
  }
  try {
    return ask(calls, fd)
  } finally {
    closeSync(fd)
  }
}

export type TerminalSize = { readonly rows: number; readonly columns: number }

/** 0 by 0 where nobody has set it; undefined as `readSettings`. */
export function readSize(path: string): TerminalSize | undefined {
  return withTerminal(path, (calls, fd) =>
    calls.ioctl(fd, TIOCGWINSZ, answer) === 0
      ? { rows: answer.readUInt16LE(0), columns: answer.readUInt16LE(2) }
      : undefined,
  )
}

function parseTermios(bytes: Buffer): Omit<TerminalSettings, 'queued' | 'isOutputStopped'> {
  const flags = bytes.readUInt32LE(lflagAt)
  const canonical = (flags & ICANON) !== 0
  const tenths = bytes[charactersAt + VTIME] ?? 0
  const isTimed = !canonical && bytes[charactersAt + VMIN] === 0 && tenths > 0
  return {
    canonical,
    echo: (flags & ECHO) !== 0,
    signals: (flags & ISIG) !== 0,
    ...(isTimed && { wait: tenths * 100 }),
  }
}

/** A terminal prints what it is given, without a carriage return before each line end. */
export function printRaw(fd: number): void {
  const calls = libc()
  if (calls?.ioctl(fd, TCGETS, answer) !== 0) return
  answer.writeUInt32LE((answer.readUInt32LE(oflagAt) & ~OPOST) >>> 0, oflagAt)
  calls.ioctl(fd, TCSETS, answer)
}

/** Output that Ctrl-S has stopped goes on with Ctrl-Q alone, and not with any key. @param fd of its other end, too */
export function goesOnByCtrlQAlone(fd: number): void {
  const calls = libc()
  if (calls?.ioctl(fd, TCGETS, answer) !== 0) return
  answer.writeUInt32LE((answer.readUInt32LE(iflagAt) & ~IXANY) >>> 0, iflagAt)
  calls.ioctl(fd, TCSETS, answer)
}

const majorOf = (device: number): number => (device >> 8) & 0xfff
const minorOf = (device: number): number => (device & 0xff) | ((device >>> 12) & 0xfff00)

/** UNIX98 pseudo terminals have the majors 136 to 143, with 2^20 minors each (Documentation/admin-guide/devices.txt). */
export function ptsOf(device: number): string | undefined {
  const major = majorOf(device)
  return major >= 136 && major <= 143 ? `/dev/pts/${minorOf(device) + (major - 136) * 2 ** 20}` : undefined
}

/** Device number to path; the major 4 holds consoles and serial lines. */
export function terminalPath(device: number): string | undefined {
  const minor = minorOf(device)
  if (majorOf(device) === 4) return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`
  return ptsOf(device)
}

export const isTerminal = (link: string): boolean => /^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(link)
