import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { tellWriters } from '../../src/track/writers.ts'
import { epochMs, line, play, stamp } from '../support/scenario.ts'

/** A fresh process beside a log that an earlier one, or another, has written. */

/** An hour before the scenario begins. */
const before = '2026-11-21T20:00:00.000Z'

/** Of each agent, a line by which a turn begins. */
const begins: Partial<Record<AgentName, (timestamp: string) => object | string>> = {
  claude: timestamp => ({ type: 'user', timestamp, message: { content: 'go' } }),
  codex: timestamp => ({ type: 'event_msg', timestamp, payload: { type: 'task_started', turn_id: 't' } }),
  opencode: timestamp => `timestamp=${timestamp} level=INFO run=1 message=loop session.id=s step=0`,
  gemini: timestamp => ({ type: 'user', timestamp, content: [{ text: 'go' }] }),
  qwen: timestamp => ({ type: 'user', provenance: 'real_user', timestamp }),
  copilot: timestamp => ({ type: 'user.message', timestamp, data: {} }),
  pi: timestamp => ({ type: 'message', timestamp, message: { role: 'user', content: 'go' } }),
  cline: timestamp =>
    `{"level":30,"time":"${timestamp}","pid":7,"event":"agent.run-started","properties":{"agentId":"a"}}`,
}

test.each(Object.keys(begins) as AgentName[])(
  '%s: what was written before its start is no turn of its',
  agent => {
    const told = play(agent, [line(1, begins[agent]?.(before) ?? {})], { until: 20 })
    expect(told.path).toEqual(['starting'])
    expect(play(agent, [line(1, begins[agent]?.(stamp(1)) ?? {})], { until: 20 }).at(2)).toMatch(/^working/)
  },
)

/** Of each agent whose log tells of a question, a line that asks. */
const asks: Partial<Record<AgentName, (timestamp: string) => object>> = {
  claude: timestamp => ({
    type: 'assistant',
    timestamp,
    message: { content: [{ type: 'tool_use', id: 'c', name: 'AskUserQuestion' }] },
  }),
  codex: timestamp => ({
    type: 'response_item',
    timestamp,
    payload: { type: 'function_call', name: 'request_user_input', call_id: 'c' },
  }),
  qwen: timestamp => ({
    type: 'assistant',
    timestamp,
    message: { parts: [{ functionCall: { name: 'ask_user_question' } }] },
  }),
  copilot: timestamp => ({ type: 'permission.requested', timestamp, data: { requestId: 'r' } }),
  pi: timestamp => ({
    type: 'message',
    timestamp,
    message: { role: 'assistant', stopReason: 'toolUse', content: [{ type: 'toolCall', name: 'question' }] },
  }),
}

test.each(Object.keys(asks) as AgentName[])('%s: a question of before its start is not open', agent => {
  const told = (stampOf: (t: number) => string) =>
    play(
      agent,
      [begins[agent], asks[agent]].map((row, n) => line(n + 1, row?.(stampOf(n + 1)) ?? {})),
      { until: 20 },
    )
  expect(told(() => before).path).toEqual(['starting'])
  expect(told(stamp).at(3)).toMatch(/^waiting/)
})

test('facts of what was before are kept', () => {
  const meta = { type: 'session_meta', timestamp: before, payload: { id: 's', cwd: '/p' } }
  expect(play('codex', [line(1, meta)]).session.facts).toMatchObject({ agentSession: 's', cwd: '/p' })
})

