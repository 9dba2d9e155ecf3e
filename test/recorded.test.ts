import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeState } from '../src/core/explain.ts'
import type { Signal } from '../src/core/signal.ts'
import { readLines } from '../src/sense/transcript/lines.ts'
import { type Change, replay } from '../src/track/replay.ts'

/** Sessions of the real CLIs, recorded on loopback against a scripted model. What happened is in the comments. */

const traces = path.resolve(import.meta.dirname, 'traces')
const demo = path.resolve(import.meta.dirname, '../demo')

function judged(file: string): Change[] {
  return [...replay([...readLines(file)].map(line => line.text))]
}

const stateAt = (changes: readonly Change[], seconds: number): string => {
  const verdict = (changes.findLast(change => change.at <= seconds * 1000) as Change).verdict
  return describeState(verdict.state)
}

const cases: readonly (readonly [
  file: string,
  folder: string,
  story: string,
  moments: Readonly<Record<number, string>>,
])[] = [
  [
    'claude-bash20',
    demo,
    'a tool that is silent for 20 s',
    { 2: 'waiting/dialog', 3.2: 'idle', 12: 'working/tool', 23: 'working/tool', 26: 'idle/turn' },
  ],
  [
    'opencode-permission',
    demo,
    'a permission for 25 s',
    { 5.5: 'idle', 8.1: 'working', 20: 'waiting/permission', 34: 'idle/turn' },
  ],
  [
    'claude-agent',
    demo,
    'a background agent outlives the turn',
    { 5: 'working/background', 13: 'working/background', 16: 'idle/turn' },
  ],
  [
    'own-claude-agentperm',
    traces,
    'a subagent asks after the turn has ended',
    { 4.5: 'waiting/permission', 15: 'waiting/permission', 15.6: 'working/background', 17: 'idle/turn' },
  ],
  [
    'own-claude-write',
    traces,
    'Esc in a permission: no hook',
    { 6: 'waiting/permission', 9: 'idle/interrupt' },
  ],
  [
    'own-claude-queueback',
    traces,
    'a queued prompt taken back, then Esc',
    { 5: 'working/thinking', 9: 'working/thinking', 12: 'idle/interrupt', 29: 'idle/interrupt' },
  ],
  [
    'own-claude-clear',
    traces,
    '/clear between two turns',
    { 5: 'idle/turn', 9: 'idle/turn', 13: 'idle/turn' },
  ],
  ['own-codex-queuedtab', traces, 'a prompt queued with Tab', { 8: 'working/thinking', 15: 'idle/turn' }],
  [
    'own-gemini-askdeny',
    traces,
    'a question answered, then a permission denied with Esc',
    { 9: 'waiting/question', 13: 'idle/turn', 18: 'waiting/permission', 25: 'idle/interrupt' },
  ],
  [
    'own-opencode-interrupt',
    traces,
    'a start of 2.4 s, then Esc twice',
    { 12.5: 'unknown', 17: 'working/streaming', 25: 'idle/interrupt' },
  ],
  [
    'own-copilot-two',
    traces,
    'an allowed tool without any dialog',
    { 8: 'idle/turn', 15: 'working/tool', 22: 'idle/turn' },
  ],
  [
    'own-pi-e429',
    traces,
    'four rounds of HTTP 429 with retries between them',
    { 6: 'working/retrying', 10: 'working/retrying', 18: 'working/retrying', 30: 'idle/limit' },
  ],
]

describe('recorded sessions', () => {
  test.each(cases)('%s', (file, folder, _story, moments) => {
    const changes = judged(path.join(folder, `${file}.cast.gz`))
    const told = Object.fromEntries(Object.keys(moments).map(t => [t, stateAt(changes, Number(t))]))
    expect(told).toEqual(moments)
  })

  test('no session is called waiting that had no dialog', () => {
    const changes = judged(path.join(traces, 'own-copilot-two.cast.gz'))
    expect(changes.filter(change => change.verdict.state.kind === 'waiting')).toEqual([])
  })

  test('judging a prefix gives a prefix of the verdicts', () => {
    const lines = [...readLines(path.join(demo, 'claude-agent.cast.gz'))].map(line => line.text)
    const whole = [...replay(lines)].map(change => [change.at, describeState(change.verdict.state)])
    const half = [...replay(lines.slice(0, Math.floor(lines.length / 2)))].map(c => [
      c.at,
      describeState(c.verdict.state),
    ])
    expect(whole.slice(0, half.length)).toEqual(half)
  })

  test('facts pass along', () => {
    const last = judged(path.join(demo, 'claude-bash20.cast.gz')).at(-1) as Change
    expect(last.session.facts).toMatchObject({
      model: 'claude-opus-5-5',
      tool: 'Bash',
      version: '2.1.330',
      pane: expect.stringMatching(/^%\d+$/),
    })
    expect(last.session.facts.finalMessage).toBeTruthy()
  })

  test('evidence is referred to, not copied', () => {
    const [change] = judged(path.join(demo, 'claude-bash20.cast.gz')).slice(-3) as [Change]
    const held: unknown[] = [
      ...Object.values(change.session.lanes).map(claim => claim.news),
      ...Object.values(change.session.signs).map(({ sign }) => sign),
    ] satisfies Signal[]
    expect(change.verdict.because.every(evidence => held.includes(evidence))).toBe(true)
  })
})
