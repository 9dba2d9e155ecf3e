/** Parses sources into modules: the input of the rules and of the figures. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Program, parseSync } from 'oxc-parser'

export type Import = {
  /** A path below the folder of the sources, or the name of a package. */
  readonly to: string
  readonly isPackage: boolean
  /** An import of types only, which does not exist at run time. */
  readonly isType: boolean
}

export type Module = {
  /** Path below the folder of the sources: `core/judge/judge.ts`. */
  readonly file: string
  readonly text: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly comments: readonly string[]
  readonly program: Program
}

/** Every module below a folder, in the order of their paths. */
export const readModules = (folder: string, glob = '**/*.{ts,tsx}'): readonly Module[] =>
  globSync(glob, { cwd: folder })
    .sort()
    .map(file => parseModule(file, readFileSync(path.join(folder, file), 'utf8')))

/** Every module of the repository, by its path below the root. */
export const readRepository = (root: string): readonly Module[] =>
  readModules(root, '{src,scripts,bench,test}/**/*.{ts,tsx}')

/** @throws {SyntaxError} where the text is no TypeScript */
export function parseModule(file: string, text: string): Module {
  const parsed = parseSync(file, text)
  const { module, comments, errors } = parsed
  const [error] = errors
  if (error) throw new SyntaxError(`${file}: ${error.message}`)
  const imports: Import[] = []
  const add = (request: string, isType: boolean): void => {
    const isPackage = !request.startsWith('.')
    imports.push({ to: isPackage ? request : path.join(path.dirname(file), request), isPackage, isType })
  }
  const areTypes = (entries: readonly { readonly isType: boolean }[]): boolean =>
    entries.length > 0 && entries.every(({ isType }) => isType)
  for (const { moduleRequest, entries } of module.staticImports) add(moduleRequest.value, areTypes(entries))
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType)
  for (const { moduleRequest } of module.dynamicImports)
    add(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), false)
  if (/\bimport\s*\(/.test(text))
    walk(parsed.program, node => {
      if (node.type === 'TSImportType') add((node.source as { readonly value: string }).value, true)
    })
  const lines = text.split('\n').length - 1
  const texts = comments.map(({ value }) => value)
  return {
    ...{ file, text, lines, imports, comments: texts },
    // It is read from JSON only now, which takes most of the time.
    get program() {
      return parsed.program
    },
  }
}

/** A node of the ESTree syntax tree. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Visits a node and every node below it, each with its ancestors, the nearest last. */
export function walk(
  node: object,
  visit: (node: Node, above: readonly Node[]) => void,
  above: readonly Node[] = [],
): void {
  visit(node as Node, above)
  const inner = [...above, node as Node]
  for (const child of childrenOf(node as Node)) walk(child, visit, inner)
}

export const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
