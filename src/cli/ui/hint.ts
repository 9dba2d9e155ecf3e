/** A line below the result, on stderr, that names what would make an unknown state known. */
import { oneLine } from '../../core/text/printable.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { lines, note } from './print.ts'

/** Its reasons are read only where something is unknown. */
export async function hintOf(all: readonly LiveSession[]): Promise<string | undefined> {
  // Of what runs elsewhere the settings of this machine tell nothing.
  const sessions = all.filter(({ host }) => host === undefined)
  if (!sessions.some(({ session }) => session.verdict.state.kind === 'unknown')) return undefined
  // Without a hint where no more files can be opened: the result is printed already.
  const hints = await import('../../sessions/hints/hint-on-unknown.ts').catch(() => undefined)
  return hints?.hintOnUnknown(sessions)
}

export async function printHint(sessions: readonly LiveSession[]): Promise<boolean> {
  const hint = await hintOf(sessions)
  if (hint !== undefined) note(lines(oneLine(`hint: ${hint}`, 1000)))
  return hint !== undefined
}
