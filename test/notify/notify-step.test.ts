import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryMs } from '../../src/notify/step/delivery-step.ts'
import { notifyWorld, rulesOf, sightingOf } from '../support/notify.ts'

const desk = 'to: {desk: {desktop: true}}'
const permission = { is: 'waiting', for: 'permission' } as const
const at = (yaml: string, options?: Parameters<typeof notifyWorld>[1]) => {
  const world = notifyWorld(yaml, options)
  world.begin()
  return world
}
const second = 1000

describe('what is told', () => {
  test('who waits for ten seconds, once', () => {
    const world = at(desk)
    world.sees('a', permission)
    world.advance(9 * second)
    expect(world.log).toEqual([])
    world.advance(2 * second)
    expect(world.log).toMatchObject([{ what: 'sent', to: 'desk', of: ['a'] }])
    world.advance(3600 * second)
    expect(world.log).toHaveLength(1)
  })

  test('nobody who was answered before', () => {
    const world = at(desk)
    world.sees('a', permission)
    world.advance(9 * second)
    world.sees('a')
    world.advance(60 * second)
    expect(world.log).toEqual([])
  })

  test('nobody who was answered in the moment in which others are waited for', () => {
    const world = at(desk)
    world.sees('a', permission)
    world.advance(10 * second)
    world.sees('a')
    world.advance(60 * second)
    expect(world.log).toEqual([])
  })

  test('that it is over, where it was told', () => {
    const world = at(desk)
    world.sees('a', permission)
    world.advance(11 * second)
    world.sees('a')
    expect(world.log).toMatchObject([
      { what: 'sent', of: ['a'] },
      { what: 'withdrawn', of: ['a'], title: 'over: claude a: waiting' },
    ])
    world.sees('a', permission)
    world.advance(11 * second)
    expect(world.sent()).toHaveLength(2)
  })

  test('a dialog that gets its name is the same waiting', () => {
    const world = at(desk)
    world.sees('a', { is: 'waiting', for: 'dialog' })
    world.advance(11 * second)
    world.sees('a', permission)
    world.advance(60 * second)
    expect(world.log).toHaveLength(1)
  })

  test('another question is another waiting', () => {
    const world = at(desk)
    world.sees('a', permission)
    world.advance(11 * second)
    world.sees('a', { is: 'waiting', for: 'question' })
    world.advance(11 * second)
    expect(world.log.map(({ what }) => what)).toEqual(['sent', 'withdrawn', 'sent'])
  })

  test('done after a turn of a minute, stuck and failed at any time', () => {
    const world = at(desk)
    world.sees('short', { is: 'done', turn: 1, lasted: 59 * second })
    world.sees('unknown', { is: 'done', turn: 1 })
    world.sees('long', { is: 'done', turn: 1, lasted: 60 * second })
    world.sees('failed', { is: 'failed', turn: 1, lasted: second })
    world.sees('stuck', { is: 'stuck' })
    world.sees('gone', { is: 'exited' })
    world.advance(11 * second)
    expect(world.log.flatMap(({ of }) => of).sort()).toEqual(['failed', 'long', 'stuck'])
  })

  test('by rules of state, kind, time, folder and agent, to those whom they name', () => {
    const world = at(`
to: {desk: {desktop: true}, phone: {ntfy: "http://127.0.0.1/x"}, team: {webhook: "http://127.0.0.1/y"}}
rules:
  - {when: waiting, for: [permission, plan], after: 5s, to: desk}
  - {when: waiting, after: 60s, to: phone}
  - {when: [stuck, exited], folder: ~/web, agent: claude, after: 0s, to: team}
`)
    world.sees('permission', permission)
    world.sees('question', { is: 'waiting', for: 'question' })
    world.feed({
      type: 'seen',
      session: 'web',
      sighting: sightingOf('web', { is: 'exited', since: 0 }, '/home/dev/web/deep'),
    })
    world.feed({
      type: 'seen',
      session: 'website',
      sighting: sightingOf('website', { is: 'exited', since: 0 }, '/home/dev/website'),
    })
    world.advance(120 * second)
    expect(world.log.map(({ to, of }) => [to, ...of])).toEqual([
      ['team', 'web'],
      ['desk', 'permission'],
      ['phone', 'permission'],
      ['phone', 'question'],
    ])
  })

  test('what has exited, though it is forgotten meanwhile', () => {
    const world = at(`${desk}\nrules: [{when: exited, after: 0s}]`)
    world.sees('a', { is: 'exited' })
    world.gone('a')
    world.advance(60 * second)
    expect(world.log).toMatchObject([{ what: 'sent', of: ['a'] }])
  })
})

