import { describe, expect, test } from 'vitest'
import { readReport, reportHoldMs } from '../../src/process/health-report.ts'
import { report } from '../support/health-report.ts'

describe('a report of processes', () => {
  const signalsOf = (data: string, isCommand = true) => {
    const signals = readReport(data, 10_000, isCommand)
    if (typeof signals === 'string') throw new Error(signals)
    return signals
  }

  test('tells a command its state and its health', () => {
    expect(signalsOf(report('confirmed_stuck', 'certain'))).toMatchObject([
      {
        type: 'health',
        owner: 'pid:7',
        what: 'cat(7) reads its stdin',
        health: { level: 'confirmed_stuck', cause: 'stdin', certainty: 'certain' },
        hold: reportHoldMs,
        since: 8000,
      },
      { type: 'sign', tier: 'proven', state: { kind: 'working', doing: 'command' } },
    ])
  })

  test('an agent only its health: it tells its state itself', () => {
    expect(signalsOf(report('suspicious', 'low'), false).map(({ type }) => type)).toEqual(['health'])
  })

  test('input from a terminal is a person’s to give', () => {
    const [, sign] = signalsOf(report('suspicious', 'medium', { isTerminal: true }))
    expect(sign).toMatchObject({ state: { kind: 'waiting', for: 'input' } })
  })

  test('samples of other recorders are passed over', () => {
    expect(readReport('{"procs":[]}', 0, true)).toEqual([])
  })

  const broken: Readonly<Record<string, string>> = {
    'no JSON': '{"pid":7,',
    'a list': '[]',
    'no pid': '{"health":{"level":"healthy","certainty":"low"},"reason":"x"}',
    'no level': '{"pid":7,"reason":"x","health":{"level":"fine","certainty":"low"}}',
    'no certainty': '{"pid":7,"reason":"x","health":{"level":"healthy"}}',
    'no health': '{"pid":7,"reason":"x","health":null}',
  }
  for (const [name, data] of Object.entries(broken)) {
    test(`${name} is refused with a reason`, () =>
      expect(readReport(data, 0, true)).toEqual(expect.any(String)))
  }

  test('a cause that is not known is left out', () => {
    const [signal] = signalsOf(
      report('suspicious', 'low', {
        health: { level: 'suspicious', cause: 'constructor', certainty: 'low' },
      }),
    )
    expect(signal).toMatchObject({ health: { level: 'suspicious', certainty: 'low' } })
    expect(signal).not.toHaveProperty('health.cause')
  })
})
