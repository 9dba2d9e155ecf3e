/** Which files must decide without the world, and what in them reaches for it. */
import { childrenOf, type Module, type Node, walk } from './modules.ts'

/** Packages that compute and nothing else. */
const purePackages: ReadonlySet<string> = new Set(['get-east-asian-width', 'jsonc-parser', 'zod'])

/** By its folder, its name, or a comment of it. */
export const isMarkedPure = ({ file, comments }: Module): boolean =>
  /^(core|agents)\//.test(file) ||
  /\/(closure|classify|step)\//.test(file) ||
  /(^|[/-])step\.ts$/.test(file) ||
  comments.some(comment => /\bPure\./.test(comment))

const impurities: ReadonlyMap<string, string> = new Map([
  ...['Date', 'performance'].map(name => [name, 'a clock'] as const),
  ...[
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
    'queueMicrotask',
    'requestAnimationFrame',
  ].map(name => [name, 'a timer'] as const),
  ...['process', 'globalThis', 'global', 'window', 'self', 'require', 'module', 'Buffer', '__dirname'].map(
    name => [name, 'the process'] as const,
  ),
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator', 'localStorage', 'console'].map(
    name => [name, 'the world outside'] as const,
  ),
  ...['crypto', 'WeakRef', 'FinalizationRegistry'].map(name => [name, 'chance'] as const),
  ...['eval', 'Function'].map(name => [name, 'code that is not seen'] as const),
])

/**
 * What keeps files from being pure, a sentence each: what they reach for themselves, and whom they import who does. A file
 * that a pure one imports has to be pure as well, in any room.
 */
export function impuritiesOf(modules: readonly Module[]): readonly string[] {
  const byFile = new Map(modules.map(module => [module.file, module]))
  const worldOfFile = (file: string): readonly string[] => {
    const module = byFile.get(file)
    return module ? worldOf(module) : []
  }
  const pure = new Set(modules.filter(isMarkedPure).map(({ file }) => file))
  const found = [...pure].flatMap(file => worldOfFile(file).map(reach => `${file} ${reach}`))
  // A set's iteration goes on to what is added while it runs: what a pure file imports has to be pure.
  for (const file of pure) {
    for (const { to, isPackage, isType } of byFile.get(file)?.imports ?? []) {
      if (isPackage || isType || pure.has(to)) continue
      const [reach] = worldOfFile(to)
      if (reach === undefined) pure.add(to)
      else found.push(`${file} imports ${to}, which ${reach}`)
    }
  }
  return found
}

const worldOf = (module: Module): readonly string[] => [
  ...module.imports
    .filter(({ to, isPackage, isType }) => isPackage && !isType && !purePackages.has(to))
    .map(({ to }) => `imports ${to}`),
  ...reachesOf(module),
]

/** What the code of a file reaches for: names that it neither declares nor imports. Comments and texts don't count. */
function reachesOf({ program, text }: Module): readonly string[] {
  const found: string[] = []
  const line = (at: number): number => text.slice(0, at).split('\n').length
  walk(program, (node, above) => {
    if (node.type === 'MetaProperty') found.push(`asks for its own path, in line ${line(node.start)}`)
    if (node.type !== 'Identifier' || isLabel(node, above)) return
    const name = node.name as string
    const parent = above.at(-1)
    const isRandom = name === 'Math' && !(parent?.type === 'MemberExpression' && isHarmless(parent))
    const what = isRandom ? 'chance' : impurities.get(name)
    if (what !== undefined && !above.some(scope => declares(scope, name)))
      found.push(`reaches for ${what}: ${name}, in line ${line(node.start)}`)
  })
  return found
}

/** `Math.max` and its kin; not `Math.random`, nor a member with a computed name. */
const isHarmless = ({ property, computed }: Node): boolean =>
  !computed && (property as Node).name !== 'random'

/** The name of a field: `row.process`, `{ process: 1 }`. */
function isLabel(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1)
  if (!parent || parent.computed === true) return false
  if (parent.type === 'MemberExpression') return parent.property === node
  if (parent.type === 'Property') return parent.key === node && parent.value !== node && !parent.shorthand
  return parent.key === node
}

/** A function or a module that declares a name itself, anywhere in it but in functions inside of it. */
function declares(scope: Node, name: string): boolean {
  if (scope.type === 'Program') return declaresWithin(scope, name)
  if (!isFunction(scope)) return false
  return childrenOf(scope).some(child => binds(child, name) || declaresWithin(child, name))
}

const isFunction = ({ type }: Node): boolean => /Function/.test(type) && !type.startsWith('TS')

function declaresWithin(node: Node, name: string): boolean {
  if (node.type === 'VariableDeclarator') return binds(node.id as Node, name)
  if (node.type.startsWith('Import') && 'local' in node) return binds(node.local as Node, name)
  if (isFunction(node)) return false
  return childrenOf(node).some(child => declaresWithin(child, name))
}

/** A pattern that gives a name a value: a parameter, or the left side of a declaration. */
function binds(pattern: Node, name: string): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name
    case 'AssignmentPattern':
      return binds(pattern.left as Node, name)
    case 'Property':
      return binds(pattern.value as Node, name)
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'RestElement':
    case 'FormalParameters':
      return childrenOf(pattern).some(child => binds(child, name))
    default:
      return false
  }
}
