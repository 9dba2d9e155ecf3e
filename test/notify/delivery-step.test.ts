/** What comes of a message: it is known by its destination's name for it, tried again, withdrawn, let be. */
import { describe, expect, test } from 'vitest'
import type { NotifyInput, NotifyMessage } from '../../src/notify/step/notify-state.ts'
import { newNotify, notifyStep } from '../../src/notify/step/notify-step.ts'
import { notifyWorld, rulesOf, sightingOf } from '../support/notify.ts'

const desk = 'to: {desk: {desktop: true}}'
const permission = { is: 'waiting', for: 'permission' } as const
const second = 1000

type World = ReturnType<typeof notifyWorld>
const begun = (yaml: string, options?: Parameters<typeof notifyWorld>[1]): World => {
  const world = notifyWorld(yaml, options)
  world.begin()
  return world
}
/** Its message is on its way, and nobody has answered. */
const onItsWay = (yaml = desk): World => {
  const world = begun(yaml, { came: () => 'hangs' })
  world.sees('a', permission)
  world.advance(11 * second)
  return world
}
const message = (world: World): NotifyMessage => world.state().messages[0] as NotifyMessage
const notes = (world: World, input: Partial<NotifyInput>) =>
  notifyStep(world.state(), { now: world.now(), minute: 720, ...input } as NotifyInput).effects.flatMap(
    one => (one.do === 'note' ? [`${one.what} ${one.message.id}`] : []),
  )

describe('what arrived', () => {
  test('is noted, and known by the name that its destination gave it', () => {
    const world = onItsWay()
    const { id } = message(world)
    expect(notes(world, { type: 'delivered', message: id })).toEqual([`sent ${id}`])
    world.feed({ type: 'delivered', message: id, ref: 'n7' })
    expect(message(world)).toMatchObject({ is: 'delivered', ref: 'n7' })
    const nameless = onItsWay()
    nameless.feed({ type: 'delivered', message: id })
    expect(message(nameless)).not.toHaveProperty('ref')
  })

  test.each(['delivered', 'failed', 'kept'] as const)(
    'of another message, or twice, changes nothing: %s',
    type => {
      const world = onItsWay()
      const { messages } = world.state()
      world.feed({ type, message: 'run0-99', why: 'no' } as never)
      expect(world.state().messages).toEqual(messages)
      world.feed({ type: 'delivered', message: message(world).id })
      const delivered = world.state().messages
      world.feed({ type, message: message(world).id, why: 'no' } as never)
      expect(world.state().messages).toEqual(delivered)
    },
  )

  test('is withdrawn once it is over, which is noted, and forgotten then', () => {
    const world = onItsWay()
    const { id } = message(world)
    world.feed({ type: 'delivered', message: id })
    world.sees('a')
    expect(message(world)).toMatchObject({ isOver: true, is: 'sending', attempt: 1 })
    expect(notes(world, { type: 'delivered', message: id })).toEqual([`withdrawn ${id}`])
    world.feed({ type: 'delivered', message: id })
    expect(world.state().messages).toEqual([])
  })

  test('is let be where its destination can take nothing back', () => {
    const world = onItsWay()
    world.feed({ type: 'delivered', message: message(world).id })
    world.sees('a')
    world.feed({ type: 'kept', message: message(world).id })
    expect(world.state().messages).toEqual([])
  })
})

