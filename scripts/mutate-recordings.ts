/**
 * `npm run mutate:recordings`: of the faults in core that no test notices, those that change the verdicts of a
 * recording, as it is or with a source failing. Each is put into a copy of the tree and all recordings are judged again;
 * docs/mutation.json gets the answer as its reason. Code that is cut short in that file is skipped.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { faultOf, placesOf } from './house/survivor-places.ts'
import { jsonOf, type Results, rowsOf, type Survivor, unknownReason, withReasons } from './house/survivors.ts'

const reasons = {
  noticed:
    'No test of core notices, but a verdict or its text changes on a recording (`npm run mutate:recordings`)',
  unnoticed:
    'No test and no recording notices, with or without a failing source (`npm run mutate:recordings`)',
}
/** Reasons of an earlier run, and mutants without a review. */
const isOpen = (reason: string): boolean =>
  reason === unknownReason ||
  reason.startsWith('Only recorded sessions cover it') ||
  Object.values(reasons).includes(reason)

const root = path.resolve(import.meta.dirname, '..')
const data = path.join(root, 'docs/mutation.json')
const readResults = (): Results => JSON.parse(readFileSync(data, 'utf8')) as Results
/** A fault may make it judge without end. ms */
const patienceMs = 180_000

const copy = mkdtempSync(path.join(os.tmpdir(), 'lull-mutate-'))
const digests = path.join(copy, 'digests.json')
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const name of ['bin', 'src', 'bench', 'corpus', 'scripts', 'package.json'])
  cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))

function judgeAll(): number | null {
  const script = path.join(copy, 'bench/recorded-digests.ts')
  const options = { cwd: copy, stdio: 'ignore', timeout: patienceMs } as const
  return spawnSync(process.execPath, [script, digests], options).status
}

/** Undefined if it is not known which of several places was meant. */
function isNoticed(fault: Survivor): boolean | undefined {
  const file = path.join(copy, fault.file)
  const text = readFileSync(file, 'utf8')
  const answers = placesOf(text, fault).map(([from, to]) => {
    writeFileSync(file, text.slice(0, from) + fault.replacement + text.slice(to))
    return judgeAll() !== 0
  })
  writeFileSync(file, text)
  return new Set(answers).size === 1 ? answers[0] : undefined
}

/** Mutants without a review come first: all of them may take hours. */
function openRows(): readonly string[] {
  const { core } = readResults()
  const open = (core ? rowsOf(core) : []).filter(([reason]) => isOpen(reason))
  const isNew = (reason: string): number => Number(reason === unknownReason)
  return open.toSorted(([a], [b]) => isNew(b) - isNew(a)).map(([, row]) => row)
}

if (judgeAll() !== 0) throw new Error('the recordings can’t be judged')
for (const row of openRows()) {
  const fault = faultOf(row)
  const noticed = fault && isNoticed(fault)
  if (noticed === undefined) continue
  const found = new Map([[row, noticed ? reasons.noticed : reasons.unnoticed]])
  // One by one, as it may be broken off.
  writeFileSync(data, jsonOf(withReasons(readResults(), 'core', found)))
  console.log(`${noticed ? 'noticed' : 'no difference'}: ${row}`)
}
