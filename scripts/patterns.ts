/**
 * How long each regular expression of the sources, and each that they make of a hostile row, may take: `npm run patterns` after one was added. It asks recheck about
 * those that test/house/patterns.json does not have, which takes up to 20 s for one, and leaves out what is gone.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostileRows } from './house/hostile-rows.ts'
import { readModules } from './house/modules.ts'
import { growthOf, nameOf, patternsOf } from './house/patterns.ts'

const root = path.resolve(import.meta.dirname, '..')
const file = path.join(root, 'test/house/patterns.json')
const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
const patterns = new Map(
  [...patternsOf(readModules(path.join(root, 'src'))), ...hostileRows.map(([, pattern]) => pattern)].map(
    one => [nameOf(one), one],
  ),
)
const growth: Record<string, string> = {}
for (const name of [...patterns.keys()].sort()) {
  const pattern = patterns.get(name)
  if (!pattern) continue
  growth[name] = known[name] ?? (await growthOf(pattern))
  if (!known[name]) console.log(`${growth[name]}: ${pattern.file}: ${name}`)
}
writeFileSync(file, `${JSON.stringify(growth, null, 2)}\n`)