describe('a person who is there', () => {
  test('is not told while they type, and is once they have left', () => {
    const world = at(desk)
    world.near.set('a', 40 * second)
    world.sees('a', permission)
    world.advance(39 * second)
    // A key was pressed since.
    world.near.set('a', 70 * second)
    world.advance(30 * second)
    expect(world.log).toEqual([])
    world.near.delete('a')
    world.advance(2 * second)
    expect(world.log).toMatchObject([{ of: ['a'], at: expect.closeTo(70 * second, -3) }])
  })
})

describe('a storm', () => {
  test('of a hundred is one message with all of them', () => {
    const world = at(desk)
    for (let n = 0; n < 100; n++) world.sees(`s${n}`, n < 60 ? permission : { is: 'stuck' })
    world.advance(60 * second)
    expect(world.log).toMatchObject([
      { title: '100 sessions: 60 wait for you, 40 are stuck', at: expect.any(Number) },
    ])
    expect(world.log[0]?.at).toBeLessThanOrEqual(11 * second)
    expect(new Set(world.log[0]?.of).size).toBe(100)
  })

  test('is withdrawn once all of it is over, and not before', () => {
    const world = at(desk)
    for (let n = 0; n < 10; n++) world.sees(`s${n}`, permission)
    world.advance(12 * second)
    for (let n = 0; n < 9; n++) world.sees(`s${n}`)
    expect(world.log).toHaveLength(1)
    world.sees('s9')
    expect(world.log[1]).toMatchObject({ what: 'withdrawn' })
  })

  test('that goes on is no more than five messages in half a minute', () => {
    const world = at(desk)
    for (let n = 0; n < 100; n++) {
      world.sees(`s${n}`, permission)
      world.advance(2 * second)
    }
    world.advance(60 * second)
    expect(world.log.flatMap(({ of }) => of)).toHaveLength(100)
    for (const { at: from } of world.log)
      expect(world.log.filter(one => one.at >= from && one.at < from + 30 * second).length).toBeLessThan(6)
  })

  test('five at once are five', () => {
    const world = at(desk)
    for (let n = 0; n < 5; n++) world.sees(`s${n}`, permission)
    world.advance(12 * second)
    expect(world.log).toHaveLength(5)
  })
})

describe('quiet hours', () => {
  const quiet = `${desk}\nquiet: {from: "22:00", to: "07:00"}`

  test('hold back, and what is still so at their end is one message', () => {
    const world = at(quiet, { minute: 23 * 60 })
    for (const id of ['a', 'b', 'c']) world.sees(id, permission)
    world.advance(3600 * second)
    world.sees('c')
    expect(world.log).toEqual([])
    world.advance(8 * 3600 * second)
    expect(world.log).toMatchObject([{ title: '2 sessions: 2 wait for you', of: ['a', 'b'] }])
    expect(world.log[0]?.at).toBeGreaterThanOrEqual(8 * 3600 * second)
    expect(world.log[0]?.at).toBeLessThanOrEqual(8 * 3600 * second + 31 * second)
  })

  test('do not hold back what is urgent, though it was held back by a rule before', () => {
    const world = at(`${quiet}\nrules: [{when: waiting}, {when: waiting, after: 10m, urgent: true}]`, {
      minute: 23 * 60,
    })
    world.sees('a', permission)
    world.advance(9 * 60 * second)
    expect(world.log).toEqual([])
    world.advance(2 * 60 * second)
    expect(world.log).toMatchObject([{ of: ['a'], isUrgent: true }])
    world.advance(10 * 3600 * second)
    expect(world.log).toHaveLength(1)
  })

  test('end when the clock of the wall says so, though the machine slept', () => {
    const world = at(quiet, { minute: 23 * 60 })
    world.sees('a', permission)
    world.advance(60 * second)
    world.leap(9 * 60)
    world.advance(31 * second)
    expect(world.log).toHaveLength(1)
  })
})

