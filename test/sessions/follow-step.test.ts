/** Which transcript is followed: sure, guessed, doubted, or searched for. */
import { describe, expect, test } from 'vitest'
import {
  type FollowEffect,
  type FollowEvent,
  newFollow,
  stepFollow,
} from '../../src/sessions/agents/follow-step.ts'

const due = (now: number): FollowEvent => ({ type: 'due', now })
const stirred = (now: number): FollowEvent => ({ type: 'stirred', now })
const named = (path: string): FollowEvent => ({ type: 'transcript named', path })
const session = (id: string): FollowEvent => ({ type: 'session named', session: id })
const contested: FollowEvent = { type: 'contested' }
const searched = (
  how: 'named' | 'open' | 'begun' | 'guessed',
  path: string,
  isTaken = false,
): FollowEvent => ({
  type: 'searched',
  found: { how, path },
  isTaken,
})
const nothing: FollowEvent = { type: 'searched', found: { how: 'nothing' }, isTaken: false }
const several: FollowEvent = { type: 'searched', found: { how: 'several' }, isTaken: false }
const moved: FollowEvent = { type: 'searched', found: { how: 'moved' }, isTaken: false }

const words = (effect: FollowEffect): string => {
  if (effect.do === 'follow') return `follow ${effect.path}`
  return effect.do === 'search' && effect.session !== undefined ? `search ${effect.session}` : effect.do
}

/** What is done at each event. */
function play(events: readonly FollowEvent[], start = newFollow(true)): string[] {
  let state = start
  return events.map(event => {
    const step = stepFollow(state, event)
    state = step.state
    return step.effects.map(words).join(', ')
  })
}

