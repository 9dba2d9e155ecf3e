/** What a snapshot holds of a process besides its threads and its files. */

import { readFile, readText } from '../../os/proc/proc-file.ts'
import type { Process } from '../snapshot.ts'

/** Of signal(7), the same on x86-64 and arm64: SIGALRM 14, SIGVTALRM 26, SIGPROF 27; bit 0 is signal 1. */
const alarms = (1n << 13n) | (1n << 25n) | (1n << 26n)

/** SIGUSR1 10, SIGUSR2 12, the same on both. */
const userSignals = { USR1: 1n << 9n, USR2: 1n << 11n } as const

export type Status = {
  readonly uid?: number
  readonly tracer?: number
  readonly catchesAlarm: boolean
  /** Of the signals that mean what a program says they mean, those that it has a handler for. */
  readonly catches: readonly ('USR1' | 'USR2')[]
}

export function parseStatus(text: string): Status {
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1]
  const uid = field('Uid')
  const tracer = Number(field('TracerPid') ?? 0)
  const caught = BigInt(`0x${field('SigCgt') ?? '0'}`)
  return {
    ...(uid !== undefined && { uid: Number(uid) }),
    ...(tracer > 0 && { tracer }),
    catchesAlarm: (caught & alarms) !== 0n,
    catches: (['USR1', 'USR2'] as const).filter(name => (caught & userSignals[name]) !== 0n),
  }
}

export const readStatus = (pid: number): Status => parseStatus(readText(`/proc/${pid}/status`))

/** POSIX timers (timer_create): a block for each that exists, armed or not. */
export const hasPosixTimer = (pid: number): boolean => readText(`/proc/${pid}/timers`).startsWith('ID:')

const ioFields = /^rchar: (\d+)\nwchar: (\d+)\n(?:sysc.*\n)*read_bytes: (\d+)\nwrite_bytes: (\d+)/

/** Undefined for a text of another shape. */
function parseIo(text: string): Process['io'] {
  const fields = ioFields.exec(text)
  return fields
    ? {
        readChars: Number(fields[1]),
        writeChars: Number(fields[2]),
        readBytes: Number(fields[3]),
        writeBytes: Number(fields[4]),
      }
    : undefined
}

export const readIo = (pid: number): Process['io'] => {
  const reading = readFile(`/proc/${pid}/io`)
  return reading.error === undefined ? parseIo(reading.text) : undefined
}

/** As a person would type it, cut to 200 characters; its name where it has none (kernel threads, zombies). */
export function readCommand(pid: number, name: string): string {
  const reading = readFile(`/proc/${pid}/cmdline`, 4096)
  const text = reading.error === undefined ? reading.text : ''
  const line = Buffer.from(text, 'latin1')
    .toString()
    .replace(/\0+$/, '')
    .replaceAll(/[\0\s]+/g, ' ')
  return (line || name).slice(0, 200)
}

/** Node 24 calls its first thread MainThread, and with it its process; people know it by its command. */
export const properName = (name: string, command: string): string =>
  name === 'MainThread' ? (command.split(' ')[0]?.split('/').at(-1) ?? name) : name

/** The group of cgroup v2 that a process is in, as a folder; undefined where there is none. */
export function cgroupOf(pid: number): string | undefined {
  const path = /^0::(\/.*)$/m.exec(readText(`/proc/${pid}/cgroup`))?.[1]
  return path === undefined ? undefined : `/sys/fs/cgroup${path === '/' ? '' : path}`
}

/** A freezer in this group or above it: `frozen 1` in cgroup.events says so for both. */
export const isFrozenGroup = (folder: string): boolean =>
  /^frozen 1$/m.test(readText(`${folder}/cgroup.events`))
