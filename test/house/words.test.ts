/** docs/words.md holds in code: a word that was replaced names nothing any more, and a type's name names one type. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Module, parseModule, readModules, walk } from '../../scripts/house/modules.ts'

const root = path.resolve(import.meta.dirname, '../..')
const modules = readModules(path.join(root, 'src'))

/** The first column of the glossary's last table. */
const replaced = (readFileSync(path.join(root, 'docs/words.md'), 'utf8').split('## Replaced')[1] ?? '')
  .split('\n')
  .flatMap(line => /^\| `(\w+)`/.exec(line)?.[1] ?? [])

/** `ownLive` is a word, and so is each part of it. */
const wordsOf = (name: string): readonly string[] => [
  name,
  ...name.split(/(?=[A-Z])|_/).map(part => part.toLowerCase()),
]

function identifiersOf({ program }: Module): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, node => {
    if (node.type === 'Identifier' && 'name' in node) names.add(String(node.name))
  })
  return names
}

const replacedIn = (sources: readonly Module[]): readonly string[] =>
  sources.flatMap(module =>
    [...identifiersOf(module)]
      .filter(name => wordsOf(name).some(word => replaced.includes(word)))
      .map(name => `${module.file}: ${name}`),
  )

function repeatedTypes(sources: readonly Module[]): readonly string[] {
  const files = new Map<string, string[]>()
  for (const { file, text } of sources)
    for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class) (\w+)\b(?=[ =<{])/gm))
      files.set(name, [...(files.get(name) ?? []), file])
  return [...files].filter(([, all]) => all.length > 1).map(([name, all]) => `${name}: ${all.join(', ')}`)
}

test('the glossary names the words that it replaced', () => expect(replaced).toContain('ownLive'))

test('a replaced word names nothing', () => expect(replacedIn(modules)).toEqual([]))

test('a replaced word would be found, also as a part of a name', () => {
  const planted = parseModule(
    'core/a.ts',
    'const tame = 1; const isRipe = { ownLive: tame }; const stripe = isRipe',
  )
  expect(replacedIn([planted])).toEqual(['core/a.ts: tame', 'core/a.ts: isRipe', 'core/a.ts: ownLive'])
})

test('no two exported types share a name', () => expect(repeatedTypes(modules)).toEqual([]))

test('a second type of a name would be found', () => {
  const planted = ['core/a.ts', 'os/b.ts'].map(file => parseModule(file, 'export type Where<T> = T'))
  expect(repeatedTypes(planted)).toEqual(['Where: core/a.ts, os/b.ts'])
})
