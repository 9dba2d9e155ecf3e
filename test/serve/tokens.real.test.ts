/** Tokens: only their hashes are kept, a code works once, and what is revoked is gone at the next request. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addCode, addToken, listTokens, redeemCode, revokeToken, tokenStore } from '../../src/serve/tokens.ts'
import { newPlaces } from '../support/history.ts'

const at = { now: 1000, wall: 1000 }

test('a token is found by its secret, which no file has', async () => {
  const { places } = newPlaces()
  const secret = await addToken(places, 'ci', 'act', at)
  const file = path.join(places.state, 'serve/tokens.json')
  expect(readFileSync(file, 'utf8')).not.toContain(secret.slice(5, 20))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const store = tokenStore(places)
  expect(store.find(secret)).toMatchObject({ name: 'ci', scope: 'act' })
  expect(store.find(`${secret}x`)).toBeUndefined()
  await expect(addToken(places, 'ci', 'read', at)).rejects.toThrow('token ci exists')
  await expect(addToken(places, 'a b', 'read', at)).rejects.toThrow('letters, digits')
})

test('one that another process revokes is not valid at the next request', async () => {
  const { places } = newPlaces()
  const secret = await addToken(places, 'ci', 'read', at)
  const store = tokenStore(places)
  const token = store.find(secret)
  if (!token) throw new Error('no token')
  await revokeToken(places, 'ci')
  expect([store.find(secret), store.isValid(token)]).toEqual([undefined, false])
  await expect(revokeToken(places, 'ci')).rejects.toThrow('no token is named ci')
})

test('a code becomes a token once, within a minute', async () => {
  const { places } = newPlaces()
  const code = await addCode(places, { name: 'phone', scope: 'act' }, 1000)
  const redeemed = await Promise.all([
    redeemCode(places, code, { now: 2000, wall: 5000 }),
    redeemCode(places, code, { now: 2000, wall: 5000 }),
  ])
  const [secret] = redeemed.filter(one => one !== undefined)
  expect(redeemed.filter(one => one === undefined)).toHaveLength(1)
  expect(tokenStore(places).find(secret ?? '')).toMatchObject({ name: 'phone', scope: 'act' })
  const late = await addCode(places, { name: 'tablet', scope: 'act' }, 1000)
  expect(await redeemCode(places, late, { now: 61_000, wall: 5000 })).toBeUndefined()
  // After the machine's next start its clock begins anew.
  const early = await addCode(places, { name: 'laptop', scope: 'act' }, 500_000)
  expect(await redeemCode(places, early, { now: 1000, wall: 5000 })).toBeUndefined()
  expect(listTokens(places).map(({ name }) => name)).toEqual(['phone'])
})

test('what a token has let in ends with it, also what is not redeemed yet, and nothing else', async () => {
  const { places } = newPlaces()
  for (const name of ['laptop', 'ci']) await addToken(places, name, 'act', at)
  const letIn = async (name: string, by: string) => addCode(places, { name, scope: 'act', by }, 1000)
  const redeem = (code: string) => redeemCode(places, code, { now: 2000, wall: 5000 })
  await redeem(await letIn('phone', 'laptop'))
  await redeem(await letIn('watch', 'phone'))
  await redeem(await letIn('bot', 'ci'))
  const waiting = await letIn('tablet', 'watch')
  expect((await revokeToken(places, 'laptop')).toSorted()).toEqual(['phone', 'tablet', 'watch'])
  expect(await redeem(waiting)).toBeUndefined()
  expect(listTokens(places).map(({ name, by }) => [name, by])).toEqual([
    ['ci', undefined],
    ['bot', 'ci'],
  ])
  await expect(letIn('other', 'laptop')).rejects.toThrow('token laptop was revoked')
})

test('a link ends with its maker, and a token that the command line made under its name does not', async () => {
  const { places } = newPlaces()
  await addToken(places, 'actor', 'act', at)
  await addCode(places, { name: 'phone', scope: 'act', by: 'actor' }, 1000)
  await expect(addCode(places, { name: 'phone', scope: 'act' }, 1000)).rejects.toThrow('another device')
  const secret = await addToken(places, 'phone', 'act', at)
  expect(await revokeToken(places, 'actor')).toEqual([])
  expect(tokenStore(places).find(secret)).toMatchObject({ name: 'phone' })
})

test('links that nobody used take no room once they are too old', async () => {
  const { places } = newPlaces()
  for (let n = 0; n < 100; n++) await addCode(places, { name: `link${n}`, scope: 'read' }, 1000)
  await expect(addToken(places, 'late', 'read', at)).rejects.toThrow('100 tokens')
  await addToken(places, 'late', 'read', { now: 62_000, wall: 1000 })
  expect(listTokens(places).map(({ name }) => name)).toEqual(['late'])
})

test('a code that nobody gave out writes nothing: anybody may send some', async () => {
  const { places } = newPlaces()
  await addToken(places, 'ci', 'act', at)
  const file = path.join(places.state, 'serve/tokens.json')
  const before = statSync(file).ino
  expect(await redeemCode(places, 'x', { now: 2000, wall: 5000 })).toBeUndefined()
  expect(statSync(file).ino).toBe(before)
})
