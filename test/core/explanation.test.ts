import { describe, expect, test } from 'vitest'
import type { News, Sign } from '../../src/core/evidence/signal.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { explanationOf, outlook } from '../../src/core/explain/explanation.ts'
import { idleConfidence } from '../../src/core/judge/idle-confidence.ts'
import { firstVerdict } from '../../src/core/judge/verdict.ts'
import { newSession, type Session } from '../../src/core/session.ts'

const news = (what: string, lane: News['lane']): News => ({
  type: 'news',
  source: 'hook',
  what,
  lane,
  state: { kind: 'working' },
  at: 1000,
  seen: 1000,
})
const sign = (what: string, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source: 'status',
  what,
  state: { kind: 'working' },
  excludes: [],
  tier: 'declared',
  lag: 500,
  since: 2000,
  seen: 2000,
  alive: true,
  ...more,
})
const told = (one: News, ...by: News['source'][]) => ({ news: one, by })
const shown = (one: Sign, more: object = {}) => ({ sign: one, onProbation: false, ...more })

const session = (more: object): Session => ({ ...newSession(0), ...more }) as Session

describe('a verdict in full', () => {
  const stop = news('Stop', 'main')
  const tool = news('PreToolUse', 'sub:7')
  const busy = sign('busy')
  const given = session({
    verdict: { ...firstVerdict(0), because: [stop, busy] },
    lanes: { main: told(stop, 'hook'), 'sub:7': told(tool, 'hook', 'transcript') },
    signs: {
      status: shown({ ...busy }),
      title: shown(sign('a spinner', { source: 'title' })),
      screen: shown(sign('esc to interrupt', { source: 'screen', alive: false })),
      rows: shown(sign('a stream', { source: 'rows' }), { onProbation: true }),
    },
  })

  test('has what it rests on first, then all else that is held, and why that does not count', () => {
    const rows = explanationOf(given, 3000).evidence
    expect(rows.map(({ evidence, used, note }) => [evidence.what, used, note])).toEqual([
      ['Stop', true, ''],
      ['busy', true, ''],
      ['PreToolUse', false, 'lane sub:7, also told by transcript'],
      ['a spinner', false, ''],
      ['esc to interrupt', false, 'gone'],
      ['a stream', false, 'late or stuck: does not count'],
    ])
  })

  test('knows evidence by what it says, and says nothing of witnesses where there are none', () => {
    const of = (more: Partial<News>) =>
      explanationOf(
        session({
          verdict: { ...firstVerdict(0), because: [{ ...stop }] },
          lanes: { main: told({ ...stop, ...more }, 'hook') },
          signs: {},
        }),
        3000,
      ).evidence.slice(1)
    expect(of({})).toEqual([])
    for (const more of [{ what: 'Other' }, { at: 1001 }])
      expect(of(more)).toMatchObject([{ used: false, note: 'lane main' }])
    expect(of({ source: 'rows' })).toMatchObject([{ used: false }])
  })

  test('has its sentence, what would change it, and the confidence in idleness', () => {
    expect(explanationOf(given, 3000)).toMatchObject({
      verdict: given.verdict,
      sentence: explain(given.verdict, 3000, given.facts),
      wouldChange: outlook(given, 3000),
      idleConfidence: idleConfidence(given, 3000),
    })
  })
})
