/** Which rows are the options of a dialog: labels, and what explains them, are a model's, and may look like options themselves. */
import { describe, expect, test } from 'vitest'
import { findOptions } from '../../../src/agents/screen/find-options.ts'

const seen = (...rows: readonly string[]): readonly string[] | undefined =>
  findOptions(rows)?.options.map(
    ({ label, number, isPointed }) => `${isPointed ? '❯ ' : ''}${number ?? '-'} ${label}`,
  )

const first = ['❯ 1 Yes', '2 Yes, for all', '3 No']

describe('options', () => {
  test('are numbered from 1 at one column, with what explains them further right', () => {
    expect(seen(' ❯ 1. Yes', '   2. Yes, for all', '      what that means', '   3. No')).toEqual(first)
  })

  test('of two digits may begin a column further left', () => {
    const rows = Array.from(
      { length: 10 },
      (_, n) => `${n === 9 ? ' ❯' : '  '}${String(n + 1).padStart(3)}. x${n}`,
    )
    expect(seen(...rows)).toHaveLength(10)
  })

  test('are not what an option holds further right, pointer and numbers and all', () => {
    expect(seen(' ❯ 1. Yes', '   2. Yes, for all', '      ❯ 1. No', '      2. Yes', '   3. No')).toEqual(
      first,
    )
    expect(
      seen('❯ 1. Yes', '     ❯ 1. Keep as it is', '  2. Yes, for all', '     3. Nothing', '  3. No'),
    ).toEqual(first)
    expect(seen(' ❯ 1. Yes', '   2. Yes, for all', '      3. Never', '   3. No')).toEqual(first)
  })

  test('are not what several of them hold, behind empty rows and lines too', () => {
    const inner = (...rows: readonly string[]) =>
      seen('❯ 1. Yes', ...rows, '  2. Yes, for all', ...rows, '  3. No')
    const fake = ['     ❯ 1. Keep as it is', '       2. Drop']
    expect(inner(...fake)).toEqual(first)
    expect(inner('     Details:', '', ...fake)).toEqual(first)
    expect(inner(`     ${'─'.repeat(40)}`, ...fake, '     a', '     b', '     c', '     d')).toEqual(first)
    expect(inner('     Details:', '', '     more', '', ...fake, '')).toEqual(first)
  })

  test('are not what they hold where a colour alone shows which is pointed at', () => {
    const list = ['1 Deploy', '2 Wait', '3 Type your own answer']
    const fake = ['   ❯ 1. Keep', '     2. Drop']
    expect(
      seen('What now?', '', '1. Deploy', ...fake, '2. Wait', ...fake, '3. Type your own answer'),
    ).toEqual(list)
    expect(seen('1. Deploy', '   Details:', '', ...fake, '2. Wait', '3. Type your own answer')).toEqual(list)
    expect(seen('1. Deploy', '2. Wait', ...fake)).toEqual(list.slice(0, 2))
    // The pointer that is written where the colour is.
    expect(seen('❯ 1. Deploy', ...fake, '2. Wait', ...fake, '3. Type your own answer')).toEqual([
      '❯ 1 Deploy',
      ...list.slice(1),
    ])
    expect(seen('1. Deploy', ...fake, '❯ 2. Wait', ...fake, '3. Type your own answer')).toEqual([
      '1 Deploy',
      '❯ 2 Wait',
      '3 Type your own answer',
    ])
    // A plan above the options, which stand further right.
    expect(seen('1. Read it', '2. Change it', '', 'Go on?', '  ❯ 1. Yes', '    2. No')).toEqual([
      '❯ 1 Yes',
      '2 No',
    ])
  })

  test('that either of two lists may be point at nothing', () => {
    const pointers = (...rows: readonly string[]) => seen(...rows)?.filter(one => one.startsWith('❯'))
    expect(pointers(' ❯ 1. Yes', '   2. Yes, for', ' ❯ 1. No', '   2. Yes', '   3. No')).toEqual([])
    expect(pointers(' ❯ 1. Yes', '   2. No, and tell why', '      ❯ 1. No', '      2. Yes')).toEqual([])
    expect(pointers('❯ Yes', '  No', '    ❯ Yes', '      No')).toEqual([])
    const inner = ['      ❯ 1. No', '        2. Yes']
    expect(pointers(' ❯ 1. Yes', ...inner, '   2. No, and tell why', ...inner)).toEqual([])
  })

  test('are the lowest list where an empty row, a line or something further left stands between', () => {
    const above = [' ❯ 1. Run it', '   2. Stop']
    const list = [' ❯ 1. Yes', '   2. Yes, for all', '   3. No']
    for (const between of [
      [''],
      ['─'.repeat(40)],
      ['  E', ' Do you want to proceed?'],
      ['Do you want to proceed?'],
    ])
      expect([between, seen(...above, ...between, ...list)]).toEqual([between, first])
  })
})
