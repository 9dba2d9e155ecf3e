import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Options } from '../../src/process/closure/tree-index.ts'
import { describe as sentenceOf, waitTree } from '../../src/process/describe.ts'
import type { Process, Snapshot, SnapshotPair, Target, Thread } from '../../src/process/snapshot.ts'

/**
 * Every recorded tree is diagnosed as it was before, sentences included, as it is and with one thing about it changed. Where
 * a change is meant, `LULL_KEEP_DIAGNOSES=1 npx vitest run test/process/same-diagnoses.test.ts` writes the new ones: read
 * the diff.
 */

const folder = path.resolve(import.meta.dirname, '../snapshots')
const kept = path.join(import.meta.dirname, 'same-diagnoses.txt')
const names = globSync('*.json', { cwd: folder }).sort()

const pairOf = (name: string): SnapshotPair =>
  (JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { cut: SnapshotPair }).cut

const inAfter = (
  { before, after }: SnapshotPair,
  change: (snapshot: Snapshot) => Snapshot,
): SnapshotPair => ({
  before,
  after: change(after),
})
const inBoth = ({ before, after }: SnapshotPair, change: (snapshot: Snapshot) => Snapshot): SnapshotPair => ({
  before: change(before),
  after: change(after),
})
const ofProcesses =
  (change: (program: Process, at: number) => Process) =>
  (snapshot: Snapshot): Snapshot => ({ ...snapshot, processes: snapshot.processes.map(change) })
const ofThreads = (change: (thread: Thread, at: number) => Thread) =>
  ofProcesses(program => ({ ...program, threads: program.threads.map(change) }))
const ofTargets = (change: (target: Target) => Target) =>
  ofProcesses(program => ({
    ...program,
    fds: Object.fromEntries(Object.entries(program.fds).map(([fd, target]) => [fd, change(target)])),
  }))

