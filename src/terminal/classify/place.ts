/**
 * Whether a program reads where it reads its prompt: how deep its stack is there is the same at each prompt, and another in its
 * `read` or `input()`: bash 5.2 reads at 5,344 bytes at its prompt and at 2,496 in `read -e`, Python 3.11 at 4,640 and 2,016. Pure.
 */
import type { Tier } from '../../core/evidence/signal.ts'
import type { TerminalProcess, TerminalRead } from '../probe/probed.ts'
import type { Learned } from './learned.ts'

export type Place = 'prompt' | 'elsewhere' | 'unknown'

/** @param shell its name, where it is one */
export function placeOf(
  { idle, references: measured }: Learned,
  { pid }: TerminalProcess,
  canonical: boolean,
  call: TerminalRead,
  shell?: string,
): Place {
  const known = idle.find(one => one.pid === pid)
  const references = [
    ...(known?.call.depth === undefined
      ? []
      : [{ canonical: known.termios.canonical, call: known.call.name, depth: known.call.depth }]),
    ...measured.filter(reference => reference.pid === pid),
  ].filter(reference => reference.canonical === canonical)
  if (call.depth === undefined) return 'unknown'
  if (references.some(({ depth }) => depth === call.depth)) return 'prompt'
  // Another call may be made from the same place: zsh polls where it has a key to wait for.
  // bash that waits by pselect6 at its prompt reads keys by `read -s -n 1` alone: `Press any key`.
  const isOther = ({ call: known }: { readonly call: string }) =>
    known === call.name || (known === 'pselect6' && call.name === 'read' && shell === 'bash')
  return references.some(isOther) ? 'elsewhere' : 'unknown'
}

/** A depth that was learned from a prompt's looks is worth no more than they are. */
export function tierOf(
  { idle, references }: Learned,
  { pid }: TerminalProcess,
  { depth }: TerminalRead,
): Tier {
  const known = idle.find(one => one.pid === pid)
  const isMeasured = references.some(one => one.pid === pid && one.depth === depth)
  return isMeasured || known === undefined ? 'proven' : known.tier
}
