/** Whether a person is at a session's terminal: by the keys that they press there, which lull's own never are, and by its focus. */
import { placesOf } from '../os/file/places.ts'
import { askTmuxWithin } from '../os/tmux/ask-tmux.ts'
import { clientFormat, readClients, type TmuxClient } from '../os/tmux/tmux-clients.ts'
import { listOwned } from '../owned/find-owned.ts'
import type { LiveSession } from './session-source.ts'

/** Instants are ms since the epoch. */
export type PersonNear = {
  /** When a person last pressed a key with this terminal before them. */
  readonly keyAt: number
  /** Until when the person counts as present; none if they look elsewhere by now. */
  readonly until?: number
  /** The last instant at which they surely had it before them. */
  readonly seenAt?: number
  /** Its window has the focus now; whether anybody sits there is another question. */
  readonly hasFocus: boolean
}

/** Who has pressed a key there so recently is there still: as long as respawn leaves a person alone (docs/respawn.md#timers). ms */
const personMs = 60_000
/** tmux reports whole seconds. */
const secondMs = 1000

/** @param wall ms since the epoch. @returns undefined where nobody has the pane before them. */
export function nearIn(clients: readonly TmuxClient[], pane: string, wall: number): PersonNear | undefined {
  const here = clients.filter(client => client.pane === pane)
  if (here.length === 0) return undefined
  // A key of the future was pressed before somebody set the clock back: when, nobody knows.
  const past = here.filter(({ signAt }) => signAt < wall + secondMs)
  const untils = past.filter(({ focus }) => focus !== 'elsewhere').map(({ signAt }) => signAt + personMs)
  // Who looks elsewhere turned away with the last sign.
  const seen = past
    .filter(({ focus }) => focus !== 'program')
    .map(({ focus, signAt }) => Math.min(wall, focus === 'elsewhere' ? signAt : signAt + personMs))
  return {
    keyAt: Math.max(...here.map(({ signAt }) => signAt)),
    ...(untils.length === 0 ? {} : { until: Math.max(...untils) }),
    ...(seen.length === 0 ? {} : { seenAt: Math.max(...seen) }),
    hasFocus: here.some(({ focus }) => focus === 'here'),
  }
}

/** The same for a lull terminal. Its focus is not known. */
export const nearOwned = (viewedAt: number | undefined, wall: number): PersonNear | undefined =>
  viewedAt === undefined ? undefined : nearIn([{ pane: '', signAt: viewedAt, focus: 'unreported' }], '', wall)

/** A server that does not answer is asked again soon: ms. */
const patienceMs = 500

/** @returns undefined where nobody is or was, or nobody can tell */
export async function personNear(session: LiveSession, wall = Date.now()): Promise<PersonNear | undefined> {
  const { tmux, pane, terminal } = session
  if (terminal !== undefined) {
    const all = await listOwned(placesOf()).catch(() => undefined)
    return nearOwned(all?.find(({ name }) => name === terminal)?.viewedAt, wall)
  }
  if (tmux === undefined || pane === undefined) return undefined
  const asked = ['list-clients', '-F', clientFormat]
  const printed = await askTmuxWithin(patienceMs, tmux, asked).catch(() => '')
  return nearIn(readClients(printed), pane, wall)
}
