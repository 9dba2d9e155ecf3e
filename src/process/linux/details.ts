/** What a snapshot holds of a process besides its threads and its files. */

import os from 'node:os'
import { readText } from '../../os/proc/proc-file.ts'
import type { Process } from '../snapshot.ts'

export type Status = {
  readonly uid?: number
  readonly tracer?: number
  /** Names of the signals that it has handlers for; real-time ones as `RT34`. */
  readonly catches: readonly string[]
  readonly ignoresAlarm: boolean
}

const nameOf = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name.slice(3)]))
/** Names that the C library gives twice. */
nameOf.set(29, 'IO').set(6, 'ABRT')

/** Bit 0 of a mask of signals is signal 1. */
export const signalsIn = (mask: bigint): readonly string[] =>
  Array.from({ length: 64 }, (_, bit) => bit + 1)
    .filter(number => (mask >> BigInt(number - 1)) & 1n)
    .map(number => (number >= 32 ? `RT${number}` : (nameOf.get(number) ?? `RT${number}`)))

export function parseStatus(text: string): Status {
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1]
  const uid = field('Uid')
  const tracer = Number(field('TracerPid') ?? 0)
  return {
    ...(uid !== undefined && { uid: Number(uid) }),
    ...(tracer > 0 && { tracer }),
    catches: signalsIn(BigInt(`0x${field('SigCgt') ?? '0'}`)),
    ignoresAlarm: signalsIn(BigInt(`0x${field('SigIgn') ?? '0'}`)).includes('ALRM'),
  }
}

export const readStatus = (pid: number): Status => parseStatus(readText(`/proc/${pid}/status`))

/** Signals of its POSIX timers (timer_create) that count real time, armed or not: a block for each. */
export const posixTimersOf = (pid: number): readonly string[] =>
  parsePosixTimers(readText(`/proc/${pid}/timers`))

/** Clocks that count processor time: CLOCK_PROCESS_CPUTIME_ID 2, CLOCK_THREAD_CPUTIME_ID 3, negative ones of others. */
const countsRealTime = (clock: number): boolean => clock >= 0 && clock !== 2 && clock !== 3

export const parsePosixTimers = (text: string): readonly string[] =>
  [...text.matchAll(/^ID: \d+\nsignal: (\d+)\/.*\nnotify: .*\nClockID: (-?\d+)/gm)]
    .filter(([, , clock]) => countsRealTime(Number(clock)))
    .flatMap(([, signal]) => signalsIn(1n << BigInt(Math.max(1, Number(signal)) - 1)))

const ioFields = /^rchar: (\d+)\nwchar: (\d+)\n(?:sysc.*\n)*read_bytes: (\d+)\nwrite_bytes: (\d+)/

/** Undefined where it may not be read, or has another shape. */
export function readIo(pid: number): Process['io'] {
  const fields = ioFields.exec(readText(`/proc/${pid}/io`))
  if (!fields) return undefined
  const [readChars = 0, writeChars = 0, readBytes = 0, writeBytes = 0] = fields.slice(1).map(Number)
  return { readChars, writeChars, readBytes, writeBytes }
}

/** As a person would type it, cut to 200 characters; its name where it has none (kernel threads, zombies). */
export function readCommand(pid: number, name: string): string {
  const line = Buffer.from(readText(`/proc/${pid}/cmdline`, 4096), 'latin1')
    .toString()
    .replace(/\0+$/, '')
    .replaceAll(/[\0\s]+/g, ' ')
  return (line || name).slice(0, 200)
}

/** Node 24 calls its first thread MainThread, and with it its process; people know it by its command. */
export const properName = (name: string, command: string): string =>
  name === 'MainThread' ? (command.split(' ')[0]?.split('/').at(-1) ?? name) : name
