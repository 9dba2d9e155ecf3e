/** The checks of the night see what they are there for: what was typed, when, and what the history tells. */
import { describe, expect, test } from 'vitest'
import type { ModelEvent } from '../../bench/lab/truth.ts'
import { type Night, scenesResults, typingOf, wrongOf } from '../../bench/respawn/night-checks.ts'
import type { Mark } from '../../bench/respawn/night-person.ts'
import { scenes } from '../../bench/respawn/scenes.ts'
import type { StoredEntry } from '../../src/history/entry.ts'

const short = 'a short turn'
const prompt = (scene: string, number: number) => `[[short]] go on: ${scene} #${number}#`

const entry = (at: number, kind: string, data = {}): StoredEntry =>
  ({ id: at, at, kind: `respawn.${kind}`, data }) as StoredEntry

const typed = (from: number, to: number, scene: string, number: number) => [
  entry(from, 'sending', { step: 0 }),
  entry(to, 'sent', { step: 0, text: prompt(scene, number) }),
]

const event = (at: number, type: 'request' | 'end', texts: readonly string[], more = {}): ModelEvent =>
  ({
    at,
    type,
    endsTurn: type === 'end',
    request: { kind: 'main', id: texts.join(), step: 0, turns: texts.map(text => ({ role: 'user', text })) },
    ...more,
  }) as unknown as ModelEvent

const turn = (from: number, to: number, texts: readonly string[]) => [
  event(from, 'request', texts),
  event(to, 'end', texts),
]

const ended = entry(900, 'stopped', { outcome: 'exited' })

const night = (
  entries: readonly StoredEntry[],
  events: readonly ModelEvent[],
  marks: readonly Mark[] = [],
): Night => ({
  cli: 'claude',
  scenes,
  entries,
  events,
  marks,
  limits: [],
  isBlind: false,
})

const [one, two] = [prompt(short, 1), prompt(short, 2)]
const good = [
  ...typed(100, 110, short, 1),
  entry(200, 'turn_ended', { after: 'turn' }),
  ...typed(300, 310, short, 2),
  ended,
]
const answered = [...turn(109, 190, [one]), ...turn(309, 390, [one, two])]
const wrong = (of: Night) => wrongOf(of, typingOf(of))

describe('what was typed', () => {
  test('is what the model was asked', () => {
    expect(typingOf(night(good, answered))).toMatchObject({
      typed: 2,
      asked: 2,
      doubles: 0,
      unasked: 0,
      untold: 0,
    })
    expect(wrong(night(good, answered))).toEqual([])
  })

  test('twice is seen at the model', () => {
    const events = [...turn(109, 190, [one]), ...turn(309, 390, [one, one, two])]
    expect(wrong(night(good, events))).toEqual(['doubles: 1'])
  })

  test('while a turn went on is seen by the model’s own times', () => {
    expect(wrong(night(good, [...turn(109, 305, [one]), ...turn(309, 390, [one, two])]))).toEqual([
      'whileWorking: 1',
    ])
  })

  test('while a subagent, which has no number, was asked', () => {
    expect(wrong(night(good, [...answered, ...turn(295, 320, ['[[bash:3]] please'])]))).toEqual([
      'whileWorking: 1',
    ])
  })

  test('and never came to the model, or came from nobody', () => {
    expect(wrong(night(good, turn(109, 190, [one])))).toEqual(['unasked: 1'])
    expect(wrong(night(good, [...answered, ...turn(500, 510, [one, two, prompt(short, 3)])]))).toEqual([
      'untold: 1',
    ])
  })

  test('into a dialog is seen by the call that the model made', () => {
    const asking = {
      endsTurn: false,
      request: {
        kind: 'main',
        id: 1,
        step: 0,
        directive: { name: 'touch' },
        turns: [{ role: 'user', text: one }],
      },
    }
    const events = [
      event(109, 'request', [one]),
      event(150, 'end', [one], asking),
      ...turn(305, 306, [one]),
      ...turn(309, 390, [one, two]),
    ]
    expect(typingOf(night(good, events)).intoDialogs).toBe(1)
  })
})

describe('what the history tells of a scene', () => {
  const resultOf = (name: string, of: Night) => scenesResults(of).find(scene => scene.name === name)
  const permission = 'a permission'
  const about = (deeds: readonly StoredEntry[]) => [
    ...typed(100, 110, permission, 1),
    ...deeds,
    ...typed(300, 310, short, 2),
    ended,
  ]
  const end = entry(200, 'turn_ended', { after: 'turn' })
  const yes: Mark = { at: 150, did: 'answered', kind: 'permission' }

  test('a dialog is told with its kind, and answered by its person', () => {
    const told = about([entry(140, 'blocked', { for: 'permission' }), end])
    expect(resultOf(permission, night(told, [], [yes]))).toMatchObject({ times: 1, right: 1 })
    expect(resultOf(permission, night(about([end]), [], [yes]))).toMatchObject({ right: 0 })
    const other = about([entry(140, 'blocked', { for: 'question' }), end])
    expect(resultOf(permission, night(other, [], [yes]))).toMatchObject({ right: 0 })
    expect(resultOf(permission, night(told, []))).toMatchObject({ right: 0 })
  })

  test('nothing is typed between a person’s Esc and their word', () => {
    const name = 'an interrupt'
    const marks: Mark[] = [
      { at: 150, did: 'interrupted' },
      { at: 250, did: 'resumed' },
    ]
    const deeds = [entry(160, 'paused', { by: 'interrupted' }), entry(255, 'resumed')]
    const of = (more: readonly StoredEntry[]) => [
      ...typed(100, 110, name, 1),
      ...more,
      ...typed(300, 310, short, 2),
      ended,
    ]
    expect(resultOf(name, night(of(deeds), [], marks))).toMatchObject({ right: 1 })
    const early = [deeds[0], entry(200, 'sending', { step: 0 }), deeds[1]] as StoredEntry[]
    expect(resultOf(name, night(of(early), [], marks))).toMatchObject({ right: 0 })
    expect(resultOf(name, night(of([]), [], marks))).toMatchObject({ right: 0 })
  })

  test('a crash is followed by one start, and a clean exit by none', () => {
    const killed: Mark = { at: 150, did: 'killed' }
    expect(wrong(night([...good, entry(950, 'relaunch')], answered))).toEqual(['1 relaunches of 0 crashes'])
    expect(wrong(night(good, answered, [killed]))).toEqual(['0 relaunches of 1 crashes'])
  })
})
