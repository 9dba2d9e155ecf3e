/**
 * `npm run mutate` makes one small fault at a time in the pure rooms and counts the faults that a test notices.
 * `npm run mutate -- core closure` runs some of the rooms; `npm run mutate -- src/core/session.ts` runs one file and prints its
 * survivors. Unchanged code and tests are skipped. A run of a whole room writes its survivors to docs/mutation.json, where
 * each keeps its reason, and the table of docs/mutation.md. The last line is JSON; exit 1 when a score is too low.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { type MutatedRoom, mutatedRooms } from './house/mutated-rooms.ts'
import { jsonOf, pageWithTable, type Results, type Survivor, withRoom } from './house/survivors.ts'

/** Of a room's faults, so many percent have to be noticed. */
const goal = 85

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules/.cache/lull')
const page = path.join(root, 'docs/mutation.md')
const data = path.join(root, 'docs/mutation.json')

type Job = { readonly room: MutatedRoom; readonly files: readonly string[]; readonly isWhole: boolean }

const filesOf = ({ sources }: MutatedRoom): readonly string[] => globSync([...sources], { cwd: root }).sort()

/** What is asked for, in the order of the rooms; undefined where a word is neither a room nor a file of one. */
function jobsOf(words: readonly string[]): readonly Job[] | undefined {
  const jobs = mutatedRooms.flatMap(room => {
    const all = filesOf(room)
    const isWhole = words.length === 0 || words.includes(room.name)
    const files = isWhole ? all : all.filter(file => words.some(word => file.startsWith(word)))
    return files.length > 0 ? [{ room, files, isWhole }] : []
  })
  const isMeant = (word: string): boolean =>
    jobs.some(({ room, files }) => room.name === word || files.some(file => file.startsWith(word)))
  return words.every(isMeant) ? jobs : undefined
}

/** Of the faults that were tried, those that a test noticed, and the others. */
async function tryFaults({ room, files }: Job): Promise<{ tried: number; survivors: readonly Survivor[] }> {
  process.env.LULL_MUTATED_ROOM = room.name
  const incrementalFile = path.join(cache, `mutate-${room.name}.json`)
  forgetUncertain(incrementalFile)
  // Read before: somebody may go on working on them meanwhile.
  const texts = new Map(files.map(file => [file, readFileSync(path.join(root, file), 'utf8')]))
  const results = await new Stryker({
    testRunner: 'lull',
    mutate: [...files],
    incrementalFile,
    tempDirName: `.stryker-tmp/${room.name}`,
  }).runMutationTest()
  const wanted = new Set(files)
  const tried = results
    .map(result => ({ ...result, file: path.relative(root, path.resolve(root, result.fileName)) }))
    .filter(({ file, status }) => wanted.has(file) && status !== 'Ignored' && status !== 'CompileError')
  const survivors = tried
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ file, location, replacement = '' }) => ({
      file,
      line: location.start.line,
      original: textAt(texts.get(file) ?? '', location),
      replacement,
    }))
  return { tried: tried.length, survivors }
}

/**
 * Of a fault in what runs when a module is loaded Stryker does not know its tests: new ones would not be tried on it. And a
 * time that ran out may have been a busy machine's.
 */
function forgetUncertain(file: string): void {
  if (!existsSync(file)) return
  type Fault = { readonly status: string; readonly statusReason?: string }
  type Report = { readonly files: Readonly<Record<string, { mutants: readonly Fault[] }>> }
  let report: Report
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    // Half a file is left by who was ended while they wrote it.
    rmSync(file)
    return
  }
  const isCertain = ({ status, statusReason }: Fault): boolean =>
    status === 'Killed' || (status === 'Timeout' && statusReason !== undefined)
  for (const tried of Object.values(report.files)) tried.mutants = tried.mutants.filter(isCertain)
  writeFileSync(file, JSON.stringify(report))
}

function keep(room: string, percent: number, survivors: readonly Survivor[]): void {
  const old = JSON.parse(readFileSync(data, 'utf8')) as Results
  const date = new Date().toISOString().slice(0, 10)
  const results = withRoom(old, room, { date, percent }, survivors)
  writeFileSync(data, jsonOf(results))
  writeFileSync(page, pageWithTable(readFileSync(page, 'utf8'), results))
}

type Place = { readonly line: number; readonly column: number }

function textAt(text: string, { start, end }: { readonly start: Place; readonly end: Place }): string {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  const last = (lines.at(-1) ?? '').slice(0, end.column - 1)
  return [...lines.slice(0, -1), last].join('\n').slice(start.column - 1)
}

const jobs = jobsOf(process.argv.slice(2))
if (!jobs) {
  console.error(
    `neither a file that is mutated nor one of ${mutatedRooms.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
mkdirSync(cache, { recursive: true })
const scores: Record<
  string,
  { readonly faults: number; readonly noticed: number; readonly percent: number }
> = {}
for (const job of jobs) {
  const { tried, survivors } = await tryFaults(job)
  const noticed = tried - survivors.length
  const percent = Math.round((1000 * noticed) / tried) / 10
  scores[job.room.name] = { faults: tried, noticed, percent }
  if (job.isWhole) keep(job.room.name, percent, survivors)
  else
    for (const { file, line, original, replacement } of survivors)
      console.log(
        `${file}:${line}  ${original.replaceAll(/\s+/g, ' ')}  →  ${replacement.replaceAll(/\s+/g, ' ')}`,
      )
  console.log(
    `${percent < goal ? 'MISSED' : 'ok'}: ${job.room.name}: ${noticed} of ${tried} noticed, ${percent} % (goal ${goal} %)`,
  )
}
const ok = Object.values(scores).every(({ percent }) => percent >= goal)
console.log(JSON.stringify({ goal, rooms: scores, ok }))
process.exitCode = ok ? 0 : 1
