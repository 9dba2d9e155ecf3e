import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTraceRedactor } from '../../src/core/redact/redact-trace.ts'
import type { TraceEvent } from '../../src/core/trace/trace.ts'

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

  test('a private key that stands on a screen', () => {
    const rows = ['$ cat key', ...privateKey.split('\n'), '$']
    const [found] = redacted([{ at: 0, code: 'f', data: JSON.stringify({ rows, title: 'sh' }) }])
    expect(JSON.parse(found?.data ?? '')).toEqual({ rows: ['$ cat key', '[redacted]', '$'], title: 'sh' })
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
})
