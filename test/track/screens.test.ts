/** What looks at an agent's screen tell: what asks or works at once, rest once it stands still, and nothing for long. */
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { startedSession } from '../../src/core/advance.ts'
import type { TraceEvent } from '../../src/core/trace/trace.ts'
import { decode, newDecoder } from '../../src/track/decode.ts'
import { replayEvents } from '../../src/track/replay.ts'
import { asks, edge, menu, rests, works } from '../support/agent-screens.ts'
import { claudeStatus, line, play, type Row, stamp } from '../support/scenario.ts'

type Look = readonly [seconds: number, rows: readonly string[], more?: object]

/** The states after each change, with the second. */
function states(...looks: readonly Look[]): readonly string[] {
  const events = looks.map(
    ([s, rows, more], line): TraceEvent => ({
      line,
      at: 1000 * s,
      code: 'f',
      data: JSON.stringify({ rows, ...more }),
    }),
  )
  const changes = replayEvents(events, newDecoder(agents.claude), startedSession(0), { until: 100_000 })
  return [...changes].map(({ at, verdict: { state } }) => {
    const detail = state.kind === 'waiting' ? `/${state.for}` : ''
    return `${(at / 1000).toFixed(1)} ${state.kind}${detail}`
  })
}

describe('a screen', () => {
  test('that works or asks is told at once, and rest once it stands still', () => {
    const seen = states([1, works], [2, asks], [3, rests], [3.1, works], [4, rests], [4.3, rests])
    expect(seen.slice(0, 5)).toEqual([
      '0.0 starting',
      '1.0 working',
      '2.0 waiting/permission',
      '3.1 working',
      '4.3 idle',
    ])
  })

  test('that has not moved for seconds rests at the first look', () => {
    expect(states([1, rests, { isStill: true }]).slice(0, 2)).toEqual(['0.0 starting', '1.0 idle'])
  })

  test.each(['state', 'says'])('keeps the reading of a person’s own rules in its trace as `%s`', field => {
    const read = { [field]: 'waiting/confirmation', rule: 'deploy', row: 'Deploy it?' }
    expect(states([1, ['Deploy it?'], { read }]).slice(0, 2)).toEqual([
      '0.0 starting',
      '1.0 waiting/confirmation',
    ])
    expect(states([1, asks, { read: { state: 'no word' } }])).toEqual(['0.0 starting'])
  })

  test('that is not seen any more counts for 15 s', () => {
    expect(states([1, works])).toEqual(['0.0 starting', '1.0 working', '16.0 unknown'])
  })

  test('with a menu that a person opened, or without a known part, says nothing', () => {
    expect(states([1, menu], [2, menu])).toEqual(['0.0 starting'])
    expect(states([1, ['building…']], [2, ['built']])).toEqual(['0.0 starting'])
  })

  test('that shows what it showed is renewed without its rows; of one that nothing is known of nothing is said', () => {
    const same = (s: number): Look => [s, [], { rows: undefined, isSame: true }]
    expect(states([1, works], same(10), same(20))).toEqual(['0.0 starting', '1.0 working', '35.0 unknown'])
    expect(states([1, rests], same(1.3)).slice(0, 2)).toEqual(['0.0 starting', '1.3 idle'])
    expect(states(same(1), same(2))).toEqual(['0.0 starting'])
  })

  test('with a menu tells so beside the state, until it is closed', () => {
    let decoder = newDecoder(agents.claude)
    const menus = [menu, menu, rests].map((rows, n) => {
      const event: TraceEvent = { line: n, at: 1000 * n, code: 'f', data: JSON.stringify({ rows }) }
      const decoded = decode(decoder, event)
      decoder = decoded.decoder
      return decoded.signals.flatMap(signal => (signal.type === 'facts' ? [signal.facts.menu] : []))
    })
    expect(menus).toEqual([['Select model'], [], ['']])
  })

  describe('whose composer held a prompt that stands right above it now', () => {
    const writes = ['● Done.', '', edge, '❯ fix it', edge]
    const sent = ['● Done.', '', '❯ fix it', '', edge, '❯ ', edge]
    const answered = ['❯ fix it', '', '● Done it.', '', edge, '❯ ', edge]

    test('works, though nothing else shows that, until something comes after it', () => {
      const seen = states(
        [1, writes, { isStill: true }],
        [3, sent],
        [4, sent],
        [5, answered],
        [5.3, answered],
      )
      expect(seen.slice(0, 4)).toEqual(['0.0 starting', '1.0 idle', '3.0 working', '5.3 idle'])
    })

    test('is believed to work for 5 s', () => {
      const seen = states([1, writes, { isStill: true }], [3, sent], [7.9, sent], [8, sent], [8.3, sent])
      expect(seen.slice(0, 4)).toEqual(['0.0 starting', '1.0 idle', '3.0 working', '8.3 idle'])
    })

    test('has worked where the turn began and ended between two looks', () => {
      const seen = states([1, writes, { isStill: true }], [3, answered], [3.3, answered], [3.6, answered])
      expect(seen.slice(0, 4)).toEqual(['0.0 starting', '1.0 idle', '3.0 working', '3.6 idle'])
    })

    test('works where nothing was seen in between', () => {
      const seen = states([1, writes, { isStill: true }], [2, []], [3, sent])
      expect(seen.at(2)).toBe('2.0 unknown')
      expect(seen.at(3)).toBe('3.0 working')
    })

    test('may have begun to work where it is neither here nor there: for 2 s', () => {
      const gone = ['● Done.', '', edge, '❯ ', edge]
      const seen = states([1, writes, { isStill: true }], [3, gone], [4.9, gone], [5, gone], [5.2, gone])
      expect(seen.slice(0, 4)).toEqual(['0.0 starting', '1.0 idle', '3.0 unknown', '5.2 idle'])
    })

    describe('or where lull typed it, and no look saw it there', () => {
      const blank = ['● Done.', '', edge, '❯ ', edge]
      const typed = { typed: { at: 1500, prompt: 'fixit' } }

      test('has worked where the turn began and ended between two looks', () => {
        const seen = states(
          [1, blank, { isStill: true }],
          [2, blank, typed],
          [3, answered, typed],
          [3.3, answered, typed],
          [3.6, answered, typed],
        )
        expect(seen.slice(0, 4)).toEqual(['0.0 starting', '1.0 idle', '3.0 working', '3.6 idle'])
      })

      test('once: what is still there is no other turn, and another prompt of the same words is', () => {
        const twice = ['❯ fix it', '● Done it.', '❯ fix it', '● Nothing to do.', edge, '❯ ', edge]
        const seen = states(
          [1, blank, { isStill: true }],
          [3, answered, typed],
          [3.3, answered, typed],
          [3.6, answered, typed],
          [5, answered, { typed: { at: 4500, prompt: 'fixit' } }],
          [6, twice, { typed: { at: 4500, prompt: 'fixit' } }],
          [6.3, twice],
          [6.6, twice],
        )
        expect(seen.slice(2, 6)).toEqual(['3.0 working', '3.6 idle', '6.0 working', '6.6 idle'])
      })

      test('rests where the words were there before, and before any other look', () => {
        const old = ['● fix it', '', edge, '❯ ', edge]
        const seen = states([1, old, { isStill: true }], [2, old, typed], [3, [...old], typed])
        expect(seen.slice(0, 2)).toEqual(['0.0 starting', '1.0 idle'])
        expect(seen).not.toContain('3.0 working')
        const short = { typed: { at: 1500, prompt: 'y' } }
        const other = ['● Why not?', '', edge, '❯ ', edge]
        const letters = states([1, old, { isStill: true }], [2, old, short], [3, other, short])
        expect(letters).not.toContain('3.0 working')
        expect(states([1, answered, { ...typed, isStill: true }]).slice(0, 2)).toEqual([
          '0.0 starting',
          '1.0 idle',
        ])
      })
    })

    test('rests where that was said before, or is a command of its own', () => {
      const said = ['● fix it', '', edge, '❯ fix it', edge]
      const command = ['● Done.', '', edge, '❯ /cost', edge]
      const ran = ['● Done.', '', '❯ /cost', '', edge, '❯ ', edge]
      for (const [before, after] of [
        [said, ['● fix it', '', edge, '❯ ', edge]],
        [command, ran],
      ] as const)
        expect(states([1, before, { isStill: true }], [3, after], [4, after]).slice(0, 3)).toEqual([
          '0.0 starting',
          '1.0 idle',
          '19.0 unknown',
        ])
    })
  })

  test('that rests as another source does ends a turn of which neither was seen to tell', () => {
    // Esc before the first token: its transcript tells nothing of that. The status file is as old as it says.
    const prompt = line(1, {
      type: 'user',
      timestamp: stamp(1),
      message: { content: 'go' },
      promptId: 'p1',
      promptSource: 'typed',
    })
    const idle: Row = [60, 'f', claudeStatus(4, 'idle')[2]]
    const rest = (t: number): Row => [t, 'f', { rows: rests, isStill: true }]
    const options = { attached: true, until: 90 }
    const alone = play('claude', [prompt, idle], options)
    expect(alone.at(80)).toBe('unknown')
    const both = play('claude', [prompt, idle, rest(61)], options)
    expect([both.at(60.5), both.at(61.5)]).toEqual(['unknown', 'idle'])
    const busy = play('claude', [prompt, idle, [61, 'f', { rows: works, isStill: false }]], options)
    expect(busy.at(62)).not.toBe('idle')
  })

  test('whose rows are no texts is refused', () => {
    const event = (data: string): TraceEvent => ({ line: 1, at: 0, code: 'f', data })
    expect(decode(newDecoder(agents.claude), event('{"rows":[1]}')).refused).toBe(
      'a screen whose rows are no texts',
    )
    expect(decode(newDecoder(undefined), event('{"rows":["x"]}')).signals).toEqual([])
  })
})
