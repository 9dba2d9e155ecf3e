import { describe, expect, test } from 'vitest'
import type { Signal } from '../../src/core/evidence/signal.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { type Change, replay } from '../../src/track/replay.ts'
import { linesOf } from '../support/recordings.ts'

/** Sessions of the real CLIs, recorded on loopback against a scripted model. What happened is in the comments. */

const judged = (name: string): Change[] => [...replay(linesOf(name))]

const stateAt = (changes: readonly Change[], seconds: number): string => {
  const verdict = (changes.findLast(change => change.at <= seconds * 1000) as Change).verdict
  return describeState(verdict.state)
}

const cases: readonly (readonly [file: string, story: string, moments: Readonly<Record<number, string>>])[] =
  [
    [
      'claude-bash20',
      'a tool that is silent for 20 s',
      { 2: 'waiting/dialog', 3.2: 'idle', 12: 'working/tool', 23: 'working/tool', 26: 'idle/turn' },
    ],
    [
      'opencode-permission',
      'a permission for 25 s',
      { 5.5: 'idle', 8.1: 'working', 20: 'waiting/permission', 34: 'idle/turn' },
    ],
    [
      'claude-agent',
      'a background agent outlives the turn',
      { 5: 'working/background', 13: 'working/background', 16: 'idle/turn' },
    ],
    [
      'own-claude-agentperm',
      'a subagent asks after the turn has ended',
      { 4.5: 'waiting/permission', 15: 'waiting/permission', 15.6: 'working/background', 17: 'idle/turn' },
    ],
    ['own-claude-write', 'Esc in a permission: no hook', { 6: 'waiting/permission', 9: 'idle/interrupt' }],
    [
      'own-claude-queueback',
      'a queued prompt taken back, then Esc',
      { 5: 'working/thinking', 9: 'working/thinking', 12: 'idle/interrupt', 29: 'idle/interrupt' },
    ],
    ['own-claude-clear', '/clear between two turns', { 5: 'idle/turn', 9: 'idle/turn', 13: 'idle/turn' }],
    ['own-codex-queuedtab', 'a prompt queued with Tab', { 8: 'working/thinking', 15: 'idle/turn' }],
    [
      'own-gemini-askdeny',
      'a question answered, then a permission denied with Esc',
      { 9: 'waiting/question', 13: 'idle/turn', 18: 'waiting/permission', 25: 'idle/interrupt' },
    ],
    [
      'own-opencode-interrupt',
      'a start of 2.4 s, then Esc twice',
      { 12.5: 'unknown', 17: 'working/streaming', 25: 'idle/interrupt' },
    ],
    [
      'own-copilot-two',
      'an allowed tool without any dialog',
      { 8: 'idle/turn', 15: 'working/tool', 22: 'idle/turn' },
    ],
    [
      'own-pi-e429',
      'four rounds of HTTP 429 with retries between them',
      { 6: 'working/retrying', 10: 'working/retrying', 18: 'working/retrying', 30: 'idle/limit' },
    ],
  ]

describe('recorded sessions', () => {
  test.each(cases)('%s', (file, _story, moments) => {
    const changes = judged(file)
    const told = Object.fromEntries(Object.keys(moments).map(t => [t, stateAt(changes, Number(t))]))
    expect(told).toEqual(moments)
  })

  test('no session is called waiting that had no dialog', () => {
    const changes = judged('own-copilot-two')
    expect(changes.filter(change => change.verdict.state.kind === 'waiting')).toEqual([])
  })

  test('judging a prefix gives a prefix of the verdicts', () => {
    const lines = linesOf('claude-agent')
    const whole = [...replay(lines)].map(change => [change.at, describeState(change.verdict.state)])
    const half = [...replay(lines.slice(0, Math.floor(lines.length / 2)))].map(c => [
      c.at,
      describeState(c.verdict.state),
    ])
    expect(whole.slice(0, half.length)).toEqual(half)
  })

  test('facts pass along', () => {
    const last = judged('claude-bash20').at(-1) as Change
    expect(last.session.facts).toMatchObject({
      model: 'claude-opus-5-5',
      version: '2.1.330',
      pane: expect.stringMatching(/^%\d+$/),
    })
    expect(last.session.facts.finalMessage).toBeTruthy()
  })

  test('a last message is told once, though a hook of Gemini CLI has pieces of it twice', () => {
    const messages = judged('gemini-short').flatMap(({ session }) => session.facts.finalMessage ?? [])
    expect(new Set(messages)).toEqual(new Set(['Hello. The short turn is done.']))
  })

  test('evidence is referred to, not copied', () => {
    const [change] = judged('claude-bash20').slice(-3) as [Change]
    const held: unknown[] = [
      ...Object.values(change.session.lanes).map(claim => claim.news),
      ...Object.values(change.session.signs).map(({ sign }) => sign),
    ] satisfies Signal[]
    expect(change.verdict.because.every(evidence => held.includes(evidence))).toBe(true)
  })
})
