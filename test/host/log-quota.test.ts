/** What a host writes into its log of what is repeated. */
import { expect, test } from 'vitest'
import { sparingly } from '../../src/host/log-quota.ts'

function log() {
  const written: string[] = []
  let now = 0
  const complain = sparingly(
    sentence => written.push(sentence),
    () => now,
  )
  return { written, complain, pass: (ms: number) => (now += ms) }
}

test('a flood is written down for its first 20 lines a minute, and counted', () => {
  const { written, complain, pass } = log()
  for (let n = 0; n < 50; n++) complain(`bad hook ${n}`)
  expect(written).toHaveLength(20)
  pass(60_001)
  complain('another')
  expect(written.slice(20)).toEqual(['… and 30 more like these', 'another'])
})

test('requests that anybody may send keep nothing else out of the log', () => {
  const { written, complain } = log()
  for (let n = 0; n < 50; n++) complain('the API refused a request: WRONG_HOST', 'requests')
  complain('the history is kept no more')
  expect(written).toHaveLength(21)
  expect(written.at(-1)).toBe('the history is kept no more')
})
