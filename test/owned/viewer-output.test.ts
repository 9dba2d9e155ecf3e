import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { viewerOutput } from '../../src/owned/viewer-output.ts'

/** What a viewer gets of output that comes in pieces. */
function shown(...pieces: readonly string[]): string {
  let [all, held] = ['', '']
  for (const piece of pieces) {
    const output = viewerOutput(piece, held)
    all += output.shown
    held = output.held
  }
  return all + held
}

const questions = [
  ...[
    '\u001b[c',
    '\u001b[>c',
    '\u001b[=c',
    '\u001b[0c',
    '\u001b[6n',
    '\u001b[5n',
    '\u001b[?6n',
    '\u001b[?2026$p',
  ],
  ...['\u001b[>q', '\u001b[>0q', '\u001b[?u', '\u001b[14t', '\u001b[18t', '\u001bZ'],
  ...['\u001b]10;?\u0007', '\u001b]11;?\u001b\\', '\u001b]4;1;?\u0007', '\u001b]7501;?\u001b\\'],
  ...['\u001bP+q544e\u001b\\', '\u001bP$qm\u001b\\'],
]

/** Near to a question, and none. */
const others = [
  ...[
    '\u001b[1;31m',
    '\u001b[2J',
    '\u001b[?25l',
    '\u001b[10;20H',
    '\u001b[3q',
    '\u001b[2 q',
    '\u001b[22t',
    '\u001b[>1u',
    '\u001b[<u',
  ],
  ...[
    '\u001b]0;a title?\u0007',
    '\u001b]11;rgb:00/00/00\u001b\\',
    '\u001b]7501;state=working:app=claude\u001b\\',
    '\u001b(B',
  ],
]

describe('a viewer gets what is no question', () => {
  test.each(questions)('%j is kept from him', question => {
    expect(shown(`a${question}b`)).toBe('ab')
  })

  test.each(others)('%j is his', other => {
    expect(shown(`a${other}b`)).toBe(`a${other}b`)
  })

  test('wherever the output is torn', () => {
    const pieces = fc.array(fc.constantFrom(...questions, ...others, 'text', '\r\n', '\u001b', '['), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(60)), (parts, cuts) => {
        const whole = parts.join('')
        const at = [0, ...cuts.filter(cut => cut < whole.length).sort((a, b) => a - b), whole.length]
        const torn = at.slice(1).map((end, n) => whole.slice(at[n], end))
        expect(shown(...torn)).toBe(shown(whole))
      }),
    )
  })
})
