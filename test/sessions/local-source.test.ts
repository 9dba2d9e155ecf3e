/** One source over several providers: which session is shown, and what is told of it. */
import { describe, expect, test } from 'vitest'
import type { TraceEvent } from '../../src/core/trace/trace.ts'
import { mergedSource } from '../../src/sessions/local-sessions.ts'
import type {
  LiveChange,
  LiveSession,
  SessionChanged,
  SessionProvider,
} from '../../src/sessions/session-source.ts'
import { createSubscribers, newest } from '../../src/track/subscribers.ts'
import { finished, settle, thinking, withVerdict } from '../support/live.ts'

/** A provider that a test moves. */
function provider(...sessions: readonly LiveSession[]) {
  const own = new Map(sessions.map(session => [session.id, session]))
  let onChange: SessionChanged = () => undefined
  const seen: string[] = []
  const self: SessionProvider = {
    start(changed) {
      onChange = changed
    },
    get: id => own.get(id),
    list: () => [...own.values()],
    nameOfPane: (pane, tmux) =>
      [...own.values()].find(one => one.agent === 'terminal' && one.pane === pane && one.tmux === tmux)?.name,
    markSeen: async ids => void seen.push(...ids),
    close: () => undefined,
  }
  return {
    self,
    seen,
    put(session: LiveSession) {
      own.set(session.id, session)
      onChange(session.id, 'changed')
    },
    remove(id: string) {
      own.delete(id)
      onChange(id, 'gone')
    },
  }
}

const session = (id: string, more: Partial<LiveSession> = {}): LiveSession =>
  withVerdict({ state: thinking }, { id, ...more })

async function told(providers: readonly { self: SessionProvider }[], act: () => void) {
  const source = mergedSource(providers.map(({ self }) => self))
  const changes = await source.changes()
  const first = await changes.next()
  const heard: LiveChange[] = []
  void (async () => {
    for await (const change of changes) heard.push(change)
  })()
  act()
  await settle()
  await source.close()
  const listed = first.value?.type === 'snapshot' ? first.value.sessions : []
  return { listed: listed.map(({ note, id }: LiveSession) => note ?? id), heard }
}

const brief = (change: LiveChange): string =>
  change.type === 'changed'
    ? `${change.session.note ?? change.session.id} changed`
    : change.type === 'gone'
      ? `${change.id} ${change.shownAs === undefined ? 'gone' : `shown as ${change.shownAs}`}`
      : 'snapshot'

describe('a session that two providers have', () => {
  test('is the first one’s; the other’s is shown once that is gone', async () => {
    const runs = provider(session('x', { note: 'run' }))
    const agents = provider(session('x', { note: 'process' }), session('y'))
    const { listed, heard } = await told([runs, agents], () => {
      agents.put(session('x', { note: 'process' }))
      runs.put(session('x', { note: 'run' }))
      runs.remove('x')
      agents.remove('x')
    })
    expect(listed).toEqual(['run', 'y'])
    expect(heard.map(brief)).toEqual(['run changed', 'process changed', 'x gone'])
  })

  test('that only one has no more is not gone', async () => {
    const runs = provider(session('x', { note: 'run' }))
    const agents = provider(session('x', { note: 'process' }))
    const { heard } = await told([runs, agents], () => agents.remove('x'))
    expect(heard.map(brief)).toEqual(['run changed'])
  })
})

describe('a reader that does not keep up', () => {
  test('gets a new snapshot, and then what changes after it', async () => {
    const agents = provider(session('busy'), session('quiet'), session('leaves'))
    const source = mergedSource([agents.self])
    const changes = await source.changes()
    await changes.next()
    agents.put(session('quiet', { note: 'asks' }))
    agents.remove('leaves')
    for (let n = 0; n < 2500; n++) agents.put(session('busy', { note: `change ${n}` }))
    agents.put(session('quiet', { note: 'asks again' }))
    const heard = [(await changes.next()).value as LiveChange]
    expect(heard.map(brief)).toEqual(['snapshot'])
    const [snapshot] = heard
    expect(snapshot?.type === 'snapshot' && snapshot.sessions.map(({ id }) => id)).toEqual(['busy', 'quiet'])
    await source.close()
    for await (const change of changes) heard.push(change)
    expect(heard.map(brief).slice(-2)).toEqual(['change 2499 changed', 'asks again changed'])
  })
})

