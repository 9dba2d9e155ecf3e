import { describe, expect, test } from 'vitest'
import { isComplaint, longestLine, readEvent, readHeader } from '../../src/core/trace/trace.ts'
import { writeEvent, writeHeader } from '../../src/core/trace/trace-write.ts'

describe('the header of a trace', () => {
  test('tells of its recording, and nothing else', () => {
    const lull = {
      trace: 1,
      agent: 'claude',
      agentVersion: '2.0',
      scenario: 's',
      note: 'n',
      terminal: 't',
      attached: true,
      more: 1,
    }
    expect(readHeader(JSON.stringify({ version: 2, timestamp: 7, lull }))).toEqual({
      agent: 'claude',
      agentVersion: '2.0',
      scenario: 's',
      note: 'n',
      terminal: 't',
      attached: true,
      startedAt: 7000,
    })
  })

  test.each([
    [{ version: 2 }, {}],
    [{ version: 2, lull: 'x' }, {}],
    [{ version: 2, lull: { agent: 5, attached: 'yes' }, timestamp: '7' }, {}],
    [{ version: 2, lull: { note: 'x'.repeat(501) } }, { note: 'x'.repeat(500) }],
    [{ version: 2, lull: { trace: 'later' } }, {}],
    [{ version: 2, timestamp: null }, {}],
  ])('of %j is %j', (header, read) => expect(readHeader(JSON.stringify(header))).toEqual(read))

  test('with a time that is no number has none', () => {
    expect(readHeader('{"version":2,"timestamp":1e999}')).toEqual({})
  })

  const none = 'not a trace: its first line is no asciicast header ({"version":2,…})'
  test.each([
    ['', 'NOT_A_TRACE', none],
    ['[2]', 'NOT_A_TRACE', none],
    ['null', 'NOT_A_TRACE', none],
    ['{"lull":{}}', 'NOT_A_TRACE', none],
    ['{"version":3}', 'FUTURE_VERSION', "asciicast version 3 can't be read: lull reads version 2"],
    ['{"version":"2"}', 'FUTURE_VERSION', 'asciicast version "2" can\'t be read: lull reads version 2'],
    [
      '{"version":2,"lull":{"trace":2}}',
      'FUTURE_VERSION',
      'trace version 2 is newer than this lull, which reads version 1: update lull',
    ],
  ])('%j is refused', (text, code, message) =>
    expect(() => readHeader(text)).toThrow(expect.objectContaining({ code, message })),
  )

  test('is read as it was written', () => {
    const header = { agent: 'codex', attached: true, startedAt: 5000 }
    expect(readHeader(writeHeader(header))).toEqual(header)
    expect(JSON.parse(writeHeader({ ...header, startedAt: 5999 }))).toEqual({
      version: 2,
      width: 80,
      height: 24,
      timestamp: 5,
      lull: { trace: 1, agent: 'codex', attached: true },
    })
    expect(JSON.parse(writeHeader({}))).not.toHaveProperty('timestamp')
  })
})

describe('a line of a trace', () => {
  test.each(['o', 'i', 'h', 't', 'f', 'p', 'r', 'x', 'v', 'm'] as const)('of the code %s is read', code => {
    expect(readEvent(JSON.stringify([1.2345, code, 'data']), 7)).toEqual({
      line: 7,
      at: 1235,
      code,
      data: 'data',
    })
  })

  test('that is blank is nothing', () => {
    expect(readEvent('', 2)).toBeUndefined()
    expect(readEvent(' \t', 2)).toBeUndefined()
  })

  test.each([
    ['[1, "o"', 'torn or not JSON, passed over'],
    ['{"at":1}', 'torn or not JSON, passed over'],
    ['["1","o","x"]', 'not [seconds, code, string], passed over'],
    ['[-0.1,"o","x"]', 'not [seconds, code, string], passed over'],
    ['[31622400.1,"o","x"]', 'not [seconds, code, string], passed over'],
    ['[1,"o",5]', 'not [seconds, code, string], passed over'],
    ['[1,5,"x"]', 'unknown code 5, passed over'],
    ['[1,"q","x"]', 'unknown code "q", passed over'],
  ])('%s is passed over', (text, reason) => {
    const complaint = readEvent(text, 3)
    expect(complaint).toEqual({ line: 3, reason })
    expect(complaint && isComplaint(complaint)).toBe(true)
  })

  test('of a year after the start, and at the very start, are read', () => {
    expect(readEvent('[31622400,"o","x"]', 3)).toMatchObject({ at: 31_622_400_000 })
    const first = readEvent('[0,"o","x"]', 3)
    expect(first).toMatchObject({ at: 0 })
    expect(first && isComplaint(first)).toBe(false)
  })

  test('that is longer than any is passed over, and not read', () => {
    const lineOf = (length: number) => `[1,"o","${'x'.repeat(length - 10)}"]`
    expect(readEvent(lineOf(longestLine), 3)).toMatchObject({ at: 1000 })
    expect(readEvent(lineOf(longestLine + 1), 3)).toEqual({
      line: 3,
      reason: 'longer than 8 MB, passed over',
    })
  })

  test('is read as it was written', () => {
    expect(writeEvent({ at: 1234.6, code: 'h', data: '{}' })).toBe('[1.235,"h","{}"]')
  })
})
