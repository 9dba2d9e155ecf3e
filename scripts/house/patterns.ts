/** The regular expressions of the sources, and how the time that each takes grows with the text, as recheck finds. */
import { check } from 'recheck'
import type { Module } from './modules.ts'

export type Pattern = { readonly file: string; readonly source: string; readonly flags: string }

type Node = { readonly type: string; readonly [key: string]: unknown }

function visit(node: unknown, onNode: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && typeof node.type === 'string') onNode(node as Node)
  for (const child of Object.values(node)) visit(child, onNode)
}

/** Those that stand between slashes. */
export function patternsOf(modules: readonly Module[]): readonly Pattern[] {
  const found: Pattern[] = []
  for (const { file, program } of modules)
    visit(program, ({ type, regex }) => {
      if (type !== 'Literal' || !regex) return
      const { pattern, flags } = regex as { readonly pattern: string; readonly flags: string }
      found.push({ file, source: pattern, flags })
    })
  return found
}

/** The files that make one of a text. */
export const makersOf = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ program }) => {
      let makes = false
      visit(program, ({ type, callee, superClass }) => {
        const named = type === 'NewExpression' ? callee : type === 'ClassDeclaration' ? superClass : undefined
        makes ||= (named as { readonly name?: string } | undefined)?.name === 'RegExp'
      })
      return makes
    })
    .map(({ file }) => file)

export const nameOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`

/** `linear`; else what it may be, or that recheck came to no end. */
export async function growthOf({ source, flags }: Pattern): Promise<string> {
  // By steps alone, so that a busy machine finds the same.
  const unhurried = { seedingTimeout: null, incubationTimeout: null, attackTimeout: null }
  const found = await check(source, flags, { timeout: 100_000, ...unhurried })
  if (found.status === 'safe') return 'linear'
  return found.status === 'unknown' ? 'unknown' : found.complexity.summary.replace(' (fuzz)', '')
}
