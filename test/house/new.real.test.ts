/** `npm run new`: what it writes into a copy of the repository is sound, and what it refuses leaves all as it was. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { circles, importsBack, strays } from '../../scripts/house/graph.ts'
import { readModules } from '../../scripts/house/modules.ts'
import { impuritiesOf } from '../../scripts/house/purity.ts'
import { applyEdit, type Edit } from '../../scripts/new/scaffold.ts'
import { temporaryFolder } from '../support/lull.ts'
import { repository } from '../support/markdown.ts'

const parts =
  'src test bench scripts docs bin tsconfig.json biome.json package.json vitest.config.ts .gitignore README.md'

/** A copy in which things can be made; its packages are those of the repository. */
function copy(): string {
  const folder = temporaryFolder()
  for (const part of parts.split(' '))
    cpSync(path.join(repository, part), path.join(folder, part), { recursive: true })
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

let folder: string
beforeAll(() => {
  folder = copy()
})

function make(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/new.ts', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

function expectSound(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(path.join(folder, 'node_modules/.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    // Its own sources, and no package that was built of others.
    env: { ...process.env, LULL_BIN: undefined },
  })
  expect(status, `${program}: ${stdout}${stderr}`).toBe(0)
}

// Before anything is made there.
test('what can’t be is one sentence, and nothing is written', () => {
  const before = readFileSync(path.join(folder, 'src/agents/agent-names.ts'), 'utf8')
  for (const [words, sentence] of [
    [[], 'what is to be made? npm run new -- agent NAME'],
    [['room', 'x'], 'what is to be made?'],
    [['agent'], 'which name?'],
    [['agent', 'New Agent'], 'New Agent: must be a name of small letters and digits'],
    [['agent', '../x'], '../x: must be a name'],
    [['agent', 'class'], 'class: that name means something else'],
    [['agent', 'claude'], 'src/agents/claude/agent.ts exists'],
    [['cause', 'timer'], 'the cause timer exists'],
    [['command', 'ps'], 'lull ps exists'],
    [['command', 'tally', 'room'], 'room: no such group of commands; there are session'],
  ] as const) {
    const { code, stderr } = make(...words)
    expect(stderr).toContain(sentence)
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
  }
  expect(readFileSync(path.join(folder, 'src/agents/agent-names.ts'), 'utf8')).toBe(before)
  expect(existsSync(path.join(folder, 'src/agents/class'))).toBe(false)
})

test('an agent, a cause and a command: they compile, and their tests pass', { timeout: 600_000 }, () => {
  const files: string[] = []
  for (const [kind, name] of [
    ['agent', 'newbie'],
    ['cause', 'gpu_hang'],
    ['command', 'tally'],
  ] as const) {
    const { code, stdout, stderr } = make(kind, name)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^new: src\/[\s\S]*^new: test\/[\s\S]*^changed: [\s\S]*^left to do:\n {2}\w/m)
    files.push(...[...stdout.matchAll(/^(?:new|changed): (\S+\.ts)/gm)].map(([, file = '']) => file))
  }
  expect(files).toContain('src/agents/newbie/agent.ts')
  // With what they import, which is most of the sources: the whole takes twice as long.
  writeFileSync(
    path.join(folder, 'made.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [], files }),
  )
  expectSound('tsc', '--singleThreaded', '--noEmit', '-p', 'made.json')
  expectSound('biome', 'check', '--error-on-warnings', 'src/agents', 'src/process', 'src/cli', 'test/agents')
  const tests = ['test/agents/newbie', 'test/process/closure-gpu-hang', 'test/cli/tally']
  expectSound('vitest', 'run', ...tests)
  // As test/house/rooms.test.ts has it of the sources.
  const modules = readModules(path.join(folder, 'src'))
  expect(modules.map(({ file }) => file)).toContain('agents/newbie/agent.ts')
  expect(strays(modules)).toEqual([])
  expect(importsBack(modules)).toEqual([])
  expect(circles(modules, 'all')).toEqual([])
  expect(impuritiesOf(modules)).toEqual([])
})

describe('an edit', () => {
  const edit = (at: RegExp, where: Edit['where'] = 'before'): Edit => ({ file: 'f', at, where, text: '+' })

  test.each([
    ['before its place', edit(/b/), 'a+b'],
    ['after it', edit(/a/, 'after'), 'a+b'],
    ['nowhere where there is no such place', edit(/c/), undefined],
    ['nor where there are two', edit(/./), undefined],
  ])('%s', (_, change, result) => expect(applyEdit('ab', change)).toBe(result))
})
