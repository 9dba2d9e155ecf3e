/** The changes of some sessions alone, as SESSIONs on a command line mean them. */
import { matchSessions, noSession } from './address.ts'
import { callerContext } from './caller-context.ts'
import type { LiveChange, LiveSession } from './session-source.ts'

/**
 * Of those that come later, whoever is meant counts, too.
 * @param addresses none for all
 * @throws {LullError} NO_SESSION where one of them means nobody at first, BAD_ADDRESS
 */
export async function* narrowed(
  changes: AsyncIterable<LiveChange>,
  addresses: readonly string[],
): AsyncGenerator<LiveChange> {
  if (addresses.length === 0) return yield* changes
  const here = callerContext()
  const shown = new Set<string>()
  const meant = (sessions: readonly LiveSession[]): readonly LiveSession[] =>
    sessions.filter(({ id }) =>
      addresses.some(address => matchSessions(address, sessions, here).some(one => one.id === id)),
    )
  let isFirst = true
  for await (const change of changes) {
    if (change.type === 'snapshot') {
      const { sessions } = change
      const missing = addresses.find(address => matchSessions(address, sessions, here).length === 0)
      if (isFirst && missing !== undefined) throw noSession(missing, sessions, here)
      isFirst = false
      shown.clear()
      for (const { id } of meant(sessions)) shown.add(id)
      yield { ...change, sessions: sessions.filter(({ id }) => shown.has(id)) }
    } else if (change.type === 'changed') {
      // A session that was shown stays shown, even under another name.
      if (meant([change.session]).length > 0) shown.add(change.session.id)
      if (shown.has(change.session.id)) yield change
    } else if (shown.delete(change.id)) yield change
  }
}
