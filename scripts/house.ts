/** The figures of the house beside their limits: `npm run house`. The last line is JSON; exit 1 if a limit is exceeded. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { circles, foldersBack, importsBack } from './house/graph.ts'
import { readModules, readRepository } from './house/modules.ts'
import { impuritiesOf } from './house/purity.ts'
import { folderWidths, godFunctions, repeatedNames, spreadOf } from './house/sizes.ts'
import { staleRows } from './house/survivor-places.ts'
import type { Results } from './house/survivors.ts'

const root = path.resolve(import.meta.dirname, '..')
const modules = readModules(path.join(root, 'src'))
const repository = readRepository(root)
const source = spreadOf(modules)
const test = spreadOf(readModules(path.join(root, 'test')))
const survivors = JSON.parse(readFileSync(path.join(root, 'docs/mutation.json'), 'utf8')) as Results
const textOf = (file: string): string | undefined => {
  const place = path.join(root, file)
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined
}
const [[widest, width] = ['', 0]] = folderWidths(modules)

type Goal = { readonly what: string; readonly most: number; readonly found: readonly string[] }

const goals: readonly Goal[] = [
  { what: 'imports that run back', most: 0, found: [...importsBack(modules), ...foldersBack(repository)] },
  { what: 'circles of imports', most: 0, found: circles(repository, 'all').map(files => files.join(' ↔ ')) },
  { what: 'impurities of pure files', most: 0, found: impuritiesOf(modules) },
  {
    what: 'files of more than 300 lines',
    most: 0,
    found: modules.filter(({ lines }) => lines > 300).map(({ file, lines }) => `${file} ${lines}`),
  },
  {
    what: 'folders of more than 20 files',
    most: 0,
    found: folderWidths(modules)
      .filter(([, files]) => files > 20)
      .map(([folder, files]) => `${folder} ${files}`),
  },
  { what: 'file names that repeat', most: 1, found: repeatedNames(modules) },
  { what: 'rows of docs/mutation.json without their code', most: 0, found: staleRows(survivors, textOf) },
  { what: 'functions of more than 80 lines that hold state', most: 0, found: godFunctions(modules, 80) },
]

for (const [name, { files, lines, median, p90, max }] of Object.entries({ src: source, test }))
  console.log(`${name}: ${files} files, ${lines} lines; median ${median}, p90 ${p90}, max ${max}`)
console.log(`widest folder: ${widest}, ${width} files`)
for (const { what, most, found } of goals) {
  console.log(`${found.length > most ? 'MISSED' : 'ok'}: ${what}: ${found.length} (at most ${most})`)
  for (const one of found) console.log(`  ${one}`)
}
const isMissed = goals.some(({ most, found }) => found.length > most)
const counts = Object.fromEntries(goals.map(({ what, found }) => [what, found.length]))
console.log(
  JSON.stringify({ src: source, test, widest: { folder: widest, files: width }, ...counts, ok: !isMissed }),
)
process.exitCode = isMissed ? 1 : 0
