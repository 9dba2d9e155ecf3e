/** Files of /proc and /sys/fs/cgroup: read whole up to a limit, in few calls, and never thrown for. */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { exhaustionOf } from '../../core/system-refusal.ts'
import { codeOf } from '../error-code.ts'

/** Nothing here is read further: /proc/net/tcp of a busy server and /proc/locks are the longest. */
const longest = 4 * 1024 * 1024

let buffer = Buffer.alloc(64 * 1024)

/** A text, a character a byte; or the code of the error: `EACCES`, `ESRCH`, … */
export type FileText = { readonly text: string; readonly error?: undefined } | { readonly error: string }

let [timesExhausted, lastExhaustion] = [0, '']

/** Counts errors of calls that open something, where the system has no room. @returns the error's code */
export function noteError(error: unknown): string | undefined {
  const code = codeOf(error)
  const exhaustion = exhaustionOf(code)
  if (exhaustion !== undefined) {
    timesExhausted++
    lastExhaustion = exhaustion
  }
  return code
}

/**
 * What is read by several of these functions, and whether the system had room for all of it: without that what seems to be gone,
 * or idle, may have been out of reach only.
 */
export function readWhole<T>(read: () => T): { readonly value: T; readonly refusal?: string } {
  const before = timesExhausted
  const value = read()
  return timesExhausted === before ? { value } : { value, refusal: lastExhaustion }
}

/** @param shortIsEnd false for a file that comes in pieces, as /proc/timer_list does */
export function readFile(file: string, limit = longest, shortIsEnd = true): FileText {
  let opened: number | undefined
  try {
    opened = openSync(file, 'r')
    let length = 0
    for (;;) {
      if (length === buffer.length) {
        if (length >= limit) break
        buffer = Buffer.concat([buffer], Math.min(longest, buffer.length * 4))
      }
      const got = readSync(opened, buffer, length, buffer.length - length, null)
      if (got === 0) break
      length += got
      // A short read of a small file is its end: one call less for most of /proc.
      if (shortIsEnd && got < 512) break
    }
    return { text: buffer.toString('latin1', 0, Math.min(length, limit)) }
  } catch (error) {
    return { error: noteError(error) ?? 'unknown' }
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** Empty where it can't be read. */
export const readText = (file: string, limit = longest): string => {
  const reading = readFile(file, limit)
  return reading.error === undefined ? reading.text : ''
}

/** The names in a folder, or the code of the error. */
export function listFolder(folder: string): readonly string[] | { readonly error: string } {
  try {
    return readdirSync(folder)
  } catch (error) {
    return { error: noteError(error) ?? 'unknown' }
  }
}

export function readLink(file: string): { readonly link: string } | { readonly error: string } {
  try {
    return { link: readlinkSync(file, 'latin1') }
  } catch (error) {
    return { error: noteError(error) ?? 'unknown' }
  }
}

/** Bytes of a process's memory; undefined where they can't be read. Positions above 2^53 need a bigint. */
export function readMemory(pid: number, address: bigint, length: number): Buffer | undefined {
  let opened: number | undefined
  try {
    opened = openSync(`/proc/${pid}/mem`, 'r')
    const bytes = Buffer.alloc(length)
    return readSync(opened, bytes, 0, length, address) === length ? bytes : undefined
  } catch (error) {
    noteError(error)
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
