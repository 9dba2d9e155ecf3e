/** Which way the imports of the repository run. */
import type { Import, Module } from './modules.ts'

/** The top folders, by `readRepository`: each imports from those before it, and from itself. */
const folders: readonly string[] = ['bin', 'src', 'scripts', 'bench', 'test']

/**
 * The rooms of `src`: each imports from those before it, and from itself. `telemetry` is planned. `page` runs in a
 * browser, so it sees the core and the shapes only.
 */
const rooms: readonly string[] = [
  ...[
    'core',
    'shapes',
    'page',
    'agents',
    'os',
    'telemetry',
    'history',
    'process',
    'terminal',
    'owned',
    'track',
  ],
  ...['hooks', 'sessions', 'drive', 'run', 'loop', 'respawn', 'notify', 'segment'],
  ...['host', 'connect', 'fleet', 'mcp', 'serve', 'cli'],
]

/** Rooms that the commands reach through a door (`src/core.ts`, …), as every user of the library does. */
const roomsBehindDoors: readonly string[] = ['page', 'agents', 'os', 'process', 'terminal', 'track']

/** A door is a file of `src` itself. */
const isDoor = (file: string): boolean => !file.includes('/')

const topOf = (file: string): string => file.split('/')[0] as string

/** Files of `src` in no known room. */
export const strays = (modules: readonly Module[]): readonly string[] =>
  modules.map(({ file }) => file).filter(file => !isDoor(file) && !rooms.includes(topOf(file)))

/** Behind the doors as well: to open a door for one of these would load all that is behind it, with each command. */
const lightFiles: readonly string[] = ['agents/agent-names.ts', 'os/tty/text-width.ts', 'track/clock.ts']

function mayImport(file: string, to: string): boolean {
  if (topOf(file) === 'cli') return lightFiles.includes(to) || !roomsBehindDoors.includes(topOf(to))
  return !isDoor(to) && rooms.indexOf(topOf(to)) <= rooms.indexOf(topOf(file))
}

const importsAgainst = (
  modules: readonly Module[],
  isAllowed: (file: string, to: string) => boolean,
): readonly string[] =>
  modules.flatMap(({ file, imports }) =>
    imports
      .filter(({ to, isPackage }) => !isPackage && !isAllowed(file, to))
      .map(({ to }) => `${file} imports ${to}`),
  )

/** Imports of a later room, or by a command of a room behind the doors, as `FILE imports FILE`. */
export const importsBack = (modules: readonly Module[]): readonly string[] =>
  importsAgainst(
    modules.filter(({ file }) => !isDoor(file)),
    (file, to) => to.startsWith('../bin/') || mayImport(file, to),
  )

/** Imports of a later top folder. @param modules of the repository */
export const foldersBack = (modules: readonly Module[]): readonly string[] =>
  importsAgainst(modules, (file, to) => folders.indexOf(topOf(to)) <= folders.indexOf(topOf(file)))

/**
 * Files that import each other in a circle: a list for each group.
 * @param which `values`: imports that exist at run time; `all`: types as well
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

/** Files that one import or several lead to. */
function reachedFrom(edges: ReadonlyMap<string, readonly string[]>, file: string): ReadonlySet<string> {
  const found = new Set(edges.get(file))
  // The iteration includes files that are added meanwhile.
  for (const next of found) for (const further of edges.get(next) ?? []) found.add(further)
  return found
}