describe('a transcript', () => {
  test('that is not found is searched for after 2, 8 and 32 s, and each 32 s from then on', () => {
    const searches: number[] = []
    let state = newFollow(true)
    for (let now = 0; now <= 110_000; now += 1000) {
      const step = stepFollow(state, due(now))
      if (step.effects.length > 0) searches.push(now)
      state = stepFollow(step.state, nothing).state
    }
    expect(searches).toEqual([0, 2000, 10_000, 42_000, 74_000, 106_000])
  })

  test('is searched for at once when a file stirs, but not for each file of a crowd', () => {
    expect(play([due(0), nothing, stirred(150), stirred(200), nothing, stirred(300), due(399)])).toEqual([
      'search',
      '',
      '',
      'search',
      '',
      '',
      '',
    ])
    expect(play([due(0), nothing, stirred(150), due(200)]).at(-1)).toBe('search')
  })

  test('that is guessed is still searched for: the next may be the right one', () => {
    expect(play([due(0), searched('guessed', 'a'), due(2000), searched('open', 'b')])).toEqual([
      'search',
      'follow a',
      'search',
      'lost, follow b',
    ])
  })

  test('that no guess was is left for the next one with all that it held', () => {
    expect(play([due(0), searched('open', 'a'), due(2000), searched('open', 'b')]).at(-1)).toBe('follow b')
    const proven = [due(0), searched('guessed', 'a'), due(2000), searched('begun', 'a'), due(10_000)]
    expect(play([...proven, searched('guessed', 'a'), named('b')]).at(-1)).toBe('follow b')
  })

  test('that is only guessed is left once the session is known, of which no file exists yet', () => {
    const unwritten: FollowEvent = { type: 'searched', found: { how: 'unwritten' }, isTaken: false }
    expect(play([due(0), searched('guessed', 'a'), session('s'), due(1), unwritten])).toEqual([
      'search',
      'follow a',
      '',
      'search s',
      'leave, lost',
    ])
    expect(play([named('a'), session('s'), due(1), unwritten]).at(-1)).toBe('')
  })

  test('that is followed is not begun anew', () => {
    expect(play([due(0), searched('guessed', 'a'), due(2000), searched('open', 'a'), named('a')])).toEqual([
      'search',
      'follow a',
      'search',
      '',
      '',
    ])
  })

  test('that a hook names beats the guess, and ends the search', () => {
    expect(play([due(0), searched('guessed', 'a'), named('b'), due(60_000)])).toEqual([
      'search',
      'follow a',
      'lost, follow b',
      '',
    ])
  })

  describe('that is sure, and a file of its agent’s comes', () => {
    const begun = [session('s'), due(0), searched('named', 's'), stirred(60_000)]

    test('is left for the one that the process goes on in, which it holds open', () => {
      const rows = [...begun, searched('open', 's'), due(62_000), searched('open', 't'), due(64_000)]
      // Its id would only name the old one.
      expect(play(rows)).toEqual(['', 'search s', 'follow s', 'search', '', 'search', 'follow t', ''])
    })

    test('is remembered as left, once, until it is gone back to, and not for ever', () => {
      let state = newFollow(true)
      const goOnIn = (path: string, now: number) => {
        const events = [stirred(now), searched('open', path)]
        for (const event of events) state = stepFollow(state, event).state
        // A hook of the new one makes that sure.
        state = stepFollow(state, named(path)).state
      }
      state = stepFollow(state, named('t0')).state
      goOnIn('t1', 60_000)
      expect(state.left).toEqual(['t0'])
      goOnIn('t1', 120_000)
      expect(state.left).toEqual(['t0'])
      goOnIn('t2', 180_000)
      expect(state.left).toEqual(['t0', 't1'])
      goOnIn('t0', 240_000)
      expect(state.left).toEqual(['t1', 't2'])
      for (let n = 3; n < 40; n++) goOnIn(`t${n}`, 300_000 + n * 60_000)
      expect(state.left).toHaveLength(32)
      expect(state.left?.at(-1)).toBe('t38')
    })

    test.each(['named', 'begun', 'guessed'] as const)('and for none that is %s', how => {
      expect(play([...begun, searched(how, 't')]).at(-1)).toBe('')
    })

    test('is searched for at no other time, and not for ever', () => {
      const searches = (events: readonly FollowEvent[]) =>
        play(events).flatMap((said, at) => (said === 'search' ? [at] : []))
      const seconds = (from: number) => Array.from({ length: 100 }, (_, n) => due(from + 1000 * n))
      expect(searches([named('a'), ...seconds(1000)])).toEqual([])
      expect(searches([named('a'), stirred(0), ...seconds(1000)])).toHaveLength(3)
    })
  })

  test('that is named by the session’s id ends the search, until another session is named', () => {
    const rows = [session('s'), due(0), searched('named', 's'), due(9000), session('s'), due(9001)]
    expect(play([...rows, session('t'), due(9002)])).toEqual([
      '',
      'search s',
      'follow s',
      '',
      '',
      '',
      '',
      'search t',
    ])
  })

  test('that another session guesses too is neither’s, and is not guessed again', () => {
    const rows = [due(0), searched('guessed', 'a'), contested, due(2000), searched('guessed', 'a')]
    expect(play(rows)).toEqual(['search', 'follow a', 'leave, lost', 'search', ''])
    expect(play([due(0), searched('guessed', 'a', true), due(2000), searched('guessed', 'a')])).toEqual([
      'search',
      '',
      'search',
      '',
    ])
  })

  test('that was doubted is followed all the same where a hook names it', () => {
    expect(play([due(0), searched('guessed', 'a', true), named('a'), contested])).toEqual([
      'search',
      '',
      'follow a',
      '',
    ])
  })

  test('that was doubted is followed all the same once no other process can have begun its turns', () => {
    expect(
      play([due(0), searched('guessed', 'a'), due(2000), several, stirred(3000), searched('begun', 'a')]),
    ).toEqual(['search', 'follow a', 'search', 'leave, lost', 'search', 'follow a'])
  })

  test('is left where several could be it, not where it was proven before its agent moved, nor where it is sure', () => {
    expect(play([due(0), searched('guessed', 'a'), due(2000), several])).toEqual([
      'search',
      'follow a',
      'search',
      'leave, lost',
    ])
    expect(play([due(0), searched('open', 'a'), due(2000), several, moved])).toEqual([
      'search',
      'follow a',
      'search',
      '',
      'leave, lost',
    ])
    expect(play([named('a'), several, moved, contested])).toEqual(['follow a', '', '', ''])
    expect(play([due(0), several])).toEqual(['search', ''])
  })

  test('of a process whose files are not ours to read is none', () => {
    expect(play([due(0), stirred(1000), named('a')], newFollow(false))).toEqual(['', '', ''])
  })
})