describe('a terminal', () => {
  const place = { pane: '%3', tmux: '/tmp/tmux-0/default' }
  const terminal = session('t', { agent: 'terminal', ...place })

  test('in whose pane an agent lives is not shown', async () => {
    const terminals = provider(terminal)
    const { listed, heard } = await told([provider(session('a', place)), terminals], () =>
      terminals.put(terminal),
    )
    expect(listed).toEqual(['a'])
    expect(heard).toEqual([])
  })

  test('is shown where the agent has exited, or is in a pane of that number elsewhere', async () => {
    const exited = withVerdict({ state: { kind: 'exited' } }, { id: 'a', ...place })
    for (const agent of [exited, session('a', { ...place, tmux: '/tmp/tmux-0/other' })]) {
      const { listed } = await told([provider(agent), provider(terminal)], () => undefined)
      expect(listed).toEqual(['a', 't'])
    }
  })

  test('gives its name to the agent that is shown in its place, until that has exited', async () => {
    const named = { ...terminal, name: 'api' }
    const agent = session('a', place)
    const exited = withVerdict({ state: { kind: 'exited' } }, { id: 'a', ...place })
    const source = mergedSource([provider(agent).self, provider(named).self])
    expect(await source.list()).toEqual([{ ...agent, name: 'api' }])
    await source.close()
    const after = mergedSource([provider(exited).self, provider(named).self])
    expect(await after.list()).toMatchObject([exited, named])
    await after.close()

    const agents = provider(agent)
    const { heard } = await told([agents, provider(named)], () => agents.put(agent))
    expect(heard).toMatchObject([{ type: 'changed', session: { id: 'a', name: 'api' } }])
  })

  test('is withdrawn once an agent is found in it, and told again when that has exited', async () => {
    const exited = withVerdict({ state: { kind: 'exited' } }, { id: 'a', ...place })
    const agents = provider()
    const { listed, heard } = await told([agents, provider(terminal)], () => {
      agents.put(session('a', place))
      agents.put(session('a', { ...place, title: 'now it has a title' }))
      agents.put(exited)
      agents.remove('a')
    })
    expect(listed).toEqual(['t'])
    expect(heard.map(brief)).toEqual([
      'a changed',
      't shown as a',
      'a changed',
      't changed',
      'a changed',
      'a gone',
    ])
  })

  test('is told again where the agent is forgotten without an end', async () => {
    const agents = provider(session('a', place))
    const { listed, heard } = await told([agents, provider(terminal)], () => agents.remove('a'))
    expect(listed).toEqual(['a'])
    expect(heard.map(brief)).toEqual(['t changed', 'a gone'])
  })

  test('that nobody was told of is not gone', async () => {
    const terminals = provider(terminal)
    const { heard } = await told([provider(session('a', place)), terminals], () => terminals.remove('t'))
    expect(heard).toEqual([])
  })

  test('that is first in its pane with an agent as the pane’s own process does not hide the agent', async () => {
    const { listed } = await told(
      [provider(session('a', place)), provider(session('a', { agent: 'terminal', ...place }))],
      () => undefined,
    )
    expect(listed).toEqual(['a'])
  })
})

describe('an agent', () => {
  const ended = withVerdict({ state: finished }, { id: 'a' })
  const exited = withVerdict({ state: { kind: 'exited' } }, { id: 'a' })

  test('that a run stands for is withdrawn, and not told of again before its own next change', async () => {
    const [runs, agents] = [provider(), provider(session('a'))]
    const { listed, heard } = await told([runs, agents], () => {
      runs.put(session('r', { stands: 'a' }))
      agents.put(ended)
      runs.put(session('r'))
      agents.put(exited)
    })
    expect(listed).toEqual(['a'])
    expect(heard.map(brief)).toEqual(['r changed', 'a shown as r', 'r changed', 'a changed'])
    expect(heard.at(-1)).toMatchObject({ session: exited })
  })

  test('that a run stands for hides no terminal: the loop runs in it', async () => {
    const place = { pane: '%3', tmux: '/tmp/tmux-0/default' }
    const terminal = session('t', { agent: 'terminal', ...place })
    const runs = provider(session('r', { stands: 'a' }))
    const agents = provider()
    const { listed, heard } = await told([runs, agents, provider(terminal)], () =>
      agents.put(session('a', place)),
    )
    expect(listed).toEqual(['r', 't'])
    expect(heard).toEqual([])
  })
})

test('whoever looks is told to all providers', async () => {
  const [one, two] = [provider(withVerdict({ state: finished }, { id: 'x' })), provider()]
  const source = mergedSource([one.self, two.self])
  await source.markSeen(['x'])
  expect([one.seen, two.seen]).toEqual([['x'], ['x']])
})

test('one that is kept going from now on is told of by its own provider’s session, marked', async () => {
  let kept = false
  let tell: SessionChanged = () => undefined
  const keeper: SessionProvider = {
    start(changed) {
      tell = changed
    },
    keeps: id => kept && id === 'x',
    ...{ get: () => undefined, list: () => [], close: () => undefined },
  }
  const { heard } = await told([provider(session('x'), session('y')), { self: keeper }], () => {
    kept = true
    tell('x', 'changed')
    // Of a session that nobody has there is nothing to tell.
    tell('z', 'changed')
  })
  expect(heard).toMatchObject([{ type: 'changed', session: { id: 'x', isKept: true } }])
})

test('whoever waits for the next event of a session can leave at once: it may never come', async () => {
  const quiet = createSubscribers<TraceEvent>(newest)
  const source = mergedSource([{ ...provider(session('x')).self, events: () => quiet.subscribe() }])
  const events = await source.events('x', 0)
  const awaited = events.next()
  await events.return?.()
  expect(await awaited).toEqual({ value: undefined, done: true })
  expect(quiet.size).toBe(0)
})
