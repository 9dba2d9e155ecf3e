/** Actions are done once, and stand in the history; what nobody knows of is said to be unknown, never done again. */
import { expect, test } from 'vitest'
import { type HistoryOptions, openHistory } from '../../src/history/open-history.ts'
import { type ApiAction, actionBook } from '../../src/serve/api-actions.ts'
import { hashOf } from '../../src/serve/tokens.ts'
import { newPlaces } from '../support/history.ts'

const action: ApiAction = { what: 'send', by: 'phone', text: 'go', request: 'send go', session: 'abcd1234' }
const keyed = { ...action, key: { token: 'hash of phone', text: 'k1' } }
const done = { status: 200, body: { confirmed: true } }

function book(options: HistoryOptions = {}) {
  const { places } = newPlaces()
  const history = openHistory(places, options)
  let at = 1000
  const open = () =>
    actionBook(
      () => history,
      () => ++at,
    )
  let count = 0
  const act = async () => {
    count++
    return done
  }
  return { history, open, act, count: () => count }
}

test('a key does it once, from the same process or the next one, and gives the same reply', async () => {
  const { open, act, count } = book()
  const first = open()
  const [one, other] = await Promise.all([first.run(keyed, act), first.run(keyed, act)])
  const later = await open().run(keyed, act)
  expect(one).toMatchObject({ status: 200, body: { confirmed: true, action: expect.any(String) } })
  expect([other, later]).toEqual([one, one])
  expect(count()).toBe(1)
})

test('a key does it once, though the history has forgotten it by a clock that was set', async () => {
  const { open, act, count } = book({ now: () => Date.now() + 366 * 86_400_000, kept: { everyMs: 0 } })
  const opened = open()
  const first = await opened.run(keyed, act)
  expect(await opened.run(keyed, act)).toEqual(first)
  await expect(opened.run({ ...keyed, request: 'send stop' }, act)).rejects.toMatchObject({
    code: 'KEY_REUSED',
  })
  expect(count()).toBe(1)
})

test('without a key it is done each time', async () => {
  const { open, act, count } = book()
  const opened = open()
  await opened.run(action, act)
  await opened.run(action, act)
  expect(count()).toBe(2)
})

test('a key of another request, or of another token, is another one', async () => {
  const { open, act, count } = book()
  const opened = open()
  await opened.run(keyed, act)
  await expect(opened.run({ ...keyed, request: 'send stop' }, act)).rejects.toMatchObject({
    code: 'KEY_REUSED',
  })
  await opened.run({ ...keyed, by: 'laptop', key: { token: 'hash of laptop', text: 'k1' } }, act)
  expect(count()).toBe(2)
})

test('a key ends with its token: another one of the same name does it anew', async () => {
  const { open, act, count } = book()
  const opened = open()
  await opened.run(keyed, act)
  await opened.run({ ...keyed, key: { token: 'hash of another phone', text: 'k1' } }, act)
  expect(count()).toBe(2)
})

test('the history keeps no reply without a key, and of one with a key nothing that a terminal shows', async () => {
  const { open, history } = book()
  const secret = `ghp_${'Zb1'.repeat(12)}`
  const shown = [secret, 'what else stands there']
  const body = {
    confirmed: true,
    took: 2,
    chosen: [`key ${secret}`],
    screen: shown,
    new: shown,
    next: { shown },
    link: 'http://127.0.0.1:4770/pair?code=what-else',
    qr: ['what else'],
    pressed: [...'what else'],
  }
  const act = async () => ({ status: 200, body: { ...body, message: 'long '.repeat(2000) } })
  await open().run(action, act)
  await open().run(keyed, act)
  const kept = history.entries({ kinds: ['api.done'] }).map(({ data }) => data as { readonly reply?: object })
  expect(kept.map(data => 'reply' in data)).toEqual([false, true])
  expect(JSON.stringify(kept)).not.toMatch(/ghp_|what else|"h","a"/)
  const again = await open().run(keyed, act)
  expect(again).toMatchObject({ status: 200, body: { confirmed: true, took: 2, chosen: ['key [redacted]'] } })
  expect(Object.keys(again.body)).toEqual(['action', 'confirmed', 'took', 'chosen'])
})

test('the history has nothing by which a short request could be guessed', async () => {
  const { open, act, history } = book()
  await open().run(action, act)
  await open().run(keyed, act)
  const noted = JSON.stringify(history.entries({ kinds: ['api.begun'] }))
  expect(noted).toContain('"request":')
  expect(noted).not.toContain(hashOf(action.request))
})

test('a refusal with a key is the same refusal again, without the dialog that it showed', async () => {
  const { open, act } = book()
  const error = { code: 'DIALOG_OPEN', message: 'a dialog is open', facts: { rows: ['password: hunter2'] } }
  await open().run(keyed, async () => ({ status: 409, body: { error } }))
  const again = await open().run(keyed, act)
  expect(again).toMatchObject({
    status: 409,
    body: { error: { code: 'DIALOG_OPEN', message: error.message } },
  })
  expect(JSON.stringify(again)).not.toContain('hunter2')
})

test('one that was begun by a process that ended is unknown', async () => {
  const { open, act, count } = book()
  // As a kill leaves it: begun, without an end.
  void open().run(keyed, () => new Promise(() => undefined))
  await expect(open().run(keyed, act)).rejects.toMatchObject({ code: 'ACTION_UNKNOWN' })
  expect(count()).toBe(0)
})

test('nothing is done that can’t be recorded', async () => {
  const { act, count } = book()
  const opened = actionBook(
    () => undefined,
    () => 0,
  )
  await expect(opened.run(action, act)).rejects.toMatchObject({ code: 'NOT_RECORDED', status: 503 })
  expect(count()).toBe(0)
})

test('the history has who did what, and a refusal with its sentence', async () => {
  const { open, history } = book()
  await open().run(action, async () => ({
    status: 409,
    body: { error: { code: 'X', message: 'a dialog is open' } },
  }))
  const [begun, ended] = history.entries({ session: 'abcd1234' })
  expect(begun).toMatchObject({ kind: 'api.begun', data: { by: 'phone', what: 'send' } })
  expect(ended).toMatchObject({
    kind: 'api.refused',
    data: { title: 'send by phone', why: 'go: a dialog is open' },
  })
})
