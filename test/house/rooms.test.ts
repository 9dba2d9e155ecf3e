import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../../src')

/** The floors of the house, the topmost first: each imports only from those before it, and from itself. */
const floors = [
  'core',
  'agents',
  'os',
  'process',
  'terminal',
  'track',
  'hooks',
  'sessions',
  'drive',
  'run',
  'loop',
  'host',
  'cli',
]
const faces = ['cli']

const files = globSync('**/*.ts', { cwd: source }).map(file => ({
  file,
  floor: file.includes('/') ? (file.split('/')[0] as string) : 'entry',
  text: readFileSync(path.join(source, file), 'utf8'),
}))

const imports = (text: string): string[] =>
  [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(match => match[1] as string)

const floorOf = (file: string, imported: string): string | undefined =>
  imported.startsWith('.') ? path.join(path.dirname(file), imported).split('/')[0] : undefined

describe('the floors', () => {
  test('every file stands on a known floor, or is the public entry', () => {
    const strays = files.filter(({ file, floor }) => !floors.includes(floor) && file !== 'index.ts')
    expect(strays.map(({ file }) => file)).toEqual([])
  })

  test('each floor imports only floors above it, and no face another face', () => {
    const wrong = files.flatMap(({ file, floor, text }) =>
      imports(text).flatMap(imported => {
        const to = floorOf(file, imported)
        if (floor === 'entry' || to === undefined || to === floor) return []
        const isAbove = floors.indexOf(to) < floors.indexOf(floor)
        return isAbove && !faces.includes(to) ? [] : [`${file} imports ${imported}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  const mustBePure = ({ file, floor }: { file: string; floor: string }) =>
    floor === 'core' || floor === 'agents' || /closure\/|(classify|step|paint)\.ts$/.test(file)

  const impurities: readonly (readonly [string, RegExp])[] = [
    ['a clock', /\bDate\b|performance\./],
    ['a timer', /set(Timeout|Interval|Immediate)|queueMicrotask/],
    ['chance', /Math\.random|randomUUID/],
    ['the process', /\bprocess\.(?!$)\w+|globalThis/],
    ['node', /'node:/],
  ]

  test.each(impurities)('core, agents and the deciding files know nothing of %s', (_, pattern) => {
    const impure = files
      .filter(mustBePure)
      .filter(({ text }) =>
        pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'[^'\n]*process[^'\n]*'/g, '')),
      )
    expect(impure.map(({ file }) => file)).toEqual([])
  })

  test('the pattern of a pure file would catch a clock', () => {
    expect(impurities[0]?.[1].test('const now = Date.now()')).toBe(true)
  })

  test('no file grows beyond 300 lines', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)).toEqual([])
  })
})
