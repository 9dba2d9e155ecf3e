/** A terminal's settings, and which one a process means by /dev/tty. */
import { closeSync, constants, openSync } from 'node:fs'
import { libc } from './libc.ts'

/** asm-generic/ioctls.h, asm-generic/termbits.h: the same on x86-64 and arm64. */
const TCGETS = 0x5401
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

/** Opens the terminal without taking it and without waiting. Undefined where this user may not. */
export function readSettings(path: string): Settings | undefined {
  const calls = libc()
  if (!calls) return undefined
  let opened: number | undefined
  try {
    opened = openSync(path, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
    const bytes = Buffer.alloc(64)
    return calls.ioctl(opened, TCGETS, bytes) === 0 ? parseTermios(bytes) : undefined
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** Device number to path, as the kernel's devices.txt numbers them: 136–143 are /dev/pts, 4 holds consoles and serial lines. */
export function terminalPath(device: number): string | undefined {
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`
  if (major === 4) return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`
  return undefined
}

export const isTerminal = (link: string): boolean => /^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(link)
