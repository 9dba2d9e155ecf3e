/**
 * Builds `dist/` for the package: types file by file, and what runs in as few files as the doors and the commands leave,
 * as Node takes longer to find and read a file of it than to run it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type ChunkingContext, rolldown } from 'rolldown'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const bundled = path.join(root, 'node_modules/.cache/lull/bundled')

for (const folder of [dist, bundled]) rmSync(folder, { recursive: true, force: true })
// What the oldest Node lacks (`using`), the compiler writes out.
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
execFileSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' })

/** A file that loads another one by its own URL keeps its place, and so does the thread that it starts. */
const isPlaced = (file: string): boolean =>
  file.endsWith('-thread.js') || readFileSync(path.join(dist, file), 'utf8').includes('new URL(')

const isDoor = (file: string): boolean => path.dirname(file) === '.'
const files = globSync('**/*.js', { cwd: dist })
const entries = files.filter(file => isDoor(file) || isPlaced(file))
const inDist = (file: string): string => path.join(dist, file)

/** These files and all that they import, but no packages. */
function loaded(
  context: ChunkingContext,
  files: readonly string[],
  when: 'at once' | 'ever' = 'at once',
  all = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (all.has(file) || !file.startsWith(dist)) continue
    all.add(file)
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(file) ?? {}
    loaded(context, importedIds, when, all)
    if (when === 'ever') loaded(context, dynamicallyImportedIds, when, all)
  }
  return all
}

/** With what it loads later: `lull run` touches no stream of its own, and commander does where it is loaded. */
const fileOfRun = 'cli/commands/run-command.js'
const filesOfPs = ['cli/program.js', 'cli/commands/ps-command.js', 'connect/open-source.js']
type Loaded = { readonly [Who in 'version' | 'core' | 'library' | 'run' | 'ps']: ReadonlySet<string> }
let known: Loaded | undefined

/** What `lull ps` loads beside a host is few files: one for itself, and one for what others that start fast load, too. */
function partOfPs(context: ChunkingContext, file: string): string | undefined {
  known ??= {
    version: loaded(context, [inDist('cli/main.js')]),
    core: loaded(context, [inDist('core.js')]),
    library: loaded(context, [inDist('index.js')]),
    run: loaded(context, [inDist(fileOfRun)], 'ever'),
    ps: loaded(context, filesOfPs.map(inDist)),
  }
  if (!known.ps.has(file) || known.version.has(file)) return undefined
  if (known.core.has(file)) return 'ps-core'
  if (known.library.has(file)) return 'ps-library'
  return known.run.has(file) ? 'ps-run' : 'ps'
}

const bundle = await rolldown({
  input: Object.fromEntries(entries.map(file => [file.replace(/\.js$/, ''), inDist(file)])),
  platform: 'node',
  // Packages stay packages.
  external: /^[^./]/,
  // No module of ours does anything by being imported (test/house/rooms.test.ts).
  treeshake: { moduleSideEffects: false },
  // Rolldown asks for it where parts are not taken with all that they import.
  preserveEntrySignatures: 'allow-extension',
})
await bundle.write({
  dir: bundled,
  format: 'esm',
  chunkFileNames: 'parts/[name].js',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'ps', name: (file, context) => partOfPs(context, file) }],
  },
})
await bundle.close()
for (const file of files) rmSync(path.join(dist, file))
cpSync(bundled, dist, { recursive: true })
