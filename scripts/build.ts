/**
 * Builds `dist/` for the package: types file by file, and what runs in as few files as the doors and the commands leave,
 * as Node takes longer to find and read a file of it than to run it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

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
const bundle = await rolldown({
  input: Object.fromEntries(entries.map(file => [file.replace(/\.js$/, ''), path.join(dist, file)])),
  platform: 'node',
  // Packages stay packages.
  external: /^[^./]/,
  // No module of ours does anything by being imported.
  treeshake: { moduleSideEffects: false },
})
await bundle.write({ dir: bundled, format: 'esm', chunkFileNames: 'parts/[name].js' })
await bundle.close()
for (const file of files) rmSync(path.join(dist, file))
cpSync(bundled, dist, { recursive: true })
