/** Which types a caller of a door can reach, by its declarations (`.d.ts`), and which of them have no name there. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

type Node = { readonly type: string; readonly [field: string]: unknown }

/** What a module of declarations says: what is declared in it, what it imports, and what it exports. */
type Module = {
  readonly declared: ReadonlyMap<string, Node>
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** Exported name → where it is declared; `undefined` file: in this one. */
  readonly exported: ReadonlyMap<string, { readonly file?: string; readonly name: string }>
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function children(node: Node): Node[] {
  return Object.values(node).flatMap(value =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

const nameOf = (node: unknown): string =>
  (node as { name?: string; value?: string }).name ?? String((node as { value?: string }).value)

const modules = new Map<string, Module>()

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known) return known
  const declared = new Map<string, Node>()
  const imported = new Map<string, { file: string; name: string }>()
  const exported = new Map<string, { file?: string; name: string }>()
  const resolve = (from: string) => path.resolve(path.dirname(file), from.replace(/\.[jt]s$/, '.d.ts'))
  const declare = (node: Node, isExported: boolean) => {
    const nodes = node.type === 'VariableDeclaration' ? (node.declarations as Node[]) : [node]
    for (const one of nodes) {
      if (!one.id) continue
      const name = nameOf(one.id)
      declared.set(name, one)
      if (isExported) exported.set(name, { name })
    }
  }
  for (const node of parseSync(file, readFileSync(file, 'utf8')).program.body as unknown as Node[]) {
    const from = isNode(node.source) ? String(node.source.value) : undefined
    if (node.type === 'ImportDeclaration' && from?.startsWith('.'))
      for (const one of node.specifiers as Node[])
        imported.set(nameOf(one.local), { file: resolve(from), name: nameOf(one.imported ?? one.local) })
    else if (node.type === 'ExportNamedDeclaration') {
      if (isNode(node.declaration)) declare(node.declaration, true)
      for (const one of node.specifiers as Node[])
        exported.set(nameOf(one.exported), {
          ...(from === undefined ? {} : { file: resolve(from) }),
          name: nameOf(one.local),
        })
    } else if (node.type === 'ExportAllDeclaration' && from?.startsWith('.')) {
      for (const name of moduleOf(resolve(from)).exported.keys())
        if (!exported.has(name)) exported.set(name, { file: resolve(from), name })
    } else declare(node, false)
  }
  const module = { declared, imported, exported }
  modules.set(file, module)
  return module
}

/** Types that a declaration refers to. Its own type parameters are none, and what `typeof` names is written out by then. */
function references(declaration: Node): Set<string> {
  const found = new Set<string>()
  const own = new Set<string>()
  const visit = (node: Node): void => {
    if (node.type === 'TSTypeParameter') own.add(nameOf(node.name))
    const target = node.type === 'TSTypeReference' ? node.typeName : node.expression
    const isTarget = ['TSTypeReference', 'TSInterfaceHeritage', 'TSClassImplements'].includes(node.type)
    if (isTarget && isNode(target) && target.type === 'Identifier') found.add(nameOf(target))
    if (node.type === 'ClassDeclaration' && isNode(node.superClass)) found.add(nameOf(node.superClass))
    for (const child of children(node)) visit(child)
  }
  visit(declaration)
  return new Set([...found].filter(name => !own.has(name)))
}

type Declared = { readonly file: string; readonly name: string }

function declarationOf({ file, name }: Declared): Declared | undefined {
  const module = moduleOf(file)
  const exported = module.exported.get(name)
  if (exported?.file !== undefined) return declarationOf({ file: exported.file, name: exported.name })
  const local = exported?.name ?? name
  const from = module.imported.get(local)
  if (from) return declarationOf(from)
  return module.declared.has(local) ? { file, name: local } : undefined
}

/**
 * @param door a `.d.ts` that re-exports what a caller imports
 * @returns the declarations that a caller can reach and not name, as `file: name`, with who refers to them
 */
export function unnamedTypes(door: string, root: string): string[] {
  const key = ({ file, name }: Declared) => `${path.relative(root, file)}: ${name}`
  const roots = [...moduleOf(door).exported.keys()].flatMap(name => declarationOf({ file: door, name }) ?? [])
  const named = new Set(roots.map(key))
  const seen = new Set(named)
  const queue = roots.map(declared => ({ declared, by: 'the door' }))
  const unnamed: string[] = []
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { declared, by } = next
    if (!named.has(key(declared))) unnamed.push(`${key(declared)} (by ${by})`)
    const module = moduleOf(declared.file)
    const node = module.declared.get(declared.name)
    for (const name of node ? references(node) : []) {
      const target = declarationOf({ file: declared.file, name })
      if (!target || seen.has(key(target))) continue
      seen.add(key(target))
      queue.push({ declared: target, by: declared.name })
    }
  }
  return unnamed.toSorted()
}
