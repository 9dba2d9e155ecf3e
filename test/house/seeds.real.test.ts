/**
 * What docs/seeds.md says is shown by a command is: each of its commands selects something, on this machine, now. And each
 * assumption that a proof rests on names its test in docs/process.md, and that test is there.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { scenarios } from '../../bench/terminal/scenarios.ts'
import { testsOf } from '../support/listed-tests.ts'
import { lullHere } from '../support/lull-here.ts'
import { codeOf, textOf } from '../support/markdown.ts'

/** A `|` within a table stands behind a `\`. */
const commands = [...new Set(codeOf('docs/seeds.md'))].map(code => code.replaceAll('\\|', '|'))
const of = (word: string): string[] => commands.filter(code => code.startsWith(`${word} `))

type Shown = { readonly command: string; readonly file: string; readonly pattern: string | undefined }

/** What a shell would make of `T FILE`, `T FILE -t WORD`, `T FILE -t "WORDS"`. */
function shownBy(command: string): Shown {
  const parts = /^T (\S+\.test\.ts)(?: -t (?:"([^"]+)"|([^\s"]+)))?$/.exec(command)
  return { command, file: parts?.[1] ?? '', pattern: parts?.[2] ?? parts?.[3] }
}

type Proven = { readonly row: string; readonly file: string; readonly pattern: string }

/** The assumptions of a page: the table below the heading, but for its two head lines. */
const rowsOf = (page: string): string[] => {
  const [, section = ''] = page.split('\n## Assumptions\n')
  const table = section.slice(0, section.indexOf('\n\n', section.indexOf('|')))
  return table
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
}

/** `FILE`, `FILE -t WORD`, or `FILE -t "WORDS"` in its last cell; a word that follows is another of the same file. */
function provenBy(row: string): Proven[] {
  const cell = row.split('|').at(-2) ?? ''
  const codes = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  const [, name] = /^(\S+\.test\.ts)/.exec(codes[0] ?? '') ?? []
  if (name === undefined) return []
  const file = name.startsWith('../') ? name.replace('..', 'test') : `test/process/${name}`
  const patterns = codes.map(code => code.replace(/^\S+\.test\.ts(?: -t )?/, '').replaceAll('"', ''))
  return patterns.map(pattern => ({ row, file, pattern }))
}

const shown = of('T').map(shownBy)
const rows = rowsOf(textOf('docs/process.md'))
const proven = rows.flatMap(provenBy)

let listed: ReadonlyMap<string, readonly string[]> = new Map()

const selects = ({ file, pattern = '' }: Pick<Shown, 'file' | 'pattern'>): boolean =>
  (listed.get(file) ?? []).some(name => new RegExp(pattern).test(name))

/** First as they stand in the files; what is not among these is of a table, or made: its file is loaded. */
beforeAll(async () => {
  const all = [...shown, ...proven]
  const filesOf = (entries: typeof all) => entries.map(({ file }) => file)
  listed = await testsOf(filesOf(all), 'read')
  const others = all.filter(one => !selects(one))
  listed = new Map([...listed, ...(await testsOf(filesOf(others), 'loaded'))])
}, 300_000)

test('each assumption of docs/process.md has a test that is there', () => {
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter(row => provenBy(row).length === 0)).toEqual([])
  expect(proven.filter(one => !selects(one))).toEqual([])
})

describe('the commands of docs/seeds.md', () => {
  test('each that runs tests selects some', () => {
    expect(shown.filter(({ file }) => file === '').map(({ command }) => command)).toEqual([])
    expect(shown.filter(entry => !selects(entry)).map(({ command }) => command)).toEqual([])
    expect(shown.length).toBeGreaterThan(80)
    expect(selects({ file: 'test/run/presets.test.ts', pattern: 'no such test' })).toBe(false)
  })

  test('each that runs scenarios of a benchmark selects some', () => {
    const known = new Set(scenarios.flatMap(({ name, group }) => [name, group as string]))
    const sections = textOf('bench/terminal.ts')
    const wrong = of('B').filter(command => {
      const [, flag, word = ''] = /^B -- --(only|section) "?([^"]+)"?$/.exec(command) ?? []
      return flag === 'only' ? !known.has(word) : !new RegExp(`async ${word}\\(stage`).test(sections)
    })
    expect(wrong).toEqual([])
  })

  test('each that npm runs is a script of this package', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> }
    expect(of('npm').filter(command => !(command.replace(/^npm (run )?/, '') in scripts))).toEqual([])
  })

  test.each(of('lull'))('%s has its options', async command => {
    const [before = ''] = command.split(' -- ')
    const words = before.split(' ').slice(1)
    const names = words[0] === 'hooks' ? words.slice(0, 2) : words.slice(0, 1)
    const { code, stdout } = await lullHere([...names, '--help'])
    const missing = words.filter(word => word.startsWith('--') && !stdout.includes(word))
    expect({ code, missing }).toEqual({ code: 0, missing: [] })
  })
})
