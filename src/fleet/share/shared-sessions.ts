/** Sessions as they may leave a machine in a fleet: without words where it shares states alone, and without secrets. Pure, but for what it remembers. */
import { redact } from '../../core/redact/redact.ts'
import { newSession } from '../../core/session.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { LiveChange, LiveSession, SessionSource } from '../../sessions/session-source.ts'
import type { Share } from './share.ts'

/** What a session has changes seldom: most of its texts were cleaned before. */
const mostKnown = 5000
/** Characters. What is shorter has no room for a name and its secret. */
const shortest = 12

/** @returns a source with the same sessions, as they may leave */
export function sharedSource<Source extends Pick<SessionSource, 'list' | 'changes'>>(
  source: Source,
  share: Share,
): Source {
  const done = new WeakMap<LiveSession, LiveSession>()
  const cleaned = new Map<string, string>()

  function clean(text: string): string {
    if (text.length < shortest) return text
    const known = cleaned.get(text)
    if (known !== undefined) return known
    if (cleaned.size >= mostKnown) cleaned.clear()
    const without = redact(text)
    cleaned.set(text, without)
    return without
  }

  function withoutSecrets(value: unknown): unknown {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(withoutSecrets)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, withoutSecrets(one)]))
  }

  function shared(live: LiveSession): LiveSession {
    const known = done.get(live)
    if (known) return known
    const sent = withoutSecrets(share === 'states' ? stateOf(live) : live) as LiveSession
    done.set(live, sent)
    return sent
  }

  function sharedChange(change: LiveChange): LiveChange {
    if (change.type === 'changed') return { type: 'changed', session: shared(change.session) }
    return change.type === 'snapshot' ? { ...change, sessions: change.sessions.map(shared) } : change
  }

  async function* sharedChanges(changes: AsyncIterableIterator<LiveChange>) {
    for await (const change of changes) yield sharedChange(change)
  }

  return {
    ...source,
    list: async () => (await source.list()).map(shared),
    changes: async () => sharedChanges(await source.changes()),
  }
}

/** What it does, and where; no word of what it is about. */
function stateOf({ title: _, status: __, transcript: ___, note: ____, branch: _____, ...live }: LiveSession) {
  const { now, turns, verdict, before, ...rest } = live.session
  const { exit, tokensAt } = rest
  return {
    ...live,
    session: {
      ...newSession(now),
      ...{ turns, exit, tokensAt },
      before: { ...before, because: [] },
      verdict: { ...verdict, because: [] },
    },
  }
}
