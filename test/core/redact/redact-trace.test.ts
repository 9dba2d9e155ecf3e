import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTraceRedactor, type TraceRedactor } from '../../../src/core/redact/redact-trace.ts'
import type { TraceEvent } from '../../../src/core/trace/trace.ts'

type Event = Pick<TraceEvent, 'at' | 'code' | 'data'>

function redacted(events: readonly Event[]): Event[] {
  const redactor = createTraceRedactor()
  return [...events.flatMap(event => redactor.push(event)), ...redactor.end()]
}

const output = (...texts: string[]): Event[] => texts.map((data, i) => ({ at: i * 100, code: 'o', data }))
const printed = (events: readonly Event[]): string =>
  events.map(({ code, data }) => (code === 'o' ? data : '')).join('')

const key = `sk-ant-api03-${'AbCdEf0123456789'.repeat(3)}`
const lines = Array.from({ length: 50 }, (_, i) => `${'MIIEpAIBAAKCAQEA'.repeat(4)}${i}`)
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----`

describe('secrets are taken out of a trace', () => {
  test('that are printed in two writes', () => {
    expect(redacted(output('key sk-ant-api0', '3-AbCdEf0123456789', 'AbCdEf and more'))).toEqual(
      output('key [redacted]', '', ' and more'),
    )
    expect(printed(redacted(output('password=', 'hunter22\n', 'ok')))).toBe('password=[redacted]\nok')
  })

  test('that are typed and shown letter by letter, with other events between', () => {
    const events = [...`export API_KEY=${key}\n`].flatMap((letter, i): Event[] => [
      { at: i * 150, code: 'i', data: letter },
      { at: i * 150, code: 'o', data: letter },
      { at: i * 150, code: 'p', data: '{"pid":1}' },
    ])
    const found = redacted(events)
    expect(found.map(({ at, code }) => [at, code])).toEqual(events.map(({ at, code }) => [at, code]))
    expect(printed(found)).toBe('export API_KEY=[redacted]\n')
    expect(found.map(({ code, data }) => (code === 'i' ? data : '')).join('')).toBe(
      'export API_KEY=[redacted]\n',
    )
  })

  test('a private key that is printed slowly', () => {
    const events = privateKey
      .split('\n')
      .map((line, i): Event => ({ at: i * 700, code: 'o', data: `${line}\n` }))
    expect(printed(redacted(events)).trim()).toBe('[redacted]')
  })

  test('a private key that stands on a screen, whose other rows stay where they are', () => {
    const key = privateKey.split('\n')
    const rows = ['$ cat key', ...key, '$']
    const [found] = redacted([{ at: 0, code: 'f', data: JSON.stringify({ rows, title: 'sh' }) }])
    expect(JSON.parse(found?.data ?? '')).toEqual({
      rows: ['$ cat key', '[redacted]', ...key.slice(1).map(() => ''), '$'],
      title: 'sh',
    })
  })

  test('wherever it is cut, and however much comes around it; nothing else is touched', () => {
    // A letter before a fold may begin a key of another kind: `c` and `sk-…` are one of csk-….
    const noise = fc.stringMatching(/^[ -~\n]{0,30} $/)
    fc.assert(
      fc.property(
        fc.array(fc.oneof(noise, fc.constantFrom(`\n${key} `, `\n${privateKey}\n`, 'filler '.repeat(9000))), {
          maxLength: 8,
        }),
        fc.array(fc.nat(80_000), { maxLength: 8 }),
        fc.oneof(fc.nat(100), fc.nat(1500)),
        (parts, cuts, step) => {
          const text = parts.join('')
          const at = [0, ...cuts.filter(cut => cut < text.length).sort((a, b) => a - b), text.length]
          const events = at
            .slice(1)
            .map((end, i): Event => ({ at: i * step, code: 'o', data: text.slice(at[i], end) }))
          const found = redacted(events)
          expect(found.map(one => one.at)).toEqual(events.map(one => one.at))
          expect(printed(found)).not.toContain('AbCdEf0123456789')
          expect(printed(found)).not.toContain('MIIEpAIBAAKCAQEA')
          // What came a second before is written by then: the first letters of a key are no key yet.
          if (step * events.length > 1000) return
          expect(printed(found).replaceAll('[redacted]', '')).toHaveLength(
            text.replaceAll(key, '').replaceAll(privateKey, '').length,
          )
        },
      ),
    )
  })

  test('what is no output is written at once, and output as soon as what follows is old enough', () => {
    const redactor = createTraceRedactor()
    expect(redactor.push({ at: 0, code: 'h', data: '{}' })).toHaveLength(1)
    expect(redactor.push({ at: 0, code: 'o', data: 'a' })).toHaveLength(0)
    expect(redactor.push({ at: 5000, code: 'p', data: '{}' })).toMatchObject([{ data: 'a' }])
    expect(redactor.end()).toMatchObject([{ at: 5000 }])
  })

  const push = (
    redactor: TraceRedactor,
    at: number,
    code: Event['code'],
    data: string,
  ): (readonly [number, number])[] =>
    redactor.push({ at, code, data }).map(event => [event.at, event.data.length] as const)

  test('output waits for two seconds; what is a second old is written then', () => {
    const redactor = createTraceRedactor()
    expect(push(redactor, 10_000, 'o', 'a')).toEqual([])
    expect(push(redactor, 11_001, 'o', 'b')).toEqual([])
    expect(push(redactor, 11_999, 'x', 'c')).toEqual([])
    expect(push(redactor, 12_000, 'o', 'd')).toEqual([[10_000, 1]])
    expect(push(redactor, 13_000, 'o', 'e')).toEqual([])
    expect(push(redactor, 13_001, 'o', 'f')).toEqual([
      [11_001, 1],
      [11_999, 1],
      [12_000, 1],
    ])
    expect(redactor.end().map(({ at }) => at)).toEqual([13_000, 13_001])
    expect(redactor.end()).toEqual([])
  })

  test('or for 64 Ki characters: what has 16 Ki behind it is written then', () => {
    const redactor = createTraceRedactor()
    const long = 'words '.repeat(6000)
    expect(push(redactor, 1, 'o', long)).toEqual([])
    expect(push(redactor, 2, 'h', long)).toEqual([])
    expect(push(redactor, 3, 'i', long.slice(0, 20_000))).toEqual([])
    expect(push(redactor, 4, 'o', long.slice(0, 16 * 1024))).toEqual([
      [1, 36_000],
      [2, 36_000],
      [3, 20_000],
    ])
    expect(push(redactor, 5, 'o', long)).toEqual([])
    expect(redactor.end()).toHaveLength(2)
  })

  test('one write of more than that is not read again for each that follows', () => {
    const redactor = createTraceRedactor()
    expect(push(redactor, 1, 'o', 'words '.repeat(20_000))).toEqual([])
    expect(push(redactor, 2, 'o', 'words '.repeat(2000))).toEqual([])
    expect(push(redactor, 3, 'o', 'words '.repeat(1000))).toEqual([[1, 120_000]])
  })

  test('a key that goes on behind what was written is known by its beginning', () => {
    const redactor = createTraceRedactor()
    redactor.push({ at: 0, code: 'o', data: `use ${key}` })
    expect(redactor.push({ at: 2000, code: 'o', data: 'AbCd ef' })).toEqual([
      { at: 0, code: 'o', data: 'use [redacted]' },
    ])
    expect(redactor.end()).toEqual([{ at: 2000, code: 'o', data: ' ef' }])
  })

  test.each([220, 400])('a key that is typed a letter each %d ms is one all the same', ms => {
    const token = `ghp_${'a7Bc'.repeat(9)}`
    const typed = [...`export X=${token}\r`].flatMap((letter, i): Event[] => [
      { at: i * ms, code: 'i', data: letter },
      { at: i * ms + 5, code: 'o', data: `\u001b[1m${letter}\u001b[0m` },
    ])
    const found = redacted(typed)
    expect(found.map(({ at }) => at)).toEqual(typed.map(({ at }) => at))
    for (const code of ['i', 'o'] as const) {
      const text = found.flatMap(event => (event.code === code ? [event.data] : [])).join('')
      expect(text.replaceAll(/\u001b\[\dm/g, '')).toBe('export X=[redacted]\r')
    }
  })

  test('what only begins like a key waits for half a minute, or until something else follows', () => {
    const redactor = createTraceRedactor()
    expect(push(redactor, 0, 'o', 'so ghp_ab')).toEqual([])
    expect(push(redactor, 5000, 'p', '{}')).toEqual([])
    expect(push(redactor, 29_000, 'p', '{}')).toEqual([])
    expect(push(redactor, 31_000, 'p', '{}')).toHaveLength(3)
    const other = createTraceRedactor()
    push(other, 0, 'o', 'so ghp_ab')
    expect(push(other, 3000, 'o', ' is no key')).toEqual([[0, 9]])
    const flooded = createTraceRedactor()
    push(flooded, 0, 'o', 'so ghp_ab')
    expect(push(flooded, 3000, 'i', 'x '.repeat(10_000))).toEqual([[0, 9]])
  })

  test('what is typed and what is printed are two texts', () => {
    expect(
      redacted([
        { at: 0, code: 'i', data: 'password=' },
        { at: 1, code: 'o', data: 'hunter22' },
        { at: 2, code: 'i', data: 'hunter23' },
      ]).map(({ data }) => data),
    ).toEqual(['password=', 'hunter22', '[redacted]'])
  })

  test.each([
    ['f', '{"rows":"password=hunter22"}', '{"rows":"password=[redacted]"}'],
    ['f', '{"rows":["password=","hunter22"]}', '{"rows":["password=","hunter22"]}'],
    [
      'f',
      '{"rows":["a","password=hunter22"],"title":"pass=hunter1"}',
      '{"rows":["a","password=[redacted]"],"title":"pass=[redacted]"}',
    ],
    [
      'f',
      '{"title":"pass=hunter1","rows":["-----BEGIN PRIVATE KEY-----","MIIE"]}',
      '{"title":"pass=[redacted]","rows":["[redacted]","MIIE"]}',
    ],
    ['f', '{"rows":["a",null,7,"pass=hunter1\\nb"]}', '{"rows":["a","","7","pass=[redacted]\\nb"]}'],
    ['f', '{"rows":["password=hunter22"', '{"rows":["password=[redacted]"'],
    ['h', '{"rows":["-----BEGIN PRIVATE KEY-----","MIIE"]}', '{"rows":["[redacted]","MIIE"]}'],
  ] as const)('%s %s', (code, data, wanted) => {
    expect(redacted([{ at: 0, code, data }])).toEqual([{ at: 0, code, data: wanted }])
  })
})
