/** Hooks that a host holds for an answer: who may answer which, and when a hook is let go. */
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import type { Signal } from '../../src/core/evidence/signal.ts'
import type { State } from '../../src/core/state.ts'
import type { HookReport } from '../../src/hooks/receiver.ts'
import { heldRequests } from '../../src/host/held-requests.ts'
import { createSubscribers, withGap } from '../../src/track/subscribers.ts'
import { fakeLive, finished, news, prompt, settle } from '../support/live.ts'
import { until } from '../support/until.ts'

/** A host whose sessions take hooks as those of a machine do, each as that of the session which it names. */
async function host() {
  const { live, file, clock, forget, end } = fakeLive()
  const input = createSubscribers(withGap)
  const arrives = (code: 'h' | 't', data: object) =>
    input.emit({ line: 0, at: clock.now(), code, data: JSON.stringify(data) })
  let at = 0
  const next = () => {
    clock.advance(10)
    at = clock.now()
    return { seen: at, stamp: () => at, until: () => at }
  }
  const receive = ({ agent, event, payload }: HookReport): string | undefined => {
    const { session_id: id } = payload as { readonly session_id?: string }
    if (id === undefined) return undefined
    arrives('h', { event, payload })
    file(id, ...((agents[agent].readHook?.({ event, payload }, next(), {}).signals ?? []) as Signal[]))
    return id
  }
  const requests = heldRequests({ ...live, events: async () => input.subscribe() }, receive, clock)
  file('one', prompt(0))
  // What is told of it so far is read: from here on a change is one of the test's.
  await new Promise(setImmediate)
  const ask = (command: string, more: object = {}, id = 'one') =>
    requests.hold({
      agent: 'claude',
      event: 'PermissionRequest',
      payload: { session_id: id, tool_name: 'Bash', tool_input: { command }, ...more },
    })
  const asked = () =>
    until(
      () => requests.asked('one'),
      found => found !== undefined,
    )
  const says = (event: string, payload: object = {}) =>
    void receive({ agent: 'claude', event, payload: { session_id: 'one', ...payload } })
  /** Its transcript has another line. */
  const notes = (row: object) => arrives('t', { path: 'one.jsonl', line: JSON.stringify(row) })
  return { requests, ask, asked, says, notes, input, file, next, clock, forget, end }
}

const allowed = expect.stringContaining('"allow"')

