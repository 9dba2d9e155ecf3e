/** The rooms of the house, and which way their imports run. */
import type { Import, Module } from './modules.ts'

/** The leftmost first: each room imports from those before it, and from itself. */
const rooms = [
  'core',
  'shapes',
  'agents',
  'os',
  'history',
  'process',
  'terminal',
  'owned',
  'track',
  'hooks',
  'sessions',
  'drive',
  'run',
  'loop',
  'respawn',
  'notify',
  'segment',
  'host',
  'connect',
  'mcp',
  'cli',
] as const

/** Files that stand in no room: the public doors. */
const isDoor = (file: string): boolean => !file.includes('/')

const rankOf = (file: string): number => (rooms as readonly string[]).indexOf(file.split('/')[0] as string)

/** Files that stand in no room that is known. */
export const strays = (modules: readonly Module[]): readonly string[] =>
  modules.map(({ file }) => file).filter(file => !isDoor(file) && rankOf(file) < 0)

/**
 * What a face imports besides the doors: rooms that are features, whose parts it shows or carries out, and what of the
 * pure core it uses: the core's door loads all of it, which each command would wait for.
 */
const featuresAndCore: readonly string[] = [
  'core',
  'history',
  'owned',
  'hooks',
  'sessions',
  'drive',
  'run',
  'loop',
  'respawn',
  'notify',
  'segment',
  'host',
  'connect',
  'mcp',
]

/** A face uses the same doors as everybody. */
const isFace = (file: string): boolean => file.startsWith('cli/')

function mayImport(file: string, to: string): boolean {
  if (!isFace(file)) return !isDoor(to) && rankOf(to) <= rankOf(file)
  return isDoor(to) || isFace(to) || featuresAndCore.includes(to.split('/')[0] as string)
}

/** Imports of a room further to the right, or by a face of a room behind the doors, as `FILE imports FILE`. */
export const importsBack = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => !isDoor(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ to, isPackage }) => !isPackage && !mayImport(file, to))
        .map(({ to }) => `${file} imports ${to}`),
    )

/**
 * Files that import each other in a circle, a list for each knot of them.
 * @param which `values`: what is left when the program runs; `all`: types as well
 */
export function circles(modules: readonly Module[], which: 'values' | 'all'): readonly (readonly string[])[] {
  const counts = ({ isPackage, isType }: Import): boolean => !isPackage && (which === 'all' || !isType)
  const edges = new Map(
    modules.map(({ file, imports }) => [file, imports.filter(counts).map(({ to }) => to)]),
  )
  const reached = new Map([...edges.keys()].map(file => [file, reachedFrom(edges, file)]))
  const isKnotted = (a: string, b: string): boolean =>
    reached.get(a)?.has(b) === true && reached.get(b)?.has(a) === true
  const left = new Set([...edges.keys()].filter(file => isKnotted(file, file)))
  const found: string[][] = []
  for (const file of left) {
    const knot = [...left].filter(other => isKnotted(file, other))
    for (const one of knot) left.delete(one)
    found.push(knot)
  }
  return found
}

/** Files that a file comes to by one import or more. */
function reachedFrom(edges: ReadonlyMap<string, readonly string[]>, file: string): ReadonlySet<string> {
  const found = new Set(edges.get(file))
  // A set's iteration goes on to what is added while it runs.
  for (const next of found) for (const further of edges.get(next) ?? []) found.add(further)
  return found
}
