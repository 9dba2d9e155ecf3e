/** What is published of a run is believed where it has the shape that the rest of lull relies on: another version may have written it. */
import { existsSync, lutimesSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { psText } from '../../../src/cli/commands/ps-command.ts'
import { explanationOf } from '../../../src/core/explain/explanation.ts'
import { isRecord } from '../../../src/core/trace/trace.ts'
import { markOf } from '../../../src/os/proc/alive.ts'
import { entryOf } from '../../../src/sessions/history/session-past.ts'
import { readRuns, takeEnded } from '../../../src/sessions/runs/published-runs.ts'
import { jsonRow } from '../../../src/sessions/session-json.ts'
import { exit, liveSession, news, permission, prompt, sessionOf, status } from '../../support/live.ts'
import { temporaryFolder } from '../../support/lull.ts'

const folder = path.join(temporaryFolder(), 'runs')
mkdirSync(folder, { mode: 0o700 })
const file = path.join(folder, 'abcd1234.json')

const facts = {
  ...{ tool: 'Bash', about: 'make', prompt: 'go on', question: 'May I?', cost: 0.5, tokensIn: 7 },
  wakes: [{ kind: 'wakeup', what: 'the next run', at: 5 }],
} as const
const signals = [
  prompt(0),
  { type: 'facts', facts, at: 0 } as const,
  news(1, permission, { lane: 'ask:main:1' }),
  status(2, permission),
]
const published = {
  ...{ owner: markOf(process.pid), process: markOf(process.pid), loop: 'one' },
  session: liveSession(sessionOf(signals), { note: 'run make', isSeen: true }),
}
const fresh = () => JSON.parse(JSON.stringify(published))

function readBack(value: unknown) {
  writeFileSync(file, JSON.stringify(value))
  return readRuns(folder)
}

test('as it was written, it is read: also one that will be woken, and one that has ended', () => {
  expect(readBack(published)).toEqual([fresh().session])
  const ended = { ...published, session: liveSession(sessionOf([...signals, exit(3)])) }
  writeFileSync(path.join(folder, 'abcd1234.ended'), JSON.stringify(ended))
  expect(takeEnded(folder, 'abcd1234')).toMatchObject({ id: 'abcd1234' })
})

test('as lull 0.1 wrote it, with `says` for the state of a claim, it is read too', () => {
  const isClaim = (value: unknown) => isRecord(value) && 'source' in value && 'state' in value
  const old = JSON.parse(JSON.stringify(published), (_, value) => {
    if (!isClaim(value)) return value
    const { state: says, ...rest } = value
    return { ...rest, says }
  })
  expect(JSON.stringify(old)).toContain('"says":')
  expect(readBack(old)).toEqual([fresh().session])
})

test('whose process is gone is there until its owner has told how it ended; what a dead owner left is removed', () => {
  const gone = { ...markOf(process.pid), start: '1' }
  expect(readBack({ ...published, process: gone })).toMatchObject([{ id: fresh().session.id }])
  expect(readRuns(folder)).toHaveLength(1)
  expect(readBack({ ...published, loop: undefined, owner: gone })).toEqual([])
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['session.session.facts', undefined],
  ['session.session.facts.question', 5],
  ['session.session.facts.cost', 'much'],
  ['session.session.facts.wakes.0.at', 'soon'],
  ['session.session.verdict.because', undefined],
  ['session.session.verdict.state', {}],
  ['session.session', { verdict: { state: { kind: 'working' }, health: {} } }],
  ['session.agent', undefined],
  ['session.id', undefined],
  ['session.id', 5],
  ['session.cwd', 5],
  ['session.cwd', null],
  ['session.drift', 'old'],
  ['owner.pid', '1'],
])('with its %s as %j it is no run', (place, value) => {
  const run = fresh()
  const names = place.split('.')
  const holder = names.slice(0, -1).reduce((part, name) => part[name], run)
  holder[names.at(-1) ?? ''] = value
  expect(readBack(run)).toEqual([])
  writeFileSync(path.join(folder, 'abcd1234.ended'), JSON.stringify(run))
  expect(takeEnded(folder, 'abcd1234')).toBeUndefined()
})

test('an end that nobody took goes after a minute, also a link that leads nowhere', () => {
  const [old, fresh] = ['old.ended', 'fresh.ended'].map(name => path.join(folder, name)) as [string, string]
  for (const link of [old, fresh]) symlinkSync('/nowhere', link)
  lutimesSync(old, Date.now() / 1000 - 61, Date.now() / 1000 - 61)
  readRuns(folder)
  expect(readdirSync(folder).filter(name => name.endsWith('.ended'))).toEqual(['fresh.ended'])
  rmSync(fresh)
})

test('with anything else in the place of a part it is no run, or does no harm to what shows and keeps it', () => {
  const wrong = fc.constantFrom(null, 'text', -1, 1.5, true, [], {}, [[]], [null], { kind: 'asleep' })
  const view = { now: 9, epoch: 0, home: '/home/dev', width: 100, isColoured: false, hasWhy: true }
  const count = [...partsOf(fresh())].length
  fc.assert(
    fc.property(fc.nat(count - 1), wrong, (n, value) => {
      const run = fresh()
      const { holder, key } = [...partsOf(run)][n] as Part
      holder[key] = value
      const runs = readBack(run)
      psText(runs, runs.length, view)
      for (const session of runs) {
        jsonRow(session, 9, 0)
        explanationOf(session.session, 9)
        entryOf(session, 9, 0)
      }
    }),
    { numRuns: 500 },
  )
  rmSync(file, { force: true })
})

type Part = { readonly holder: Record<string, unknown>; readonly key: string }

function* partsOf(value: unknown): Generator<Part> {
  if (!isRecord(value) && !Array.isArray(value)) return
  const holder = value as Record<string, unknown>
  for (const [key, inner] of Object.entries(holder)) {
    yield { holder, key }
    yield* partsOf(inner)
  }
}
