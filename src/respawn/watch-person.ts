/** Keeps asking whether a person is at the terminal of a session. */
import type { Clock, Timer } from '../core/clock.ts'
import type { LiveSession } from '../sessions/session-source.ts'

type PersonPorts = {
  readonly clock: Clock
  /** When a person last pressed a key there, ms since the epoch. */
  personAt(session: LiveSession): Promise<number | undefined>
}

/** So often: ms. */
const everyMs = 2000

export type PersonWatch = {
  begin(): void
  end(): void
  /** A sentence where a person is there now. */
  near(session: LiveSession): Promise<string | undefined>
}

/**
 * @param within after a key a person is there for so long: ms
 * @param ask begins a question, which may fail
 * @param seen a person has pressed a key
 */
export function watchPerson(
  { clock, personAt }: PersonPorts,
  within: number,
  session: () => LiveSession,
  ask: (question: () => Promise<void>) => void,
  seen: () => void,
): PersonWatch {
  let timer: Timer | undefined
  let last = -Infinity
  const look = async () => {
    const at = await personAt(session())
    if (at === undefined || at <= last) return
    const isNews = clock.wall() - at < within
    last = at
    if (isNews) seen()
  }
  const watch: PersonWatch = {
    begin() {
      timer = clock.at(clock.now() + everyMs, () => {
        ask(look)
        watch.begin()
      })
    },
    end: () => timer?.cancel(),
    async near(live) {
      const at = await personAt(live)
      if (at === undefined || within <= 0) return undefined
      const ago = clock.wall() - at
      return ago < within ? `a person typed there ${Math.round(ago / 1000)} s ago` : undefined
    },
  }
  return watch
}
