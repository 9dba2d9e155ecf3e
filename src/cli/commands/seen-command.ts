/** `lull seen SESSION…|--all`: what is done has been looked at, and is idle from now on. */
import { LullError } from '../../core/lull-error.ts'
import { findSession } from '../../sessions/address.ts'
import { nameOf } from '../../sessions/session-names.ts'
import { isUnseen } from '../../sessions/turn-end.ts'
import { here } from '../caller-context.ts'
import { connect } from '../connect.ts'
import { tame } from '../ui/cells.ts'

export async function seenCommand(
  addresses: readonly string[],
  { all }: { readonly all?: boolean },
): Promise<void> {
  if (all && addresses.length > 0) throw new LullError('USAGE', '--all means every session: give it alone')
  if (!all && addresses.length === 0)
    throw new LullError('USAGE', 'which session was seen? Give one or more, or --all')
  const live = await connect()
  try {
    const sessions = await live.list()
    const around = here()
    const meant = all ? sessions.filter(isUnseen) : addresses.map(a => findSession(a, sessions, around))
    if (meant.length > 0) await live.markSeen(meant.map(({ id }) => id))
    const names = meant.map(session => tame(nameOf(session, around.home)))
    process.stdout.write(names.length > 0 ? `seen: ${names.join(', ')}\n` : 'nothing is done and unseen\n')
  } finally {
    await live.close()
  }
}
