/** What the scorer of recorded sessions counts: right, late, missed, unsteady, and the wrong that costs most. */
import { describe, expect, test } from 'vitest'
import { corpusFolder, loadCorpus, type Recording } from '../../bench/corpus.ts'
import { score } from '../../bench/score.ts'
import { falseIdles, neverIdle, type Prediction } from '../../bench/truth.ts'
import type { State } from '../../src/core/state.ts'

/** A menu at the start, a turn with a tool of 20 s, idle, the end. */
const recording = loadCorpus(`${corpusFolder}/claude`).find(r => r.name === 'bash20') as Recording
const began = recording.episodes.find(e => e.state === 'working')?.from as number
const ended = recording.episodes.findLast(e => e.state === 'idle')?.from as number

const says = (...claims: (readonly [t: number, state: State])[]): Prediction[] =>
  claims.map(([t, state]) => ({ trace: recording.name, t, state }))

const working: State = { kind: 'working' }
const idle: State = { kind: 'idle' }
const perfect: Prediction[] = says(
  ...recording.truth.map(
    i => [i.from, { kind: i.state, ...(i.for ? { for: i.for } : {}) } as State] as const,
  ),
)
const scored = (predictions: Prediction[]) => score([recording], [predictions]).overall

describe('the score', () => {
  test('of the truth itself: all right, at once, steady', () => {
    expect(scored(perfect)).toMatchObject({
      accuracy: 1,
      unknownShare: 0,
      falseIdleEpisodes: 0,
      flaps: 0,
      latency: { 'working->idle': { never: 0, p50: 0, p95: 0 } },
    })
    expect(falseIdles(recording, perfect)).toEqual([])
    expect(neverIdle(recording, perfect)).toEqual([])
  })

  test('of nothing: unknown, and every change is missed', () => {
    expect(scored([])).toMatchObject({
      accuracy: 0,
      unknownShare: 1,
      latency: { 'working->idle': { p50: 'never' } },
    })
    expect(neverIdle(recording, [])).toEqual([`${recording.name} at ${ended} s`])
  })

  test('a change that is told late counts from the truth', () => {
    const late = says([0, idle], [began, working], [ended + 2, idle])
    expect(scored(late).latency['working->idle']).toEqual({ never: 0, p50: 2, p95: 2 })
  })

  test('a state said long before it was true is no latency', () => {
    expect(scored(says([0, idle])).latency['working->idle']).toBeUndefined()
  })

  test('work called idle is an episode, with its bounds', () => {
    const wrong = says([0, idle], [began, working], [10, idle], [12, working], [ended, idle])
    expect(scored(wrong)).toMatchObject({ falseIdleEpisodes: 1, flaps: 2 })
    const [found, ...more] = falseIdles(recording, wrong)
    expect(more).toEqual([])
    expect([found?.from, found?.to]).toEqual([expect.closeTo(10), expect.closeTo(12)])
  })
})
