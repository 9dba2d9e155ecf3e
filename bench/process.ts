/**
 * `npm run bench:process`: what lull says of a hundred process trees whose truth is known, beside the monitor of
 * docs/seeds.md#004; healthy jobs that must never be called stuck; how soon a blocked tree is certain; what a look
 * costs; and what `lull run` adds to a command (bench/run.ts). Trees that the rules' author never met (`unseen`), and
 * programs made to deceive the proof (`deceivers`), follow. Exits 1 where a floor is missed.
 *
 * `--only NAME` the scenarios, unseen trees and deceivers whose name holds NAME, in detail. `--record` also writes the
 * scenarios' cuts to test/snapshots. `--json` their rows as JSON. `--long` half an hour of quiet jobs.
 * `--part scenarios|unseen|deceivers|soak|blocking|cost|run` one of them.
 */
import { parseArgs } from 'node:util'
import { adoptOrphans } from '../src/process/reaper.ts'
import { everyCommand } from './process/commands.ts'
import { deceivers } from './process/deceivers.ts'
import { deceiversPart } from './process/deceivers-part.ts'
import { blockingPart, costPart, longPart, runPart, scenarioPart, soakPart } from './process/parts.ts'
import { buildPrograms } from './process/programs.ts'
import { scenarios } from './process/scenarios.ts'
import { kill } from './process/subject.ts'
import { treeOf } from './process/tree.ts'
import { unseen } from './process/unseen.ts'
import { type Groups, unseenPart } from './process/unseen-part.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    part: { type: 'string', multiple: true },
    record: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
})

const names = options.only?.map(name => name.toLowerCase())
const isNamed = ({ name }: { readonly name: string }): boolean =>
  !names || names.some(part => name.toLowerCase().includes(part))
const inGroups = <T extends { readonly name: string }>(groups: Groups<T>): Groups<T> =>
  Object.fromEntries(Object.entries(groups).map(([group, all]) => [group, all.filter(isNamed)]))

const chosen = scenarios.filter(isNamed)
const [trees, tricks] = [inGroups(unseen), inGroups(deceivers)]
const [allTrees, allTricks] = [Object.values(trees).flat(), Object.values(tricks).flat()]
const counts: Readonly<Record<string, number>> = {
  scenarios: chosen.length,
  unseen: allTrees.length,
  deceivers: allTricks.length,
}
if (Object.values(counts).every(count => count === 0))
  throw new Error(`no scenario is called ${options.only?.join(', ')}`)

const wants = (part: string): boolean => {
  if (options.long) return part === 'long'
  if (names && !counts[part]) return false
  return part !== 'long' && (!options.part || options.part.includes(part))
}

/** Whatever a part or an interruption leaves behind. */
const endAll = () => {
  for (const pid of treeOf(process.pid).slice(1).reverse()) kill(pid)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endAll()
    programs.close()
    process.exit(130)
  })
}
adoptOrphans()

const began = performance.now()
const programs = await buildPrograms(
  everyCommand([...chosen, ...(wants('unseen') ? allTrees : []), ...(wants('deceivers') ? allTricks : [])]),
)
try {
  const figures: Record<string, unknown> = {}
  const missed: string[] = []
  const parts = {
    scenarios: () => scenarioPart(chosen, programs, { ...options, isWhole: !names }),
    unseen: () => unseenPart(trees, programs, !names),
    deceivers: () => deceiversPart(tricks, programs, !names),
    soak: () => soakPart(programs),
    blocking: () => blockingPart(programs),
    cost: () => costPart(programs),
    run: runPart,
    long: () => longPart(programs),
  }
  for (const [name, part] of Object.entries(parts)) {
    if (!wants(name)) continue
    const result = await part()
    figures[name] = result.figures
    missed.push(...result.missed)
    process.stdout.write(`${result.text}\n\n`)
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  if (missed.length > 0) process.stdout.write(`missed: ${missed.join('; ')}\n`)
  process.stdout.write(`${JSON.stringify({ bench: 'process', seconds, ...figures, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  endAll()
  programs.close()
}
