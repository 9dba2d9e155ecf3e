/** Which rules want a session told of, where and when; and what is the same waiting as before. */
import { describe, expect, test } from 'vitest'
import type { NotifyRule } from '../../src/notify/rules/notify-fields.ts'
import { continues, duesOf } from '../../src/notify/step/gather-step.ts'
import type { Occasion } from '../../src/notify/step/notify-state.ts'
import { sightingOf } from '../support/notify.ts'

const rule = (more: Partial<NotifyRule>): NotifyRule => ({
  when: ['waiting'],
  after: 10,
  to: ['desk'],
  isUrgent: false,
  ...more,
})
const waiting: Occasion = { is: 'waiting', for: 'permission', since: 1000 }
const dues = (rules: readonly Partial<NotifyRule>[], occasion: Occasion = waiting, cwd?: string) =>
  duesOf(sightingOf('a', occasion, cwd), rules.map(rule)).map(
    ({ to, at, isUrgent }) => `${to} ${at}${isUrgent ? '!' : ''}`,
  )

describe('who is told when', () => {
  test.each<[string, readonly Partial<NotifyRule>[], readonly string[]]>([
    ['each destination of a rule', [{ to: ['desk', 'phone'] }], ['desk 1010', 'phone 1010']],
    [
      'the first that falls due comes first',
      [{ after: 60 }, { after: 5, to: ['phone'] }],
      ['phone 1005', 'desk 1060'],
    ],
    ['a destination once, by the first that falls due', [{ after: 60 }, { after: 5 }], ['desk 1005']],
    [
      'once more by a later one that is urgent',
      [{ after: 60, isUrgent: true }, {}],
      ['desk 1010', 'desk 1060!'],
    ],
    [
      'not once more where the urgent one was first',
      [{ isUrgent: true }, { after: 60, isUrgent: true }, { after: 70 }],
      ['desk 1010!'],
    ],
    ['of two at once the urgent one', [{}, { isUrgent: true }], ['desk 1010!']],
    ['another state', [{ when: ['stuck', 'done'] }], []],
    ['the kind of waiting', [{ for: ['permission'] }, { for: ['question'], to: ['phone'] }], ['desk 1010']],
    ['the agent', [{ agents: ['claude'] }, { agents: ['codex'], to: ['phone'] }], ['desk 1010']],
    [
      'one of the folders, and what is below',
      [{ folders: ['/srv', '/home/dev'] }, { folders: ['/home/de'], to: ['phone'] }],
      ['desk 1010'],
    ],
    [
      'the folder itself',
      [{ folders: ['/home/dev/api'] }, { folders: ['/home/dev/api/src'], to: ['phone'] }],
      ['desk 1010'],
    ],
  ])('%s', (_, rules, expected) => expect(dues(rules)).toEqual(expected))

  test('the kind of waiting is asked of what waits alone', () => {
    const rules = [{ when: ['waiting', 'stuck'], for: ['plan'] }] as const
    expect(dues(rules, { is: 'stuck', since: 0 })).toEqual(['desk 10'])
    expect(dues(rules)).toEqual([])
  })

  test('a session whose folder nobody knows is below none', () => {
    const { subject, ...sighting } = sightingOf('a', waiting)
    const { cwd: _, ...unknown } = subject
    expect(duesOf({ ...sighting, subject: unknown }, [rule({ folders: ['/'] })])).toEqual([])
    expect(dues([{ folders: ['/'] }])).toEqual(['desk 1010'])
  })

  test.each<[Occasion['is'], number | undefined, number | undefined, boolean]>([
    ['done', undefined, 60_000, true],
    ['done', undefined, 59_999, false],
    ['done', 5000, 5000, true],
    ['done', undefined, undefined, false],
    ['failed', undefined, 0, true],
    ['failed', undefined, undefined, true],
    ['failed', 5000, 4999, false],
  ])('%s, where a rule asks for %s ms and the turn lasted %s', (is, least, lasted, isTold) => {
    const one = { when: [is], ...(least === undefined ? {} : { lasted: least }) }
    expect(dues([one], { is, since: 0, turn: 1, ...(lasted === undefined ? {} : { lasted }) })).toHaveLength(
      isTold ? 1 : 0,
    )
  })

  test('nobody of what is no occasion', () => expect(duesOf(sightingOf('a'), [rule({})])).toEqual([]))
})

describe('the same waiting as before', () => {
  const one = (is: Occasion['is'], more: Partial<Occasion> = {}): Occasion => ({ is, since: 0, ...more })
  test.each<[string, Occasion | undefined, Occasion, boolean]>([
    ['nothing before', undefined, one('waiting'), false],
    ['another state', one('stuck'), one('waiting'), false],
    ['since the same moment', one('waiting', { for: 'plan' }), one('waiting', { for: 'question' }), true],
    [
      'the same kind later',
      one('waiting', { for: 'plan' }),
      one('waiting', { for: 'plan', since: 5 }),
      false,
    ],
    [
      'a dialog that gets its name',
      one('waiting', { for: 'dialog' }),
      one('waiting', { for: 'plan', since: 5 }),
      true,
    ],
    [
      'a dialog that loses its name',
      one('waiting', { for: 'plan' }),
      one('waiting', { for: 'dialog', since: 5 }),
      true,
    ],
    ['another dialog', one('waiting', { for: 'dialog' }), one('waiting', { for: 'dialog', since: 5 }), false],
    ['another kind', one('waiting', { for: 'plan' }), one('waiting', { for: 'question', since: 5 }), false],
    ['stuck, since whenever', one('stuck'), one('stuck', { since: 5 }), true],
    ['exited, since whenever', one('exited'), one('exited', { since: 5 }), true],
    ['the end of one turn', one('done', { turn: 1 }), one('done', { turn: 1, since: 5 }), true],
    ['the ends of two', one('done', { turn: 1 }), one('done', { turn: 2 }), false],
    ['a failure of one turn', one('failed', { turn: 1 }), one('failed', { turn: 1, since: 5 }), true],
    ['failures of two', one('failed', { turn: 1 }), one('failed', { turn: 2 }), false],
    ['a limit of one turn', one('limited', { turn: 1 }), one('limited', { turn: 1, since: 5 }), true],
    ['limits of two', one('limited', { turn: 1 }), one('limited', { turn: 2 }), false],
  ])('%s', (_, before, now, is) => expect(continues(before, now)).toBe(is))
})
