/** What the pages show is so: listings are the real output, commands and flags exist, programs are sound. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { splitWords } from '../../src/os/spawn/shell-words.ts'
import { builtPackage, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { codeOf, type Fence, fencesOf, pages, repository, textOf } from '../support/markdown.ts'

/** docs/library.md has a test of its own. */
const fences = pages.filter(page => page !== 'docs/library.md').flatMap(fencesOf)

/** The commands of an example, without prompt, comment and what `&&` adds, each with the lines that follow it. */
function commandsOf({ language, text }: Fence): { command: string; output: string[] }[] {
  const found: { command: string; output: string[] }[] = []
  for (const line of text.trimEnd().split('\n')) {
    if (language !== 'console' || line.startsWith('$ ')) {
      const typed = line.replace(/^\$ /, '').replace(/\s+# .*$/, '')
      for (const command of typed.split(' && ')) found.push({ command, output: [] })
    } else if (line !== '') found.at(-1)?.output.push(line)
  }
  return found
}

const shown = fences
  .filter(fence => ['console', 'sh'].includes(fence.language) || /^lull /.test(fence.text))
  .flatMap(fence => commandsOf(fence).map(example => ({ page: fence.page, ...example })))

describe('listings', () => {
  /** Only recordings say the same each time and everywhere. */
  const listings = shown.filter(
    ({ command, output }) => /^lull (replay|explain) demo/.test(command) && output.length,
  )

  test('there are some', () => expect(listings.length).toBeGreaterThanOrEqual(2))

  test.each(listings)('$page: $command', async ({ page, command, output }) => {
    const { code, stdout } = await lullHere(splitWords(command).slice(1))
    const printed = stdout.split('\n').filter(line => line !== '')
    const kept = printed.filter(line => output.includes(line))
    expect({ code, kept }).toEqual({ code: 0, kept: output })
    const leftOut = printed.length - kept.length
    if (leftOut > 0) expect(textOf(page)).toContain(`leaves out ${numbers[leftOut]} of its rows`)
  })
})

/** As the pages write numbers. */
const numbers = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

describe('commands', () => {
  /** A command in running text may hold placeholders: `lull host start|stop|status [--json]`. */
  const inProse = pages
    .filter(page => page !== 'CHANGELOG.md')
    .flatMap(page => codeOf(page).map(command => ({ page, command })))
  const ours = [...shown, ...inProse].filter(({ command }) => /^lull [a-z]/.test(command))

  test.each([...new Set(ours.map(({ command }) => command))])('%s', async command => {
    const [typed = ''] = command.replace(/^lull /, '').split(' -- ')
    const words = typed.match(/[^\s[\]|]+/g) ?? []
    const [name = '', ...rest] = words
    const path = [name]
    let of = await helpOf(path)
    for (const word of rest) {
      if (!of.commands.includes(word)) break
      path.push(word)
      of = await helpOf(path)
    }
    const { flags } = of
    expect((await helpOf([])).commands).toContain(name)
    expect(words.filter(word => /^--?[a-z]/.test(word) && !flags.includes(word.replace(/=.*/, '')))).toEqual(
      [],
    )
  })

  /** The script of a reader's own project, on the front page. */
  const somebodys = 'deploy'

  test('those of npm are scripts of the package', () => {
    const { scripts } = JSON.parse(textOf('package.json'))
    const called = [...shown, ...inProse].flatMap(({ command }) => [
      ...command.matchAll(/npm run ([\w:-]+)/g),
    ])
    const names = new Set(called.map(([, name]) => name as string))
    names.delete(somebodys)
    expect(names.size).toBeGreaterThan(5)
    expect([...names].filter(name => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

type Help = { readonly commands: readonly string[]; readonly flags: readonly string[] }

const helps = new Map<string, Promise<Help>>()

/** What `--help` lists. Each page of help is asked for once. */
function helpOf(words: readonly string[]): Promise<Help> {
  const key = words.join(' ')
  const known = helps.get(key) ?? readHelp(words)
  helps.set(key, known)
  return known
}

async function readHelp(words: readonly string[]): Promise<Help> {
  const { stdout } = await lullHere([...words, '--help'])
  const [, below = ''] = stdout.split('\nOptions:\n')
  // The groups of commands follow, under headings of their own.
  const [options = '', ...groups] = (below.split('\nExamples:\n')[0] ?? '').split('\n\n')
  const commands = groups.join('\n')
  return {
    flags: [...options.matchAll(/^ {2}(-\w)?(?:, )?(--[\w-]+)?/gm)].flatMap(([, short, long]) =>
      [short, long].filter(flag => flag !== undefined),
    ),
    commands: [...commands.matchAll(/^ {2}(\w\S*)/gm)].flatMap(([, name = '']) => name.split('|')),
  }
}

describe('programs', () => {
  /** The declarations of the built package, which are read faster; else the sources. */
  const types = builtPackage === undefined ? '.ts' : '.d.ts'
  const source =
    builtPackage === undefined
      ? path.join(repository, 'src/index.ts')
      : path.join(builtPackage, 'dist/index.d.ts')

  /** A package that has this library, as it stands in the repository, as a dependency. */
  function packageWithLull(): string {
    const folder = temporaryFolder()
    const library = path.join(folder, 'node_modules/lull')
    mkdirSync(library, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(path.join(library, 'package.json'), '{"type":"module","exports":"./index.js"}')
    writeFileSync(path.join(library, 'index.js'), `export * from ${JSON.stringify(source)}\n`)
    return folder
  }

  test('the type checker has nothing to say of them', () => {
    const folder = packageWithLull()
    const files = fences
      .filter(({ language }) => language === 'ts')
      .map(({ text }, n) => {
        writeFileSync(path.join(folder, `program-${n}.ts`), text)
        return `program-${n}.ts`
      })
    const config = {
      extends: path.join(repository, 'tsconfig.json'),
      compilerOptions: {
        paths: { lull: [source], 'lull/*': [path.join(path.dirname(source), `*${types}`)] },
        typeRoots: [path.join(repository, 'node_modules/@types')],
      },
      include: files,
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    const checker = path.join(repository, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [checker, '--singleThreaded', '-p', folder], {
      encoding: 'utf8',
    })
    expect(files.length).toBeGreaterThanOrEqual(3)
    expect(stdout).toBe('')
  })
})
