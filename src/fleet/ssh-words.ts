/** The command line of ssh for a box, and what it means when that ends. Pure. */
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Box } from './read-hosts.ts'

/**
 * Nobody is there to type a password, or to use what the user's configuration forwards. `ControlMaster` is left as it is. A box that
 * vanishes is noticed after 15 s.
 */
const options = [
  ...['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=5', 'ServerAliveCountMax=3'],
  ...['ClearAllForwardings=yes', 'ForwardAgent=no', 'PermitLocalCommand=no', 'RemoteCommand=none'],
]

export const sshWords = (
  { ssh, name, command }: Box,
  what = 'host stdio',
  isTerminal = false,
): readonly string[] => [
  ...ssh,
  ...[isTerminal ? '-t' : '-T', '-x', ...options.flatMap(option => ['-o', option])],
  ...['--', name, `${command} ${what}`],
]

export type SshEnd = {
  readonly code: number | null
  /** What it wrote on stderr, the last of it. */
  readonly stderr: string
  /** The system's error where it could not be started. */
  readonly error?: Error
}

/** Why there is no connection. @param hadGreeted it was there before */
export function whyEnded(
  { name, command, ssh }: Box,
  { code, stderr, error }: SshEnd,
  hadGreeted: boolean,
): string {
  const reported = lastLine(stderr)
  const because = reported === '' ? '' : ` (${reported})`
  if (error)
    return `${name}: ${oneLine(ssh[0] ?? '', 100)} can't be run here (${oneLine(error.message, 200)})`
  if (hadGreeted) return `${name}: the connection ended${because}`
  if (isOlder(code, stderr)) return `${name} has an older lull, without \`lull host stdio\`: update it there`
  if (code === 127 || code === 126)
    return `${name} has no lull that can be run as "${oneLine(command, 100)}"${because}: install it there, or give its path as command in hosts.yaml`
  if (code === 255) return `${name} is not reached${because}`
  return `${name}: \`lull host stdio\` ended there with ${code ?? 'a signal'} and no greeting${because}`
}

/** It knows the command `host`, and none of that name below it. */
export const isOlder = (code: number | null, stderr: string): boolean =>
  code === 2 && stderr.includes('lull: ') && /unknown command|too many arguments/.test(stderr)

/** A banner may come before what went wrong. */
const lastLine = (stderr: string): string =>
  oneLine(
    stderr
      .split('\n')
      .filter(line => line.trim() !== '')
      .at(-1) ?? '',
    200,
  )

export const boxGone = (why: string): LullError => new LullError('HOST_GONE', why)
