/** Whatever a program prints is read in time. Apart from the other tests, as faults are not tried by what is measured. */
import { test } from 'vitest'
import { asksForLine, drawnQuestion } from '../../src/terminal/classify/drawn-question.ts'
import { matchPrompt } from '../../src/terminal/classify/prompts.ts'
import { newStream, readStream } from '../../src/terminal/stream-step.ts'
import { expectLinear } from '../support/growth.ts'

test.each(['\u001b', '\u001b[?', '\u001b]', '\u001b]133;A', '\u001b\u001b]'])('escapes: %j', flood => {
  expectLinear(size => readStream(newStream(0), flood.repeat(size), 1), 25_000)
})

test('an exit code without end', () => {
  expectLinear(size => readStream(newStream(0), `\u001b]133;D;${'1'.repeat(size)}`, 1), 16_000)
})

test.each(['password ', '[', 'for ', '(yes/no ', ' '])('a line without end: %j', flood => {
  expectLinear(size => matchPrompt(`${flood.repeat(size)}x`), 12_500)
})

test.each(['password ', '? x ', '│ ', ': '])('a row without end: %j', flood => {
  expectLinear(size => {
    const row = `${flood.repeat(size)}x`
    drawnQuestion({ rows: [row], columns: row.length, cursor: { row: 0, column: row.length } })
    asksForLine({ rows: [row], columns: row.length, cursor: { row: 0, column: row.length } })
  }, 4000)
})

test('a search that fails again and again', () => {
  expectLinear(size => matchPrompt(`(${'failed reverse-'.repeat(size)}x`), 2)
})
