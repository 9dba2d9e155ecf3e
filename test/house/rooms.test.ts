import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { circles, foldersBack, importsBack, strays } from '../../scripts/house/graph.ts'
import { parseModule, readModules, readRepository } from '../../scripts/house/modules.ts'
import { impuritiesOf, isMarkedPure } from '../../scripts/house/purity.ts'
import { folderWidths, repeatedNames } from '../../scripts/house/sizes.ts'

const root = path.resolve(import.meta.dirname, '../..')
const modules = readModules(path.join(root, 'src'))
const repository = readRepository(root)

/** A house of files that a test plants. */
const planted = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([file, text]) => parseModule(file, text))

describe('the rooms', () => {
  test('every file stands in one, or is a public door', () => expect(strays(modules)).toEqual([]))

  test('import to the left only', () => expect(importsBack(modules)).toEqual([]))

  test('an import to the right would be found, of a type as well', () => {
    const house = planted({ 'core/a.ts': "import type { B } from '../agents/b.ts'", 'agents/b.ts': '' })
    expect(importsBack(house)).toEqual(['core/a.ts imports agents/b.ts'])
    expect(importsBack(planted({ 'core/a.ts': "import '../index.ts'" }))).toHaveLength(1)
  })

  test('a face that goes round the doors would be found', () => {
    const house = planted({
      'cli/a.ts': "import '../core.ts'\nimport '../run/run.ts'\nimport '../os/attempt.ts'",
      'os/attempt.ts': '',
    })
    expect(importsBack(house)).toEqual(['cli/a.ts imports os/attempt.ts'])
  })

  test('a page sees the core and the shapes only', () => {
    const house = planted({ 'page/a.ts': "import '../core/b.ts'\nimport type { B } from '../agents/b.ts'" })
    expect(importsBack(house)).toEqual(['page/a.ts imports agents/b.ts'])
  })

  test('do nothing by being imported: the build of the package leaves such an import out', () => {
    const bare = modules.filter(({ file, text }) => !file.startsWith('page/') && /^import '/m.test(text))
    expect(bare.map(({ file }) => file)).toEqual([])
  })

  test('hold no circle, not even of types', () => expect(circles(modules, 'all')).toEqual([]))

  test('nor do the scripts, the benches and the tests', () => expect(circles(repository, 'all')).toEqual([]))

  test('the sources import no script, a script no bench, a bench no test', () =>
    expect(foldersBack(repository)).toEqual([]))

  test('a bench that imports a test would be found, of a type as well', () => {
    const house = planted({
      'bench/a.ts': "import type { A } from '../test/a.ts'\nimport '../src/a.ts'",
      'src/core/b.ts': "import '../../scripts/b.ts'",
    })
    expect(foldersBack(house)).toEqual(['bench/a.ts imports test/a.ts', 'src/core/b.ts imports scripts/b.ts'])
  })

  test('a circle would be found: of three, of types, and through a second door', () => {
    const house = planted({
      'core/a.ts': "import { b } from './b.ts'",
      'core/b.ts': "export * from './c.ts'",
      'core/c.ts': "type A = import('./a.ts').A",
      'core/d.ts': "import './a.ts'",
    })
    expect(circles(house, 'all')).toEqual([['core/a.ts', 'core/b.ts', 'core/c.ts']])
    expect(circles(house, 'values')).toEqual([])
  })
})

describe('what decides is pure', () => {
  test('it reaches for nothing, and imports nobody who does', () => expect(impuritiesOf(modules)).toEqual([]))

  test.each([
    'core/judge/judge.ts',
    'agents/claude/hooks.ts',
    'process/closure/diagnose.ts',
    'terminal/classify/classify.ts',
    'loop/step/loop-step.ts',
    'sessions/wait/wait-step.ts',
    'process/pair-step.ts',
    'terminal/stream-step.ts',
  ])('%s is one of them', file => {
    expect(modules.filter(isMarkedPure).map(module => module.file)).toContain(file)
  })

  test.each([
    'const now = Date.now()',
    'const now = () => performance.now()',
    'setTimeout(() => {}, 1)',
    'const { pid } = process',
    'const id = globalThis.crypto.randomUUID()',
    'const luck = Math.random()',
    "const luck = Math['random']()",
    'const { random } = Math',
    'fetch(`http://localhost`)',
    'const at = import.meta.url',
    "import fs from 'node:fs'",
    "import { x } from 'pino'",
    "const { x } = await import('node:os')",
    'function f(process: number) {}\nf(process.pid)',
  ])('%s would be found', text => {
    expect(impuritiesOf(planted({ 'core/planted.ts': text }))).not.toEqual([])
  })

  test.each([
    '/** Date.now() */ const text = "setTimeout, process.pid"',
    'const f = (process: { pid: number }) => process.pid',
    'const row = { process: 1, Date: 2 }; row.process + row.Date',
    'const most = Math.max(1, 2)',
    "import type { Stats } from 'node:fs'",
  ])('%s is nothing of the kind', text => {
    expect(impuritiesOf(planted({ 'core/planted.ts': text }))).toEqual([])
  })

  test('a clock would be found wherever it is hidden', () => {
    const clock = 'export const now = () => Date.now()'
    const uses = (up: string) => `export { now } from '${up}/os/between.ts'`
    const between = "export { now } from './clock.ts'"
    for (const [file, up] of [
      ['core/a.ts', '..'],
      ['agents/b/a.ts', '../..'],
      ['run/closure/a.ts', '../..'],
      ['run/classify/a.ts', '../..'],
      ['run/step/a.ts', '../..'],
      ['run/a-step.ts', '..'],
    ] as const)
      expect(
        impuritiesOf(planted({ [file]: uses(up), 'os/between.ts': between, 'os/clock.ts': clock })),
      ).toEqual(['os/between.ts imports os/clock.ts, which reaches for a clock: Date, in line 1'])
    const claimed = planted({ 'cli/a.ts': `/** Tells rows apart. Pure. */\n${clock}` })
    expect(impuritiesOf(claimed)).toEqual(['cli/a.ts reaches for a clock: Date, in line 2'])
    expect(impuritiesOf(planted({ 'cli/a.ts': clock }))).toEqual([])
  })
})

describe('sizes', () => {
  test('no file grows beyond 300 lines', () =>
    expect(modules.filter(({ lines }) => lines > 300).map(({ file }) => file)).toEqual([]))

  test('no folder holds more than 24 files', () =>
    expect(folderWidths(modules).filter(([, files]) => files > 24)).toEqual([]))

  test('a name is a file’s own, but in the folders of the agents, which are alike', () =>
    expect(repeatedNames(modules).length).toBeLessThanOrEqual(1))
})
