import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { exitCode, exitMeaning } from '../../src/core/exit-codes.ts'
import { errorTable } from '../../src/core/lull-error.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/exit-codes.md'), 'utf8')

/** The cells of a section's table, without its head; the section before the first heading is called nothing. */
function rowsOf(section: string): string[][] {
  const text = page.split(/^## /m).find(part => part.startsWith(section))
  const rows = text?.split('\n').filter(line => line.startsWith('|')) ?? []
  return rows.slice(2).map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

const names = Object.keys(exitCode) as (keyof typeof exitCode)[]
const isName = (word: string): word is keyof typeof exitCode => word in exitCode

/** 128 and the number of a signal, as a shell tells of it. */
const ofSignals = Object.values(os.constants.signals).map(signal => 128 + signal)

describe('docs/exit-codes.md', () => {
  test('has each exit code with what it means, and no other', () => {
    expect(rowsOf('# Exit codes')).toEqual(names.map(name => [`${exitCode[name]}`, exitMeaning[name]]))
  })

  test('has each code of an error with its exit and what it means, and no other', () => {
    expect(rowsOf('Errors')).toEqual(
      Object.entries(errorTable).map(([code, { exit, means }]) => [
        `\`${code}\``,
        exit === 'outcome' ? 'its outcome’s' : `${exitCode[exit]}`,
        means,
      ]),
    )
  })

  test.each(['lull wait', 'Terminals'])('gives the outcomes of %s the codes of the table', section => {
    const told = rowsOf(section).filter(([, outcome]) => outcome !== '')
    expect(told.length).toBeGreaterThan(5)
    for (const [code, outcome = ''] of told) {
      const name = outcome.replaceAll('`', '')
      // What is only quiet was not reached.
      expect({ outcome, code }).toEqual({
        outcome,
        code: `${name === 'stable' ? exitCode.failed : isName(name) && exitCode[name]}`,
      })
    }
  })

  test.each(['lull wait', 'Terminals', 'lull loop', 'lull run'])(
    'tells of no code for %s beyond the table',
    section => {
      const codes = rowsOf(section).flatMap(([code = '']) =>
        code.split(', ').filter(word => /^\d+$/.test(word)),
      )
      expect(codes.length).toBeGreaterThan(3)
      const known: readonly number[] = [...Object.values(exitCode), ...ofSignals]
      expect(codes.filter(code => !known.includes(Number(code)))).toEqual([])
    },
  )
})
