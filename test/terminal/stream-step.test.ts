/** What programs tell the terminal in passing, whole or cut anywhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBehind, newStream, readStream, withEntered } from '../../src/terminal/stream-step.ts'

const marksOf = (...texts: readonly string[]) =>
  texts.reduce((stream, text, index) => readStream(stream, text, index + 1), newStream(0)).marks

describe('the stream', () => {
  test.each([
    ['\u001b]133;A\u0007$ ', { mark: 'A', at: 1 }],
    ['\u001b]133;A;k=i\u001b\\$ ', { mark: 'A', at: 1 }],
    ['\u001b]133;D;130\u0007', { mark: 'D', exitCode: 130, at: 1 }],
    ['\u001b]133;D\u0007', { mark: 'D', at: 1 }],
    ['\u001b]633;D;0\u0007\u001b]633;A\u0007\u001b]633;B\u0007', { mark: 'B', exitCode: 0, at: 1 }],
    ['\u001b]133;D;7\u0007\u001b]133;A\u0007$ ', { mark: 'A', exitCode: 7, at: 1 }],
    ['\u001b]133;D;7\u0007\u001b]133;A\u0007$ \u001b]133;C\u0007', { mark: 'C', at: 1 }],
    ['\u001b]133;D;7\u0007\u001b]133;D\u0007\u001b]133;A\u0007', { mark: 'A', at: 1 }],
    ['\u001b]633;C\u0007', { mark: 'C', at: 1 }],
  ])('tells of prompts: %j', (text, semantic) => {
    expect(marksOf(text).semantic).toEqual(semantic)
  })
  test('tells of bracketed paste and of the other screen', () => {
    expect(marksOf('\u001b[?2004h').bracketedPaste).toEqual({ on: true, at: 1 })
    expect(marksOf('\u001b[?2004h', '\u001b[?2004l\r').bracketedPaste).toEqual({ on: false, at: 2 })
    expect(marksOf('\u001b[?1049h').alternate).toEqual({ on: true, at: 1 })
    expect(marksOf('\u001b[?1;2004;1049h')).toMatchObject({
      bracketedPaste: { on: true },
      alternate: { on: true },
    })
    expect(marksOf('\u001b[?1049h\u001bc').alternate?.on).toBe(false)
  })
  test('tells nothing by other sequences, or by text that looks like them', () => {
    expect(marksOf('\u001b[2004h ]133;A \u001b]0;133;A\u0007\u001b[?25h\u001b]1337;A\u0007')).toEqual({
      lastOutput: 1,
    })
  })
  test('is the same wherever it is cut', () => {
    const whole = 'x\u001b]133;D;7\u001b\\\u001b[?2004h$ \u001b[?2004l\u001b]633;C\u0007\u001b[?1049hy'
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length]
        const parts = at.slice(1).map((end, index) => whole.slice(at[index], end))
        const read = parts.reduce((stream, part) => readStream(stream, part, 1), newStream(0))
        expect(read.marks).toEqual(marksOf(whole))
      }),
    )
  })
  test('begins with nothing, and goes on with it where nothing came', () => {
    expect(newStream(5)).toStrictEqual({ marks: { lastOutput: 5 }, rest: '' })
    const begun = readStream(newStream(0), 'x\u001b]133;', 1)
    expect(begun).toStrictEqual({ marks: { lastOutput: 1 }, rest: '\u001b]133;' })
    expect(readStream(begun, '', 2)).toBe(begun)
    expect(readStream(newStream(0), 'x', 2)).toStrictEqual({ marks: { lastOutput: 2 }, rest: '' })
    expect(readStream(newStream(0), '\u001b[m', 2).rest).toBe('')
    expect(readStream(newStream(0), '\u001b]0;a\u001b', 2).rest).toBe('\u001b]0;a\u001b')
  })
  test.each([
    ['\u001b[?47h', { alternate: { on: true, at: 1 } }],
    ['\u001b[?1047h', { alternate: { on: true, at: 1 } }],
    ['\u001bc', { alternate: { on: false, at: 1 }, bracketedPaste: { on: false, at: 1 } }],
    ['\u001b]133;A;7\u0007', { semantic: { mark: 'A', at: 1 } }],
  ])('tells by %j of what it means, and of nothing else', (text, marks) => {
    expect(marksOf(text)).toStrictEqual({ lastOutput: 1, ...marks })
  })
  test('keeps a whole command line', () => {
    const rest = `\u001b]633;E;${'x'.repeat(8184)}`
    expect(readStream(newStream(0), rest, 1).rest).toHaveLength(8192)
    expect(readStream(newStream(0), `${rest}x`, 1).rest).toBe('')
  })
  test('keeps no more of an endless sequence than it needs', () => {
    const stream = readStream(newStream(0), `\u001b]133;${'x'.repeat(1_000_000)}`, 1)
    expect(stream.rest.length).toBeLessThanOrEqual(8192)
    expect(readStream(stream, '\u001b]133;A\u0007', 2).marks.semantic?.mark).toBe('A')
  })
})

describe('after a line was entered at 5', () => {
  const marksSince = (before: string, after: string) =>
    readStream(withEntered(readStream(newStream(0), before, 3), 5), after, 7).marks

  test('no code of what ended before is known', () => {
    const before = '\u001b]133;D;7\u0007\u001b]133;A\u0007$ '
    expect(marksSince(before, 'ls\r\n').semantic).toEqual({ mark: 'A', at: 3 })
    expect(marksSince(before, '\u001b]133;A\u0007$ ').semantic).toEqual({ mark: 'A', at: 7 })
    expect(marksSince(before, '\u001b]133;D;1\u0007\u001b]133;A\u0007$ ').semantic?.exitCode).toBe(1)
  })
  test.each([
    ['nothing came since', '', '', true],
    ['its echo came, of a shell without marks', '', 'ls\r\n', false],
    ['it asks for no whole pastes any more', '', 'ls\r\n\u001b[?2004l\r', true],
    ['it asks for them again', '', 'ls\r\n\u001b[?2004l\r\u001b[?2004h$ ', false],
    ['a REPL that asks for none began before', '\u001b[?2004l\r>>> ', '1\r\n1\r\n>>> ', false],
    ['the marks are those of the prompt before', '\u001b]133;A\u0007$ ', 'ls\r\n', true],
    ['a new prompt was marked', '\u001b]133;A\u0007$ ', 'ls\r\n\u001b]133;A\u0007$ ', false],
    ['a command was marked, and no end', '', '\u001b]133;C\u0007', true],
    ['what was entered went to a program that a command began', '\u001b]133;C\u0007>>> ', '1\r\n>>> ', false],
  ])('its output is behind the prompt that is seen: %s', (_, before, after, behind) => {
    expect(isBehind(marksSince(before, after))).toBe(behind)
  })
  test('and is not where none was entered', () => {
    expect(isBehind(readStream(newStream(0), '\u001b]133;C\u0007', 1).marks)).toBe(false)
  })
})
