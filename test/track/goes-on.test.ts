/** An agent reports its end and goes on: Copilot CLI does at `/clear`. */
import { expect, test } from 'vitest'
import { goesOn } from '../../src/track/goes-on.ts'
import { rests } from '../support/agent-screens.ts'
import { exit, hook, play, type Row } from '../support/scenario.ts'

const turn = { sessionId: 's' }
const before: readonly Row[] = [
  hook(1, 'userPromptSubmitted', { ...turn, prompt: 'go' }),
  hook(2, 'agentStop', turn),
]
const screen: readonly Row[] = [
  [2.5, 'f', { rows: rests, isStill: true }],
  [4.9, 'f', { isSame: true, isStill: true }],
]
const end = hook(5, 'sessionEnd', { ...turn, reason: 'user_exit' })

/** The sample that lull takes where the process runs, as it judges then. */
function sample(rows: readonly Row[], seconds: number): readonly Row[] {
  const data = goesOn(7, play('copilot', rows, { until: seconds }).session, seconds * 1000)
  return data === undefined ? [] : [[seconds, 'p', JSON.parse(data)]]
}

test('while its screen is drawn, that it has ended is uncertain', () => {
  const told = play('copilot', [...before, ...screen, end])
  expect(told.at(4.99)).toBe('idle/turn')
  expect(told.at(5)).toBe('unknown')
  expect(told.at(25)).toBe('exited')
})

test('its process goes on: it rests where its screen shows so', () => {
  const rows = [...before, ...screen, end]
  const told = play('copilot', [...rows, ...sample(rows, 9)])
  expect(told.at(8.9)).toBe('unknown')
  expect(told.at(9)).toBe('idle')
  expect(told.verdict(9).turn).toBe(1)
})

test('its process goes on: without a screen it starts anew', () => {
  const rows = [...before, end]
  const told = play('copilot', [...rows, ...sample(rows, 9)])
  expect(told.at(5)).toBe('exited')
  expect(told.at(9)).toBe('starting')
  expect(told.at(40)).toBe('unknown')
})

test('an agent that reports only its own end so has ended, whatever its screen shows', () => {
  const rows = [
    hook(1, 'SessionStart', { session_id: 's' }),
    ...screen,
    hook(5, 'SessionEnd', { reason: 'other' }),
  ]
  const told = play('claude', rows)
  expect(told.at(5)).toBe('exited')
  expect(goesOn(7, told.session, 3_600_000)).toBeUndefined()
})

test('a process that ends within seconds of its report has ended', () => {
  const rows = [...before, ...screen, end]
  expect(sample(rows, 8.9)).toEqual([])
  expect(play('copilot', [...rows, exit(7)]).at(7)).toBe('exited')
})

test('one that goes on after it went on is judged by what it reports', () => {
  const rows = [...before, ...screen, end]
  const anew = hook(12, 'userPromptSubmitted', { ...turn, prompt: 'go on' })
  const told = play('copilot', [...rows, ...sample(rows, 9), anew])
  expect(told.at(12)).toBe('working/thinking')
  expect(sample([...rows, ...sample(rows, 9)], 20)).toEqual([])
})
