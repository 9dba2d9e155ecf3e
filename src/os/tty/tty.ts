/** A terminal's settings, and which one a process means by /dev/tty. */
import { closeSync, constants, openSync } from 'node:fs'
import { libc } from '../native/libc.ts'

/** asm-generic/ioctls.h, asm-generic/termbits.h: the same on x86-64 and arm64. */
export const TCGETS = 0x5401
const ICANON = 0o2
const ECHO = 0o10

/** Where the control characters begin, and which of them a read without lines waits by. */
const characters = 17
const VTIME = 5
const VMIN = 6

export type Settings = {
  readonly echo: boolean
  readonly canonical: boolean
  /** ms after which a read that got nothing returns. */
  readonly wait?: number
}

/** struct termios of the kernel: four flag words, the local one last; 36 bytes with the control characters. */
function parseTermios(bytes: Buffer): Settings {
  const local = bytes.readUInt32LE(12)
  const canonical = (local & ICANON) !== 0
  const tenths = bytes[characters + VTIME] ?? 0
  const isTimed = !canonical && bytes[characters + VMIN] === 0 && tenths > 0
  return { echo: (local & ECHO) !== 0, canonical, ...(isTimed && { wait: tenths * 100 }) }
}

/** Undefined where this user may not, or it is no terminal. */
export const readSettings = (path: string): Settings | undefined =>
  askTerminal(path, ask => {
    const bytes = Buffer.alloc(64)
    return ask(TCGETS, bytes) === 0 ? parseTermios(bytes) : undefined
  })

/**
 * Opens a terminal without taking it and without waiting, and asks it by ioctl(2): 0, or -1.
 * @returns undefined where this user may not, or the C library can't be called
 */
export function askTerminal<T>(
  path: string,
  question: (ask: (request: number, into: Buffer) => number) => T | undefined,
): T | undefined {
  const calls = libc()
  if (!calls) return undefined
  let opened: number | undefined
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
    opened = fd
    return question((request, into) => calls.ioctl(fd, request, into))
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
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