describe('a delivery that fails', () => {
  test('is tried again after longer and longer, and given up', () => {
    const tries: number[] = []
    const world = at(desk, {
      came: (_, now) => {
        tries.push(now)
        return 'failed'
      },
    })
    world.sees('a', permission)
    world.advance(3600 * second)
    expect(tries.map((one, n) => one - (tries[n - 1] ?? one))).toEqual([0, ...retryMs])
    expect(world.failures).toEqual([...retryMs.map(ms => `desk ${ms}`), 'desk given up'])
    expect(world.log).toEqual([])
  })

  test('is not tried again once it is over', () => {
    let tries = 0
    const world = at(desk, {
      came: () => {
        tries++
        return 'failed'
      },
    })
    world.sees('a', permission)
    world.advance(11 * second)
    world.sees('a')
    world.advance(3600 * second)
    expect(tries).toBe(1)
    expect(world.log).toEqual([])
  })

  test('that hangs while it is answered is withdrawn once it has arrived', () => {
    const world = at(desk, { came: ({ isOver }) => (isOver ? undefined : 'hangs') })
    world.sees('a', permission)
    world.advance(11 * second)
    world.sees('a')
    expect(world.log).toEqual([])
    world.feed({ type: 'delivered', message: world.state().messages[0]?.id ?? '' })
    expect(world.log).toMatchObject([{ what: 'withdrawn' }])
  })
})

test('a withdrawal that fails is tried again as well, and in quiet hours', () => {
  let tries = 0
  const world = at(`${desk}\nquiet: {from: "12:01", to: "13:00"}`, {
    came: ({ isOver }) => (isOver && ++tries < 3 ? 'failed' : undefined),
  })
  world.sees('a', permission)
  world.advance(70 * second)
  world.sees('a')
  world.advance(10 * second)
  expect(tries).toBe(3)
  expect(world.log.map(({ what }) => what)).toEqual(['sent', 'withdrawn'])
  expect(world.state().messages).toEqual([])
})

describe('a restart of the host', () => {
  const told = () => {
    const before = at(desk)
    before.sees('a', permission)
    before.advance(60 * second)
    return before.state().messages
  }

  test('tells nothing again', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    world.begin({ a: sightingOf('a', { ...permission, since: 0 }) })
    world.advance(3600 * second)
    expect(world.log).toEqual([])
    world.sees('a')
    expect(world.log).toMatchObject([{ what: 'withdrawn', of: ['a'] }])
  })

  test('nor where it does not know since when it is so', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    world.begin({ a: { ...sightingOf('a', { ...permission, since: 100 * second }), isSinceLook: true } })
    world.advance(3600 * second)
    expect(world.log).toEqual([])
  })

  test('nor while nobody knows what it does, and tells of what begins then', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    const unclear = { ...sightingOf('a'), isUnclear: true } as const
    world.begin({ a: unclear })
    world.advance(60 * second)
    world.feed({ type: 'seen', session: 'a', sighting: sightingOf('a', { ...permission, since: 0 }) })
    world.advance(60 * second)
    world.feed({ type: 'seen', session: 'a', sighting: unclear })
    expect(world.log).toEqual([])
    world.sees('a', permission)
    world.advance(60 * second)
    expect(world.log.map(({ what }) => what)).toEqual(['withdrawn', 'sent'])
  })

  test('tells of what began in between, and withdraws what is over', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    world.begin({ a: sightingOf('a', { ...permission, since: 80 * second }) })
    expect(world.log).toMatchObject([{ what: 'withdrawn' }])
    world.advance(20 * second)
    expect(world.sent()).toHaveLength(1)
  })
})

