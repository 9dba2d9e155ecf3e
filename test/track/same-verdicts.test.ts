import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { describeState, instantOf } from '../../src/core/explain/explain.ts'
import type { Verdict } from '../../src/core/judge/verdict.ts'
import { replay } from '../../src/track/replay.ts'

/**
 * Every recording is judged as it was before, whole and with each of its sources missing. Where a change of the rule is
 * meant, `LULL_KEEP_VERDICTS=1 npx vitest run test/track/same-verdicts.test.ts` writes the new verdicts: read the diff.
 */

const corpus = path.resolve(import.meta.dirname, '../../corpus')
const kept = path.join(import.meta.dirname, 'same-verdicts.txt')

/** Sources of a recording by the codes of their events. */
const sources = { hooks: 'h', transcripts: 't', 'status files': 'f', output: 'o', keys: 'i' } as const

const names = globSync('*/*.cast.gz', { cwd: corpus }).sort()

const linesOf = (name: string): readonly string[] =>
  gunzipSync(readFileSync(path.join(corpus, name)))
    .toString('utf8')
    .trimEnd()
    .split('\n')

const without = (lines: readonly string[], code: string): readonly string[] =>
  lines.filter((line, at) => at === 0 || JSON.parse(line)[1] !== code)

function rowOf(at: number, verdict: Verdict): string {
  const { state, rule, turn, turnOver, since, health, asks, limit, recheckAt, because } = verdict
  const turns = `turn ${turn}${turnOver ? ' over' : ''}${asks ? ' asks' : ''}${limit ? ' limit' : ''}`
  const evidence = because.map(one => `${one.source}@${instantOf(one)}`).join(' ')
  return `${at} ${describeState(state)} ${rule} since ${since} ${turns} ${health.level} recheck ${recheckAt ?? '-'} by ${evidence}`
}

const rowsOf = (lines: readonly string[]): readonly string[] => {
  const changes = replay(lines, { isSame: () => false })
  return [...changes].map(({ at, verdict }) => rowOf(at, verdict))
}

/** Few letters for many rows. */
const digestOf = (rows: readonly string[]): string =>
  createHash('sha256').update(rows.join('\n')).digest('hex').slice(0, 8)

function judged(name: string): string {
  const lines = linesOf(name)
  const whole = [...replay(lines)].map(({ at, verdict }) => rowOf(at, verdict))
  const missing = Object.entries(sources).map(
    ([source, code]) => `without ${source}: ${digestOf(rowsOf(without(lines, code)))}`,
  )
  return [`# ${name}`, ...whole, `each step: ${digestOf(rowsOf(lines))}`, ...missing].join('\n')
}

if (process.env.LULL_KEEP_VERDICTS) writeFileSync(kept, `${names.map(judged).join('\n\n')}\n`)
const before = new Map(
  readFileSync(kept, 'utf8')
    .trimEnd()
    .split('\n\n')
    .map(section => [section.slice(2, section.indexOf('\n')), section]),
)

describe('verdicts of the corpus', () => {
  test('are kept of each recording', () => expect([...before.keys()]).toEqual(names))
  test.each(names)('%s is judged as before', name => expect(judged(name)).toBe(before.get(name)))
})
