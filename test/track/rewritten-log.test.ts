/** A log that is rotated, truncated or written anew while it is read: what stands in it again was told before. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { judged, linesOf, type Recorded } from '../support/recordings.ts'

const corpus = path.resolve(import.meta.dirname, '../../corpus')
const names = globSync('*/*.cast.gz', { cwd: corpus })
  .sort()
  .map(name => name.replace('/', '-').replace('.cast.gz', ''))

/** The shares of its lines after which a log is written anew. */
const shares = [0.2, 0.5, 0.8, 1]

const heard: Readonly<Record<string, RegExp>> = { 'by all sources': /./, 'by its log alone': /^[tx]$/ }

const codeOf = (row: string): string => (JSON.parse(row) as Recorded)[1]

/** The recording, in which all lines that were read until then come once more. */
function writtenAnew(rows: readonly string[], share: number): readonly string[] {
  const logged = rows.flatMap((row, at) => (codeOf(row) === 't' ? [at] : []))
  const last = logged[Math.ceil(share * logged.length) - 1]
  if (last === undefined) return rows
  const [time] = JSON.parse(rows[last] as string) as Recorded
  const again = logged
    .filter(at => at <= last)
    .map(at => {
      const [, code, data] = JSON.parse(rows[at] as string) as Recorded
      return JSON.stringify([time, code, data])
    })
  return rows.toSpliced(last + 1, 0, ...again)
}

/** Of what kind it is told to be, and from when on: lines that come at once are one step. */
function told(rows: readonly string[]): readonly string[] {
  const byTime = new Map(judged(rows).changes.map(change => change.split(/[ /]/) as [string, string]))
  return [...byTime]
    .filter(([, kind], n, all) => kind !== all[n - 1]?.[1])
    .map(([time, kind]) => `${time} ${kind}`)
}

/** A subagent that only hooks saw end may work again: its start stands there anew. */
const isDangerous = (change: string): boolean => !change.endsWith(' working')

test.each(names)('%s is never idle, waits or lives again by what stands anew in its log', name => {
  const [header, ...all] = linesOf(name) as [string, ...string[]]
  for (const [by, codes] of Object.entries(heard)) {
    const rows = all.filter(row => codes.test(codeOf(row)))
    const once = told([header, ...rows])
    for (const share of shares) {
      const anew = writtenAnew(rows, share)
      if (anew === rows) continue
      const again = told([header, ...anew])
      const isNew = (change: string): boolean => !once.includes(change)
      expect([by, share, again.filter(isNew).filter(isDangerous)]).toEqual([by, share, []])
    }
  }
})
