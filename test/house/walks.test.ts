/** The walks of docs/architecture.md: their files exist, import each other, and name one thing by few names. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readModules } from '../../scripts/house/modules.ts'
import { repository, textOf } from '../support/markdown.ts'

const modules = new Map(readModules(path.join(repository, 'src')).map(module => [module.file, module]))

type Walk = { readonly title: string; readonly files: readonly string[]; readonly names: readonly string[] }

const walks: readonly Walk[] = textOf('docs/architecture.md')
  .split('\n\n')
  .filter(part => part.startsWith('_') && part.includes('→'))
  .map(part => {
    const [way = '', names = ''] = part.replaceAll('\n', ' ').split('On the way it is called')
    const codeOf = (text: string): string[] =>
      [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)
    return { title: /_(.*?)_/.exec(part)?.[1] ?? '', files: codeOf(way), names: codeOf(names) }
  })

const importsOf = (file: string): readonly string[] =>
  modules.get(file)?.imports.flatMap(({ to, isPackage }) => (isPackage ? [] : [to])) ?? []

const isNextTo = (a: string, b: string): boolean => importsOf(a).includes(b) || importsOf(b).includes(a)

const declares = (file: string, name: string): boolean =>
  new RegExp(`^export type ${name}\\b`, 'm').test(modules.get(file)?.text ?? '')

test('there are three: a hook, processes, a terminal', () => expect(walks).toHaveLength(3))

describe.each(walks)('$title', ({ files, names }) => {
  test('each file is there, once', () => {
    expect(files.filter(file => !modules.has(file))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })

  /** Files that hand the thing on without knowing each other know the file of its type. */
  const types = [...modules.keys()].filter(file => names.some(name => declares(file, name)))
  const meet = (a: string, b: string): boolean =>
    isNextTo(a, b) || types.some(file => isNextTo(a, file) && isNextTo(b, file))

  test('each file meets one before it', () => {
    const strays = files.filter(
      (file, at) => at > 0 && !files.slice(0, at).some(before => meet(before, file)),
    )
    expect(strays).toEqual([])
  })

  test('a newcomer reads it in an hour: 20 files and 8 names at most', () => {
    expect(files.length).toBeLessThanOrEqual(20)
    expect(names.length).toBeLessThanOrEqual(8)
  })

  test('the names are those of types on the way', () => {
    const near = files.flatMap(file => [file, ...importsOf(file)])
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(name => !near.some(file => declares(file, name)))).toEqual([])
  })
})