describe('a request', () => {
  test('is answered through its own hook, and confirmed once the agent goes on', async () => {
    const { requests, ask, asked, says } = await host()
    const hook = ask('ls')
    const request = await asked()
    expect(request).toMatchObject({ tool: 'Bash', about: 'ls', options: [{ word: 'yes' }, { word: 'no' }] })
    const reply = requests.reply('one', request?.id ?? '', 0)
    expect(await hook?.answer).toEqual(allowed)
    says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await reply).toBe('confirmed')
    expect(await requests.asked('one')).toBeUndefined()
  })

  test('is given as soon as its hook has the answer; one that is asked no more is not', async () => {
    const { requests, ask, asked, says } = await host()
    const hook = ask('ls')
    const { id = '' } = (await asked()) ?? {}
    const given: string[] = []
    expect(await requests.reply('one', 'other', 0, () => given.push('other'))).toBe('gone')
    const reply = requests.reply('one', id, 0, () => given.push('ls'))
    expect(await hook?.answer).toEqual(allowed)
    expect(given).toEqual(['ls'])
    says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await reply).toBe('confirmed')
    expect(given).toEqual(['ls'])
  })

  const ran = { event: 'PostToolUse', payload: { tool_name: 'Bash', tool_input: { command: 'ls' } } }
  const refusedBeforeRun = { type: 'user', toolDenialKind: 'user-rejected', toolDenialBeforeRun: true }
  const brokenOff = { type: 'user', toolDenialKind: 'user-rejected' }
  const allowedByHook = {
    type: 'attachment',
    attachment: { type: 'hook_permission_decision', decision: 'allow', hookEvent: 'PermissionRequest' },
  }
  const [yes, no] = [0, 1]

  test.each([
    ['yes', yes, 'confirmed', 'the command has run', ran],
    ['yes', yes, 'confirmed', 'the agent notes that the hook allowed it', allowedByHook],
    ['yes', yes, 'gone', 'the person refused it in the same moment', refusedBeforeRun],
    ['yes', yes, 'gone', 'the person broke off what it had allowed', brokenOff],
    ['no', no, 'confirmed', 'it was refused before it ran', refusedBeforeRun],
    ['no', no, 'gone', 'the person’s yes was first, and the command has run', ran],
    ['no', no, 'gone', 'the person’s yes was first, and the command was broken off', brokenOff],
  ])('answered %s is %s %s where %s', async (_word, option, is, _why, shown) => {
    const { requests, ask, asked, says, notes } = await host()
    const hook = ask('ls')
    const reply = requests.reply('one', (await asked())?.id ?? '', option)
    await hook?.answer
    if ('event' in shown) says(shown.event, shown.payload)
    else notes(shown)
    expect(await reply).toBe(is)
  })

  test.each<State>([{ kind: 'working', doing: 'tool' }, { kind: 'working' }])(
    'for a long command is confirmed once its dialog is gone, and no refusal shows: %o',
    async state => {
      const { requests, ask, asked, file, next, clock } = await host()
      const hook = ask('make')
      const reply = requests.reply('one', (await asked())?.id ?? '', yes)
      await hook?.answer
      file('one', news(next().seen, state, { ends: ['ask:*'] }))
      await settle()
      clock.advance(2000)
      expect(await reply).toBe('confirmed')
    },
  )

  test('for a long command is not confirmed where the person’s refusal shows just after its dialog went', async () => {
    const { requests, ask, asked, file, next, notes, clock } = await host()
    const hook = ask('make')
    const reply = requests.reply('one', (await asked())?.id ?? '', yes)
    await hook?.answer
    file('one', news(next().seen, { kind: 'working', doing: 'tool' }, { ends: ['ask:*'] }))
    await settle()
    clock.advance(500)
    notes(refusedBeforeRun)
    expect(await reply).toBe('gone')
  })

  test.each([
    ['10 s', ({ clock }: Awaited<ReturnType<typeof host>>) => clock.advance(10_000)],
    ['its agent’s end', ({ input }: Awaited<ReturnType<typeof host>>) => input.close()],
  ])('of which nothing shows how it ended is not confirmed: until %s', async (_until, passes) => {
    const around = await host()
    const { requests, ask, asked, file, next } = around
    const hook = ask('ls')
    const reply = requests.reply('one', (await asked())?.id ?? '', yes)
    await hook?.answer
    file('one', news(next().seen, finished, { ends: ['ask:*'] }))
    await settle()
    passes(around)
    expect(await reply).toBe('unconfirmed')
  })

  test('is let go without an answer where the person was first, and can’t be answered then', async () => {
    const { requests, ask, asked, says } = await host()
    const hook = ask('ls')
    const request = await asked()
    says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await hook?.answer).toBeUndefined()
    expect(await requests.reply('one', request?.id ?? '', 0)).toBe('gone')
  })

  test('takes one answer: the second of two comes too late', async () => {
    const { requests, ask, asked, says } = await host()
    const hook = ask('ls')
    const { id = '' } = (await asked()) ?? {}
    const both = Promise.all([requests.reply('one', id, 0), requests.reply('one', id, 1)])
    expect(await hook?.answer).toEqual(allowed)
    says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await both).toEqual(['confirmed', 'gone'])
  })

  test('is nobody’s once its agent has cut the connection, or has ended', async () => {
    const { requests, ask, asked, forget } = await host()
    ask('ls')?.leave()
    expect(await requests.asked('one')).toBeUndefined()
    const hook = ask('ls')
    await asked()
    forget('one')
    expect(await hook?.answer).toBeUndefined()
  })

  test('of one that asks several things at one time is left to the screen', async () => {
    const { requests, ask, asked, says } = await host()
    ask('ls')
    await asked()
    ask('rm -rf /', { tool_use_id: 'b' })
    await until(
      () => requests.asked('one'),
      found => found === undefined,
    )
    says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await requests.asked('one')).toBeUndefined()
  })

  test('beside a subagent’s, which is not held, is left to the screen', async () => {
    const { requests, ask, asked } = await host()
    ask('ls')
    await asked()
    expect(ask('rm -rf /', { agent_id: 'a1' })).toBeUndefined()
    await until(
      () => requests.asked('one'),
      found => found === undefined,
    )
  })

  test('is not held where no running agent can have sent it, or where it asks nothing', async () => {
    const { requests, ask } = await host()
    expect(ask('ls', { session_id: undefined })).toBeUndefined()
    expect(requests.hold({ agent: 'claude', event: 'Stop', payload: { session_id: 'one' } })).toBeUndefined()
    expect(
      requests.hold({ agent: 'codex', event: 'PermissionRequest', payload: { session_id: 'one' } }),
    ).toBeUndefined()
  })

  test('of a turn that ended is let go', async () => {
    const { ask, asked, file, next } = await host()
    const hook = ask('ls')
    await asked()
    file('one', news(next().seen, finished, { ends: ['ask:*'] }))
    expect(await hook?.answer).toBeUndefined()
  })
})

test('all are let go when the host stops, or its sessions end', async () => {
  const { requests, ask, asked } = await host()
  const hook = ask('ls')
  await asked()
  requests.close()
  expect(await hook?.answer).toBeUndefined()
  expect(ask('ls')).toBeUndefined()
  const other = await host()
  const held = other.ask('ls')
  await other.asked()
  other.end()
  expect(await held?.answer).toBeUndefined()
})
