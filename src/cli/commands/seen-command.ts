/** `lull seen SESSION…|--all`: marks finished sessions as seen by a person; they count as idle from then on. */
import { LullError } from '../../core/lull-error.ts'
import { findSession } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { nameOf } from '../../sessions/session-names.ts'
import { isUnseen } from '../../sessions/turn-end.ts'
import { openLull } from '../open-lull.ts'
import { lines, onNotice, print } from '../ui/print.ts'

export async function seenCommand(
  addresses: readonly string[],
  { all }: { readonly all?: boolean },
): Promise<void> {
  if (all && addresses.length > 0)
    throw new LullError('USAGE', '--all means every session; leave out the names')
  if (!all && addresses.length === 0)
    throw new LullError('USAGE', 'no session given; name one or more, or use --all')
  await using lull = await openLull({}, addresses, { onNotice })
  const sessions = await lull.sessions()
  const around = callerContext()
  const meant = all ? sessions.filter(isUnseen) : addresses.map(a => findSession(a, sessions, around))
  if (meant.length > 0) await lull.markSeen(meant.map(({ id }) => id))
  const names = meant.map(session => nameOf(session, around.home))
  print(lines(names.length > 0 ? `seen: ${names.join(', ')}` : 'no finished session is unseen'))
}