/** One thing that is otherwise, about a tree or about whoever looks. */
const changes: Readonly<Record<string, (pair: SnapshotPair) => readonly [SnapshotPair, Options?]>> = {
  'input is owed': pair => [pair, { owesInput: true }],
  'output is not read': pair => [pair, { drains: false }],
  'seen once': ({ after }) => [{ before: after, after }],
  'on macOS': pair => [inBoth(pair, snapshot => ({ ...snapshot, platform: 'darwin' }))],
  'the root ran': pair => [
    inAfter(
      pair,
      ofProcesses((program, at) =>
        at > 0
          ? program
          : { ...program, threads: program.threads.map(one => ({ ...one, slices: one.slices + 1 })) },
      ),
    ),
  ],
  'all compute': pair => [
    inAfter(
      pair,
      ofThreads(one => ({ ...one, cpu: one.cpu + 1e9 })),
    ),
  ],
  'all starve': pair => [
    inAfter(
      pair,
      ofThreads(one => ({ ...one, delay: one.delay + 1e9, state: 'R', call: { type: 'running' } })),
    ),
  ],
  'all page': pair => [
    inAfter(
      pair,
      ofProcesses(program => ({ ...program, majorFaults: program.majorFaults + 1e4 })),
    ),
  ],
  'all are stopped': pair => [
    inBoth(
      pair,
      ofThreads(one => ({ ...one, state: 'T' })),
    ),
  ],
  'all are traced': pair => [
    inBoth(
      pair,
      ofProcesses(program => ({
        ...program,
        tracer: 1,
        threads: program.threads.map(one => ({ ...one, state: 't' })),
      })),
    ),
  ],
  'all are frozen': pair => [
    inBoth(
      pair,
      ofProcesses(program => ({ ...program, isFrozen: true })),
    ),
  ],
  'the first is frozen': pair => [
    inBoth(
      pair,
      ofProcesses((program, at) => ({ ...program, isFrozen: at === 0 })),
    ),
  ],
  'all wait for a disk': pair => [
    inBoth(
      pair,
      ofThreads(one => ({ ...one, state: 'D' })),
    ),
  ],
  'all have ended': pair => [
    inBoth(
      pair,
      ofThreads(one => ({ ...one, state: 'Z' })),
    ),
  ],
  'the root has ended': pair => [
    inBoth(
      pair,
      ofProcesses((program, at) =>
        at > 0 ? program : { ...program, threads: program.threads.map(one => ({ ...one, state: 'Z' })) },
      ),
    ),
  ],
  'the first thread of each has ended': pair => [
    inBoth(
      pair,
      ofThreads((one, at) => (at > 0 ? one : { ...one, state: 'Z' })),
    ),
  ],
  'calls are hidden': pair => [
    inBoth(
      pair,
      ofThreads(one => ({ ...one, call: { type: 'hidden', why: 'EPERM' } })),
    ),
  ],
  'files are hidden': pair => [
    inBoth(
      pair,
      ofProcesses(program => ({ ...program, hidden: ['fd', 'mem'] })),
    ),
  ],
  'a signal timer': pair => [
    inBoth(
      pair,
      ofProcesses(program => ({ ...program, hasSignalTimer: true })),
    ),
  ],
  'a handler': pair => [
    inBoth(
      pair,
      ofProcesses(program => ({ ...program, catches: ['USR1', 'USR2'] })),
    ),
  ],
  'reused pids': pair => [
    inAfter(
      pair,
      ofProcesses(program => ({ ...program, startTicks: '1' })),
    ),
  ],
  'the supervisor is unknown': pair => [inBoth(pair, snapshot => ({ ...snapshot, supervisor: 1 }))],
  'holders are not whole': pair => [
    inBoth(
      pair,
      ofTargets(target =>
        target.type === 'pipe'
          ? {
              ...target,
              writers: { ...target.writers, isWhole: false },
              readers: { ...target.readers, isWhole: false },
            }
          : target,
      ),
    ),
  ],
  'nobody holds a pipe': pair => [
    inBoth(
      pair,
      ofTargets(target =>
        target.type === 'pipe'
          ? { ...target, writers: { pids: [], isWhole: true }, readers: { pids: [], isWhole: true } }
          : target,
      ),
    ),
  ],
  'all have times out': pair => [
    inBoth(
      pair,
      ofThreads(one => ('timeout' in one.call ? { ...one, call: { ...one.call, timeout: 60_000 } } : one)),
    ),
  ],
  'times out are unknown': pair => [
    inBoth(
      pair,
      ofThreads(one => ('timeout' in one.call ? { ...one, call: { ...one.call, timeout: 'unknown' } } : one)),
    ),
  ],
  'all want to write': pair => [
    inBoth(
      pair,
      ofThreads(one =>
        one.call.type === 'fds'
          ? { ...one, call: { ...one.call, fds: one.call.fds.map(wait => ({ ...wait, want: 'write' })) } }
          : one,
      ),
    ),
  ],
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

function diagnosed(name: string): string {
  const pair = pairOf(name)
  const found = diagnose(pair)
  const rows = [
    `# ${name}`,
    `${found.cause} ${found.proof}${found.isBlocked ? ' blocked' : ''}`,
    sentenceOf(found, 7000),
    ...found.doubts.map(doubt => `doubt: ${doubt}`),
    ...waitTree(found),
    `all: ${digestOf(JSON.stringify(found))}`,
  ]
  const changed = Object.entries(changes).map(([what, change]) => {
    const [otherwise, options] = change(pair)
    const { cause, proof, isBlocked, ...rest } = diagnose(otherwise, options)
    return `${what}: ${cause} ${proof}${isBlocked ? ' blocked' : ''} ${digestOf(JSON.stringify(rest))}`
  })
  return [...rows, ...changed].join('\n')
}

if (process.env.LULL_KEEP_DIAGNOSES) writeFileSync(kept, `${names.map(diagnosed).join('\n\n')}\n`)
const before = new Map(
  readFileSync(kept, 'utf8')
    .trimEnd()
    .split('\n\n')
    .map(section => [section.slice(2, section.indexOf('\n')), section]),
)

describe('diagnoses of recorded trees', () => {
  test('are kept of each', () => expect([...before.keys()]).toEqual(names))
  test.each(names)('%s is diagnosed as before', name => expect(diagnosed(name)).toBe(before.get(name)))
})
