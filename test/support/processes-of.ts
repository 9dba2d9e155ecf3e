/** The processes that belong to a folder: what a test started has it among its words, in its environment, or works in it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { attempt } from '../../src/os/attempt.ts'

type Found = { readonly pid: number; readonly command: string }

/** None where there is no /proc. */
export const processesOf = (folder: string): readonly Found[] =>
  (attempt(() => readdirSync('/proc')) ?? []).flatMap(pid => {
    const text = (name: string): string => attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8')) ?? ''
    if (!/^\d+$/.test(pid)) return []
    const command = text('cmdline').replaceAll('\0', ' ')
    const places = [command, text('environ'), attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '']
    return places.some(place => place.includes(folder)) ? [{ pid: Number(pid), command }] : []
  })
