/** How big the parts of the house are: files, folders, functions, and names that several files share. */
import path from 'node:path'
import { type Module, type Node, walk } from './modules.ts'

export type Spread = {
  readonly files: number
  readonly lines: number
  readonly median: number
  readonly p90: number
  readonly max: number
}

export function spreadOf(modules: readonly Module[]): Spread {
  const sizes = modules.map(({ lines }) => lines).sort((a, b) => a - b)
  const at = (share: number): number => sizes[Math.floor((sizes.length - 1) * share)] ?? 0
  const lines = sizes.reduce((sum, size) => sum + size, 0)
  return { files: sizes.length, lines, median: at(0.5), p90: at(0.9), max: at(1) }
}

/** How many files stand in each folder, the widest first. */
export function folderWidths(
  modules: readonly Module[],
): readonly (readonly [folder: string, files: number])[] {
  const folders = Map.groupBy(modules, ({ file }) => path.dirname(file))
  return [...folders].map(([folder, files]) => [folder, files.length] as const).sort((a, b) => b[1] - a[1])
}

/** File names that several files have. Each agent's folder has the same ones, on purpose. */
export function repeatedNames(modules: readonly Module[]): readonly string[] {
  const others = modules.filter(({ file }) => !/^agents\/(?!kit\/)/.test(file))
  const names = Map.groupBy(others, ({ file }) => path.basename(file))
  return [...names].filter(([, files]) => files.length > 1).map(([name, files]) => `${name} ×${files.length}`)
}

/**
 * Functions of more than `most` lines that hold state, as `FILE NAME LINES`; of nested ones each. A long switch or table
 * is no such thing.
 */
export const godFunctions = (modules: readonly Module[], most: number): readonly string[] =>
  modules.flatMap(({ file, program, text }) => {
    const found: string[] = []
    walk(program, (node, above) => {
      if (!functions.has(node.type)) return
      const lines = text.slice(node.start, node.end).split('\n').length
      if (lines > most && holdsState(node)) found.push(`${file} ${nameOf(node, above.at(-1))} ${lines}`)
    })
    return found
  })

const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

/** It declares a variable that changes, or something that is filled, and functions that share it. */
function holdsState(node: Node): boolean {
  let [isKept, isShared] = [false, false]
  walk(node, (inner, above) => {
    if (inner !== node && functions.has(inner.type)) isShared = true
    if (above.slice(1).some(({ type }) => functions.has(type))) return
    isKept ||=
      inner.type === 'NewExpression' || (inner.type === 'VariableDeclaration' && inner.kind === 'let')
  })
  return isKept && isShared
}

function nameOf(node: Node, parent: Node | undefined): string {
  const named = (node.id ?? parent?.id ?? parent?.key ?? {}) as { readonly name?: string }
  return named.name ?? 'a function without a name'
}
