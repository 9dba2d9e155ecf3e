/** A short name for a process that no other process gets, the same for everyone who looks at it. */
import { createHash } from 'node:crypto'
import { readText } from './proc-file.ts'

let boot: string | undefined

/** Eight letters and digits made of the boot, the pid and the process' start. They begin with a letter. */
export function identify(pid: number, start: string): string {
  boot ??= readText('/proc/sys/kernel/random/boot_id').trim()
  const digest = createHash('sha256').update(`${boot}:${pid}:${start}`).digest()
  const letters = digest.readBigUInt64BE().toString(36).padStart(8, '0').slice(-7)
  return `${String.fromCharCode(97 + ((digest[8] ?? 0) % 26))}${letters}`
}
