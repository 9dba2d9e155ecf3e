/** What docs/seeds.md says is shown by a command is: each of its commands selects something, on this machine, now. */
import { describe, expect, test } from 'vitest'
import { scenarios } from '../../bench/terminal/scenarios.ts'
import { testsOf } from '../support/listed-tests.ts'
import { lull } from '../support/lull.ts'
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

describe('the commands of docs/seeds.md', () => {
  test('each that runs tests selects some', { timeout: 300_000 }, async () => {
    const shown = of('T').map(shownBy)
    expect(shown.filter(({ file }) => file === '').map(({ command }) => command)).toEqual([])
    const names = await testsOf(shown.map(({ file }) => file))
    const selects = ({ file, pattern = '' }: Shown): boolean =>
      (names.get(file) ?? []).some(name => new RegExp(pattern).test(name))
    expect(shown.filter(entry => !selects(entry)).map(({ command }) => command)).toEqual([])
    expect(shown.length).toBeGreaterThan(80)
    expect(selects({ command: '', file: 'test/run/presets.test.ts', pattern: 'no such test' })).toBe(false)
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
    const { code, stdout } = await lull([...names, '--help'])
    const missing = words.filter(word => word.startsWith('--') && !stdout.includes(word))
    expect({ code, missing }).toEqual({ code: 0, missing: [] })
  })
})
