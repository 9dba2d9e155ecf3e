/** What a destination is told, in words and as JSON. */
import { expect, test } from 'vitest'
import { compose } from '../../src/notify/step/compose-step.ts'
import type { NotifyItem, NotifyMessage, Occasion } from '../../src/notify/step/notify-state.ts'

const now = 100_000
const item = (session: string, occasion: Partial<Occasion> = {}, more: object = {}): NotifyItem => ({
  key: `key ${session}`,
  session,
  occasion: { is: 'waiting', for: 'permission', since: 40_000, ...occasion },
  subject: { agent: 'claude', who: `claude ${session}`, what: 'waiting', go: `lull go ${session}`, ...more },
  isUrgent: false,
})
const message = (items: readonly NotifyItem[], more: Partial<NotifyMessage> = {}): NotifyMessage => ({
  id: 'run-1',
  to: 'desk',
  items,
  is: 'sending',
  attempt: 1,
  at: now,
  ...more,
})
const told = (...items: readonly NotifyItem[]) => compose(message(items), now)

test('of one: who and what, the question, where and how long, how to get there', () => {
  const known = { name: 'web', place: '~/api', quote: 'npm publish' }
  expect(told(item('a', {}, known))).toEqual({
    id: 'run-1',
    withdrawn: false,
    urgent: false,
    title: 'claude a: waiting',
    text: '“npm publish”\n~/api, for 1 min\nlull go a',
    count: 1,
    sessions: [
      {
        id: 'a',
        agent: 'claude',
        name: 'web',
        folder: '~/api',
        is: 'waiting',
        for: 'permission',
        what: 'waiting',
        quote: 'npm publish',
        held: 60,
        go: 'lull go a',
      },
    ],
  })
})

test('what is not known is not told', () => {
  const done: NotifyItem = item('a', { is: 'done', since: 99_500, turn: 1, lasted: 90_000 })
  const { for: _, ...occasion } = done.occasion
  const { text, sessions } = told({ ...done, occasion })
  expect(text).toBe('for 0.5 s, after 1 min 30 s\nlull go a')
  expect(sessions).toStrictEqual([
    { id: 'a', agent: 'claude', is: 'done', what: 'waiting', held: 0.5, go: 'lull go a' },
  ])
  expect(told(item('a', { lasted: 5000 }, { place: '~/api' })).text).toContain(
    '~/api, for 1 min, after 5.0 s',
  )
})

test('a clock that was set back makes no time negative', () => {
  const early = told(item('a', { since: now + 5000 }))
  expect(early.text).toContain('for 0.0 s')
  expect(early.sessions[0]?.held).toBe(0)
})

test('one of them is urgent: so is the message', () => {
  expect(told(item('a'), { ...item('b'), isUrgent: true }).urgent).toBe(true)
})

test('that it is over: of one, and of several', () => {
  const over = (...items: readonly NotifyItem[]) => compose(message(items, { isOver: true }), now)
  expect(over(item('a'))).toMatchObject({ withdrawn: true, title: 'over: claude a: waiting' })
  expect(over(item('a'), item('b'))).toMatchObject({
    withdrawn: true,
    title: 'over: 2 sessions: 2 wait for you',
  })
})

test.each([
  ['waiting', '1 waits for you', '2 wait for you'],
  ['stuck', '1 is stuck', '2 are stuck'],
  ['failed', '1 failed', '2 failed'],
  ['limited', '1 is limited', '2 are limited'],
  ['done', '1 is done', '2 are done'],
  ['exited', '1 has exited', '2 have exited'],
] as const)('of several each kind is counted: %s', (is, one, two) => {
  const other = is === 'waiting' ? 'stuck' : 'waiting'
  const title = told(item('a', { is }), item('b', { is: other }), item('c', { is: other })).title
  expect(title.split(/: |, /)).toContain(one)
  expect(told(item('a', { is }), item('b', { is })).title).toBe(`2 sessions: ${two}`)
})

test('of many eight are named, by their place or else their id', () => {
  const items = Array.from({ length: 10 }, (_, n) => item(`s${n}`, {}, n === 0 ? { place: '~/api' } : {}))
  const lines = told(...items).text.split('\n')
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe('claude s0: waiting (~/api)')
  expect(lines[7]).toBe('claude s7: waiting (s7)')
  expect(lines.slice(8)).toEqual(['… and 2 more', 'lull ps --needs-me'])
  expect(told(...items.slice(0, 8)).text.split('\n')).toHaveLength(9)
})