describe('what could not be delivered', () => {
  const refused = (yaml: string, minute: number, options: Parameters<typeof notifyWorld>[1] = {}) =>
    begun(yaml, { came: (_, now) => (now < 14 * second ? 'failed' : undefined), minute, ...options })

  test('tells, when it is tried again, of what still is so alone', () => {
    const world = refused(`${desk}\ndigest: {more_than: 1, within: 60s}`, 720)
    for (const id of ['a', 'b']) world.sees(id, permission)
    world.advance(12 * second)
    world.sees('a')
    world.advance(60 * second)
    expect(world.log).toMatchObject([{ of: ['b'], attempt: 3 }])
  })

  test('waits for the end of quiet hours, which what is urgent does not', () => {
    const quiet = 'quiet: {from: "12:00", to: "12:05"}'
    const from = 12 * 60 - 1
    const world = refused(`${desk}\n${quiet}`, from, {
      came: (_, now) => (now < 70_000 ? 'failed' : undefined),
    })
    world.advance(45 * second)
    world.sees('a', permission)
    world.advance(15 * 60 * second)
    expect(world.log).toHaveLength(1)
    expect(world.log[0]?.at).toBeGreaterThanOrEqual(6 * 60 * second)
    expect(world.log[0]?.at).toBeLessThanOrEqual(6 * 60 * second + 31 * second)

    const urgent = refused(`${desk}\n${quiet}\nrules: [{when: waiting, urgent: true}]`, from, {
      came: (_, now) => (now < 70_000 ? 'failed' : undefined),
    })
    urgent.advance(45 * second)
    urgent.sees('a', permission)
    urgent.advance(60 * second)
    expect(urgent.log).toHaveLength(1)
  })

  test('and is urgent in part does not wait either', () => {
    const yaml = `${desk}
quiet: {from: "12:00", to: "12:05"}
digest: {more_than: 1, within: 60s}
rules: [{when: stuck, after: 10s}, {when: waiting, after: 10s, urgent: true}]`
    const world = refused(yaml, 12 * 60 - 1, { came: (_, now) => (now < 70_000 ? 'failed' : undefined) })
    world.advance(45 * second)
    world.sees('a', { is: 'stuck' })
    world.sees('b', permission)
    world.advance(60 * second)
    expect(world.log).toMatchObject([{ of: ['a', 'b'] }])
  })

  test('is dropped when it is over, and another that waits is not', () => {
    const world = refused(desk, 720)
    for (const id of ['a', 'b']) world.sees(id, permission)
    world.advance(11 * second)
    world.sees('a')
    expect(world.state().messages.map(({ items }) => items[0]?.session)).toEqual(['b'])
  })
})

describe('one of several messages', () => {
  const both = (came: (message: NotifyMessage) => 'failed' | undefined) => {
    const world = begun(desk, { came })
    for (const id of ['a', 'b']) world.sees(id, permission)
    return world
  }
  const sessions = (world: World) => world.state().messages.map(({ items }) => items[0]?.session)

  test('that is withdrawn, or given up, leaves the others', () => {
    const withdrawn = both(() => undefined)
    withdrawn.advance(11 * second)
    withdrawn.sees('a')
    expect(sessions(withdrawn)).toEqual(['b'])
    const refused = both(({ items }) => (items[0]?.session === 'a' ? 'failed' : undefined))
    refused.advance(3600 * second)
    expect(sessions(refused)).toEqual(['b'])
  })
})

describe('an end of a program', () => {
  const exits = `${desk}\nrules: [{when: [waiting, exited], after: 1s}]`

  test('is nothing that anybody answers: it is not withdrawn', () => {
    const world = begun(exits)
    world.sees('a', { is: 'exited' })
    world.advance(5 * second)
    world.gone('a')
    world.advance(60 * second)
    expect(world.log.map(({ what }) => what)).toEqual(['sent'])
    expect(world.state().messages).toEqual([])
  })

  test('is told again where it could not be delivered at first', () => {
    const world = begun(exits, { came: (_, now) => (now < 3 * second ? 'failed' : undefined) })
    world.sees('a', { is: 'exited' })
    world.advance(2 * second)
    world.gone('a')
    world.advance(60 * second)
    expect(world.log).toMatchObject([{ of: ['a'], what: 'sent' }])
  })

  test('in one message with what waits: withdrawn once nothing waits any more', () => {
    const world = begun(`${exits}\ndigest: {more_than: 1, within: 60s}`)
    world.sees('a', { is: 'exited' })
    world.sees('b', permission)
    world.advance(5 * second)
    world.sees('b')
    expect(world.log.map(({ what, of }) => [what, ...of])).toEqual([
      ['sent', 'a', 'b'],
      ['withdrawn', 'a', 'b'],
    ])
  })
})

describe('quiet hours', () => {
  test('let through what is urgent of what came together, and keep the rest until their end', () => {
    const yaml = `${desk}
quiet: {from: "12:00", to: "13:00"}
rules: [{when: stuck, after: 10s, urgent: true}, {when: waiting, after: 10s}]`
    const world = begun(yaml)
    world.sees('a', permission)
    world.sees('b', { is: 'stuck' })
    world.sees('c', permission)
    world.advance(60 * second)
    expect(world.log.map(({ of }) => of)).toEqual([['b']])
    expect(world.state().buckets.desk).toMatchObject({ isHeld: true })
    world.advance(3600 * second)
    expect(world.log.map(({ of }) => of)).toEqual([['b'], ['a', 'c']])
    expect(world.state().buckets).toEqual({})
  })
})