test('rules that change hold at once, and destinations that are gone get nothing more', () => {
  const world = at(desk)
  world.sees('a', permission)
  world.feed({
    type: 'rules',
    rules: rulesOf('to: {phone: {terminal: bell}}\nrules: [{when: waiting, after: 20s}]'),
  })
  world.advance(15 * second)
  expect(world.log).toEqual([])
  world.advance(10 * second)
  expect(world.log).toMatchObject([{ to: 'phone' }])
})

test('after a long sleep of the machine what is due comes as one', () => {
  const world = at(desk)
  for (let n = 0; n < 50; n++) world.sees(`s${n}`, permission)
  world.sleep(86_400 * second)
  world.advance(60 * second)
  expect(world.log).toHaveLength(1)
})

describe('whatever happens', () => {
  const yaml = `
to: {desk: {desktop: true}, phone: {terminal: bell}}
rules:
  - {when: [waiting, stuck, done, failed, exited], after: 5s, to: desk, lasted: 0s}
  - {when: waiting, after: 20m, urgent: true}
quiet: {from: "13:00", to: "14:00"}
digest: {more_than: 3, within: 20s}
`
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const occasions = [
    permission,
    { is: 'waiting', for: 'question' },
    { is: 'stuck' },
    { is: 'done', turn: 1, lasted: 5 },
    { is: 'failed', turn: 2, lasted: 5 },
    { is: 'exited' },
  ] as const
  const act = fc.oneof(
    fc.record({
      do: fc.constant('sees' as const),
      id: fc.constantFrom(...ids),
      occasion: fc.option(fc.constantFrom(...occasions), { nil: undefined }),
    }),
    fc.record({ do: fc.constant('gone' as const), id: fc.constantFrom(...ids) }),
    fc.record({ do: fc.constant('advance' as const), s: fc.constantFrom(1, 3, 6, 30, 600, 1800) }),
    fc.record({ do: fc.constant('sleep' as const), s: fc.constantFrom(60, 4000) }),
  )

  test('nothing is told twice, withdrawn untold, told when it is over, or in quiet hours but what is urgent', () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 60 }),
        fc.infiniteStream(fc.constantFrom(undefined, undefined, 'failed' as const)),
        (acts, results) => {
          const open = new Map<string, string | undefined>()
          const world = notifyWorld(yaml, {
            came(message, now) {
              if (message.isOver) return results.next().value
              const minute = (12 * 60 + Math.floor(now / 60_000)) % 1440
              const isUrgent = message.items.some(item => item.isUrgent)
              expect(isUrgent || minute < 13 * 60 || minute >= 14 * 60).toBe(true)
              for (const { session, occasion } of message.items)
                if (occasion.is !== 'exited') expect(open.get(session)).toBe(occasion.is)
              return results.next().value
            },
          })
          world.begin()
          for (const one of acts) {
            if (one.do === 'sees') {
              open.set(one.id, one.occasion?.is)
              world.sees(one.id, one.occasion)
            } else if (one.do === 'gone') {
              open.delete(one.id)
              world.gone(one.id)
            } else if (one.do === 'advance') world.advance(one.s * second)
            else world.sleep(one.s * second)
          }
          for (const to of ['desk', 'phone']) {
            const sent = world.sent().filter(one => one.to === to)
            const keys = sent.flatMap(one => one.keys)
            expect(new Set(keys).size).toBe(keys.length)
            for (const { keys: of } of world.log.filter(one => one.to === to && one.what === 'withdrawn'))
              expect(of.every(key => keys.includes(key))).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a storm of any size, in any spread, is told whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 20 }),
        (gaps, most) => {
          const world = at(`${desk}\ndigest: {more_than: ${most}, within: 30s}`)
          for (const [n, gap] of gaps.entries()) {
            world.advance(gap)
            world.sees(`s${n}`, permission)
          }
          world.advance(3600 * second)
          expect(world.log.flatMap(({ of }) => of).sort()).toEqual(gaps.map((_, n) => `s${n}`).sort())
          for (const { at: from } of world.log)
            expect(
              world.log.filter(one => one.at >= from && one.at < from + 30 * second).length,
            ).toBeLessThanOrEqual(most)
        },
      ),
      { numRuns: 100 },
    )
  })
})
