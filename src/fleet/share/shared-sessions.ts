/** Sessions as they may leave a machine in a fleet: without words where it shares states alone, and without secrets. Pure, but for what it remembers. */
import { mapped } from '../../core/async-queue.ts'
import type { Evidence, Verdict } from '../../core/judge/verdict.ts'
import { newSession } from '../../core/session.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../sessions/session-source.ts'
import type { Share } from './share.ts'
import { secretsRemover } from './without-secrets.ts'

/** @returns a source with the same sessions, as they may leave */
export function sharedSource<Source extends Pick<SessionSource, 'list' | 'changes'>>(
  source: Source,
  share: Share,
): Source {
  const done = new WeakMap<LiveSession, LiveSession>()
  const withoutSecrets = secretsRemover()

  function shared(live: LiveSession): LiveSession {
    const known = done.get(live)
    if (known) return known
    const sent = withoutSecrets<LiveSession>(share === 'states' ? stateOf(live) : live)
    done.set(live, sent)
    return sent
  }

  function sharedChange(change: LiveChange): LiveChange {
    if (change.type === 'changed') return { type: 'changed', session: shared(change.session) }
    return change.type === 'snapshot' ? { ...change, sessions: change.sessions.map(shared) } : change
  }

  return {
    ...source,
    list: async () => (await source.list()).map(shared),
    changes: async () => mapped(await source.changes(), sharedChange),
  }
}

/** What it does, and where; no word of what it is about. */
function stateOf(whole: LiveSession): LiveSession {
  const { title: _, status: __, transcript: ___, note: ____, branch: _____, ...live } = whole
  const { now, turns, verdict, before, ...rest } = live.session
  const { exit, tokensAt } = rest
  return {
    ...live,
    session: {
      ...newSession(now),
      ...{ turns, exit, tokensAt },
      before: { ...before, because: [] },
      verdict: { ...verdict, because: [withheld(verdict)] },
    },
  }
}

/** In the place of the evidence, which has words. */
const withheld = ({ state, since }: Verdict): Evidence => ({
  ...{ type: 'sign', source: 'session', what: 'its machine shares states alone', state, tier: 'inferred' },
  ...{ lag: 0, excludes: [], alive: false, since, seen: since },
})