describe('opencode: a log that several processes write', () => {
  const row = (t: number, run: string, text: string, at = stamp(t)) =>
    line(t, `timestamp=${at} level=INFO run=${run} ${text}`)
  const asking = 'message=asking id=per_1 permission=bash'

  test('another’s permission is not shown', () => {
    const told = play('opencode', [
      row(0.1, 'old', 'message=init', before),
      row(1, 'old', asking),
      row(2, 'new', 'message=init'),
      row(3, 'old', 'message="exiting loop" session.id=s'),
      row(5, 'new', 'message=loop session.id=t step=0'),
      row(6, 'old', asking),
      row(9, 'new', 'message="exiting loop" session.id=t'),
    ])
    expect(told.path).toEqual(['starting', 'working/thinking', 'idle/turn'])
  })

  test('one that began long after is another’s', () => {
    const told = play('opencode', [row(1, 'own', 'message=init'), row(40, 'next', asking)])
    expect(told.path).toEqual(['starting'])
  })

  test('of two that began at once nothing can be told', () => {
    const text = (t: number, run: string) => `timestamp=${stamp(t)} level=INFO run=${run} message=init`
    const own = (...lines: readonly string[]) =>
      tellWriters(agents.opencode, { startedAt: epochMs(0) }, lines).own
    expect(own(text(1, 'a'), text(1.5, 'b'))).toBe('')
    expect(own(text(1, 'a'), text(9, 'b'))).toBe('a')
    // The end of a log, in which the lines of its start are not there any more.
    expect(own(text(600, 'a'))).toBe('a')
    expect(own(text(600, 'a'), text(700, 'b'))).toBe('')
  })

  describe('beside other processes that are known', () => {
    const init = (t: number, run: string) => `timestamp=${stamp(t)} level=INFO run=${run} message=init`
    const own = (others: readonly { startedAt: number; own?: string }[], ...lines: readonly string[]) =>
      tellWriters(agents.opencode, { startedAt: epochMs(10), others }, lines).own

    test('a first line may be late: on a machine under load it came after 18 s', () => {
      const first = { startedAt: epochMs(0), own: 'a' }
      expect(own([first], init(8, 'a'), init(12, 'a'), init(28, 'b'))).toBe('b')
      expect(own([first], init(12, 'a'))).toBe(undefined)
    })

    test('what begins while an earlier one has not begun is that one’s', () => {
      const first = { startedAt: epochMs(0) }
      expect(own([first], init(12, 'a'))).toBe(undefined)
      const told = tellWriters(agents.opencode, { startedAt: epochMs(10), others: [first] }, [
        init(12, 'a'),
        init(20, 'b'),
      ])
      expect(told.own).toBe(undefined)
      const named = { startedAt: epochMs(10), others: [{ ...first, own: 'a' }] }
      expect(tellWriters(agents.opencode, named, [init(70, 'a')], told).own).toBe('b')
    })

    test('of two that started in one second neither is known, until one is', () => {
      const twin = { startedAt: epochMs(10.5) }
      expect(own([twin], init(12, 'a'))).toBe('')
      expect(own([{ ...twin, own: '' }], init(12, 'a'))).toBe('')
      expect(own([{ ...twin, own: 'a' }], init(12, 'a'), init(13, 'b'))).toBe('b')
    })

    test('a later one takes nothing from it', () => {
      expect(own([{ startedAt: epochMs(20) }], init(12, 'a'))).toBe('a')
    })
  })

  test('of a recording that begins later the first counts', () => {
    const loop = (t: number, run: string) => row(t, run, 'message=loop session.id=s step=0')
    const told = play('opencode', [loop(100, 'a'), row(101, 'b', asking)], { attached: true })
    expect(told.at(102)).toBe('working/thinking')
  })
})

test('cline: the lines of another process', () => {
  const row = (t: number, pid: number, event: string) =>
    line(
      t,
      `{"level":30,"time":"${stamp(t)}","pid":${pid},"event":"${event}","properties":{"agentId":"a${pid}"}}`,
    )
  const told = play('cline', [
    row(1, 7, 'agent.run-started'),
    row(5, 8, 'agent.run-started'),
    row(6, 8, 'session.aborted'),
    row(9, 7, 'agent.run-finished'),
  ])
  expect(told.at(7)).toBe('working/thinking')
  expect(told.at(10)).toBe('idle/turn')
})