describe('what waits for others of its moment', () => {
  test('waits for a second, though more comes all the time', () => {
    const world = begun(`${desk}\nrules: [{when: waiting, after: 0s}]`)
    for (let n = 0; n < 16; n++) {
      world.sees(`s${n}`, permission)
      world.advance(250)
    }
    expect(world.log[0]?.at).toBeLessThanOrEqual(1300)
  })

  test('is no message where all of it is over at the end of quiet hours', () => {
    const world = begun(`${desk}\nquiet: {from: "12:00", to: "12:05"}`)
    world.sees('a', permission)
    world.advance(60 * second)
    world.sees('a')
    world.advance(600 * second)
    expect(world.log).toEqual([])
    expect(world.state().messages).toEqual([])
  })
})

describe('digests', () => {
  test('end with the storm: what comes later comes by itself again', () => {
    const world = begun(`${desk}\ndigest: {more_than: 2, within: 20s}`)
    for (const id of ['a', 'b', 'c']) world.sees(id, permission)
    world.advance(40 * second)
    for (const id of ['d', 'e']) world.sees(id, permission)
    world.advance(40 * second)
    expect(world.log.map(({ of }) => of.length)).toEqual([3, 1, 1])
    expect(new Set(world.state().messages.map(({ id }) => id)).size).toBe(3)
  })
})

describe('rules that are read anew', () => {
  test('drop what was on its way, or waited, to a destination that is gone', () => {
    const world = begun('to: {desk: {desktop: true}, phone: {terminal: bell}}', { came: () => 'hangs' })
    world.sees('a', permission)
    world.advance(10 * second)
    world.feed({ type: 'rules', rules: rulesOf('to: {phone: {terminal: bell}}') })
    expect(Object.keys(world.state().buckets)).toEqual(['phone'])
    world.advance(second)
    expect(world.state().messages.map(({ to }) => to)).toEqual(['phone'])
    world.feed({ type: 'rules', rules: rulesOf('to: {phone: {terminal: bell}, team: {desktop: true}}') })
    expect(world.state().messages.map(({ to }) => to)).toEqual(['phone'])
    world.feed({ type: 'rules', rules: rulesOf(desk) })
    expect(world.state().messages).toEqual([])
  })
})

describe('a look for a person', () => {
  const asked = (): World => {
    const world = begun(desk)
    world.near.set('a', 0)
    world.sees('a', permission)
    return world
  }

  test('is asked for once, whatever is seen until it is answered', () => {
    const rules = rulesOf(`${desk}\nrules: [{when: waiting, after: 0s}]`)
    const input = { minute: 720, now: 5000 }
    const sighting = sightingOf('a', { ...permission, since: 0 })
    const first = notifyStep(newNotify(rules, 'run'), {
      ...input,
      type: 'snapshot',
      sessions: { a: sighting },
    })
    expect(first.effects).toMatchObject([{ do: 'look', session: 'a' }])
    const again = notifyStep(first.state, { ...input, type: 'seen', session: 'a', sighting })
    expect(again.effects).toEqual([])
  })

  test('that answers of another waiting, or was not asked for, changes nothing', () => {
    const world = asked()
    const { state } = world
    const before = state().sessions
    world.feed({ type: 'looked', session: 'a', key: 'another' })
    world.feed({ type: 'looked', session: 'nobody', key: 'another' })
    world.feed({ type: 'looked', session: 'a', key: before.a?.key ?? '' })
    expect(state().sessions).toEqual(before)
    expect(world.log).toEqual([])
  })
})

describe('what an earlier host told of', () => {
  const told = (): readonly NotifyMessage[] => {
    const before = begun(`${desk}\ndigest: {more_than: 1, within: 60s}`)
    for (const id of ['a', 'b']) before.sees(id, permission)
    before.advance(30 * second)
    return before.state().messages
  }

  test('is known of each session of a digest, and of no other', () => {
    expect(told()).toHaveLength(1)
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    const waits = { ...permission, since: 0 }
    world.begin({ a: sightingOf('a', waits), b: sightingOf('b', waits), c: sightingOf('c', waits) })
    world.advance(60 * second)
    expect(world.log.map(({ of }) => of)).toEqual([['c']])
  })

  test('is the same, where this host reads a little otherwise since when it is so', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    world.begin({ a: sightingOf('a', { ...permission, since: 500 }) })
    world.advance(60 * second)
    expect(world.sent()).toEqual([])
  })

  test('is no reason to be silent about another state', () => {
    const world = notifyWorld(desk, { sent: told(), from: 100 * second })
    world.begin({
      a: sightingOf('a', { is: 'stuck', since: 0 }),
      b: sightingOf('b', { ...permission, since: 0 }),
    })
    world.advance(60 * second)
    expect(world.sent().map(({ of }) => of)).toEqual([['a']])
  })
})
