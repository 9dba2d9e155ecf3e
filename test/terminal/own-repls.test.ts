/** A person's own REPLs: what `repls.yaml` may hold, and the sentence for each mistake in it. */
import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import type { Repl } from '../../src/terminal/classify/repl/repl-rows.ts'
import { readReplsFile } from '../../src/terminal/repls-file.ts'
import { temporaryFile } from '../support/lull.ts'
import { probeOf, process, word } from '../support/probes.ts'

const read = (text: string) => {
  const file = temporaryFile('repls.yaml', text)
  const found = readReplsFile(file)
  if (!found) throw new Error('nothing was read')
  return 'rows' in found ? found : { mistakes: found.mistakes.map(one => one.replace(file, 'repls.yaml')) }
}

const rowsOf = (text: string): readonly Repl[] => {
  const found = read(text)
  if ('mistakes' in found) throw new Error(found.mistakes.join('; '))
  return found.rows
}

describe('a program of repls.yaml', () => {
  const repls = rowsOf(`
- programs: [ledgerd]
  prompt: '^ledger> '
  continuation: '^\\.\\.\\. '
  arguments: [--quiet, --book FILE]
  reads: lines
- programs: [bookdb]
  prompt: '^books\\(\\w+\\): '
  arguments: any
`)
  const at = (command: string, line: string, mode = 'CE', above: readonly string[] = []) =>
    classify(probeOf([process(command, 'read(1024)')], { mode, line, above }), { ...nothingLearned, repls })

  test.each([
    ['ledgerd', 'ledger> ', 'idle/repl'],
    ['ledgerd2.1', 'ledger> ', 'idle/repl'],
    ['ledgerd --quiet --book a.db', 'ledger> ', 'idle/repl'],
    ['ledgerd --book=a.db', 'ledger> ', 'idle/repl'],
    ['ledgerd', '... ', 'waiting/input'],
    ['ledgerd', 'Which account> ', 'waiting/input'],
    ['ledgerd close-month.led', 'ledger> ', 'waiting/input'],
    ['ledgerd --quiet --book a.db close-month.led', 'ledger> ', 'waiting/input'],
    ['ledgerd --book --book close-month.led', 'ledger> ', 'waiting/input'],
    ['bookdb main', 'books(main): ', 'idle/repl'],
    ['other', 'ledger> ', 'waiting/input'],
  ])('%s at %j: %s', (command, line, expected) => expect(word(at(command, line))).toBe(expected))

  test('asks something where it reads otherwise than at its prompt', () => {
    expect(word(at('ledgerd', 'ledger> ', 'ce'))).toBe('waiting/input')
  })

  test('asks something where its instructions come from elsewhere', () => {
    const fed = { ...process('ledgerd', 'read(1024)'), isFed: true as const }
    const probe = probeOf([fed], { mode: 'CE', line: 'ledger> ' })
    expect(word(classify(probe, { ...nothingLearned, repls }))).toBe('waiting/input')
  })

  test('asks something where the line that was typed holds its prompt', () => {
    const above = ['ledger> ask("ledger> ")']
    expect(word(at('ledgerd', 'ledger> ', 'CE', above))).toBe('waiting/input')
  })

  test('is surer where it runs no programs', () => {
    expect(at('ledgerd', 'ledger> ').tier).toBe('inferred')
    expect(at('bookdb', 'books(main): ').tier).toBe('seen')
  })

  test('comes before the row of lull for it', () => {
    const own = rowsOf("- programs: [octave-cli]\n  prompt: '^>> '\n")
    const judged = (line: string) =>
      word(
        classify(probeOf([process('octave-cli', 'pselect6')], { mode: 'ce', line }), {
          ...nothingLearned,
          repls: own,
        }),
      )
    expect(judged('>> ')).toBe('idle/repl')
    expect(judged('octave:1> ')).toBe('waiting/input')
  })
})

describe('repls.yaml', () => {
  test('may be empty', () => expect(read('')).toEqual({ rows: [] }))

  test.each([
    ['programs: [a]', ['repls.yaml: the file must be a list of REPLs, each with programs and prompt']],
    ['- bc', ['repls.yaml:1:3: [0] must be a mapping of programs and prompt']],
    ["- prompt: '^a> '", ['repls.yaml:1:3: [0].programs is missing: it must be a list of names']],
    [
      '- programs: [a]',
      ['repls.yaml:1:3: [0].prompt is missing: it must be a regular expression, like ^mytool> '],
    ],
    [
      "- programs: [/usr/bin/a]\n  prompt: '^a> '",
      ["repls.yaml:1:14: [0].programs[0] must be a program's name without folder and version, like mytool"],
    ],
    ["- programs: []\n  prompt: '^a> '", ['repls.yaml:1:13: [0].programs must have a name']],
    [
      "- programs: [a]\n  prompt: 'a> '",
      ['repls.yaml:2:11: [0].prompt must begin with ^: it is held against the whole line up to the cursor'],
    ],
    [
      "- programs: [a]\n  prompt: '^(a> '",
      ['repls.yaml:2:11: [0].prompt: the pattern ^(a>  can’t be read: unterminated group at position 1'],
    ],
    [
      "- programs: [a]\n  prompt: '^.*'",
      ['repls.yaml:2:11: [0].prompt also matches an empty line: write out what the prompt alone has'],
    ],
    [
      "- programs: [a]\n  prompt: '^.*: '",
      [
        'repls.yaml:2:11: [0].prompt also matches the question "Password: ": write out what the prompt alone has',
      ],
    ],
    [
      "- programs: [a]\n  prompt: '^a> '\n  arguments: all",
      ['repls.yaml:3:14: [0].arguments must be any, or a list of options'],
    ],
    [
      "- programs: [a]\n  prompt: '^a> '\n  arguments: [-q, x.a]",
      [
        'repls.yaml:3:19: [0].arguments[1] must be an option, like --quiet, or --path DIR where a word follows',
      ],
    ],
    [
      "- programs: [a]\n  prompt: '^a> '\n  reads: bytes",
      ['repls.yaml:3:10: [0].reads must be keys or lines'],
    ],
    [
      "- programs: [a]\n  prompts: '^a> '\n  prompt: '^a> '",
      ['repls.yaml:2:12: [0].prompts is no field: there is programs, prompt, continuation, arguments, reads'],
    ],
    ['- programs: [a', [expect.stringMatching(/^repls\.yaml:1:15: not YAML: /)]],
  ])('names the place of each mistake, and what would be right: %j', (text, mistakes) => {
    expect(read(text)).toEqual({ mistakes })
  })

  test('is not read where others may write it', () => {
    const file = temporaryFile('repls.yaml', "- programs: [a]\n  prompt: '^a> '\n")
    chmodSync(file, 0o666)
    expect(readReplsFile(file)).toEqual({ mistakes: [expect.stringContaining('it must be yours alone')] })
  })
})
