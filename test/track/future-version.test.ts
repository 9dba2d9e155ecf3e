/** A CLI of a version to come: events, rows and states that nobody knows yet tell nothing, and take nothing back. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { decodeRow, newDecoder } from '../../src/track/decode.ts'
import { eventsOf, judged, linesOf, type Recorded } from '../support/recordings.ts'
import { claudeStatus, hook, play, status7501, title } from '../support/scenario.ts'

/** By these fields a line tells what it is; OpenCode's log by a word. */
const kinds = /"(type|subtype|event|event\.name|hook_event_name)":"(?!session")([^"]*)"/g
const renamed = (line: string): string =>
  line.startsWith('{')
    ? line.replace(kinds, '"$1":"future_$2"').replace(/^\{/, '{"futureField":{"a":[1]},')
    : line.replace(/message=("?)/, 'message=$1future ')

/** The same event as a later version may call it. */
function future([t, code, data]: Recorded): string | undefined {
  if (code !== 'h' && code !== 't') return undefined
  const row = JSON.parse(data) as { event?: string; line?: string }
  if (code === 'h') return JSON.stringify([t, code, JSON.stringify({ ...row, event: `Future${row.event}` })])
  const line = renamed(row.line ?? '')
  return line === row.line ? undefined : JSON.stringify([t, code, JSON.stringify({ ...row, line })])
}

const corpus = path.resolve(import.meta.dirname, '../../corpus')
const names = globSync('*/*.cast.gz', { cwd: corpus })
  .sort()
  .map(name => name.replace('/', '-').replace('.cast.gz', ''))
  .filter(name => eventsOf(name).some(event => future(event) !== undefined))

test.each(names)('%s: what is unknown beside what is known moves nothing', name => {
  const [header, ...rows] = linesOf(name) as [string, ...string[]]
  const before = judged([header, ...rows]).changes
  const more = rows.flatMap(row => {
    const unknown = future(JSON.parse(row) as Recorded)
    return unknown === undefined ? [row] : [unknown, row, unknown]
  })
  const { changes, complaints } = judged([header, ...more])
  expect(changes).toEqual(before)
  expect(complaints.filter(({ reason }) => reason.startsWith('unreadable'))).toEqual([])
})

describe('a value that nobody knows', () => {
  const begun = hook(1, 'UserPromptSubmit', { session_id: 's', prompt_id: 'p', prompt: 'go' })

  test.each([
    ['of a status file', 'claude', claudeStatus(3, 'pondering')],
    ['of the status protocol', 'claude', status7501(3, 'state=pondering:app=claude-code')],
    ['of the status protocol, from Codex', 'codex', status7501(3, 'state=pondering:app=codex:kind=new')],
    ['of a title', 'gemini', title(3, '◉  Pondering (a)')],
  ] as const)('%s is no idleness', (_, agent, row) => {
    const prompt = agent === 'gemini' ? hook(1, 'BeforeAgent', {}) : begun
    expect(
      play(agent, [prompt, row], { until: 200 }).path.filter(state => /idle|exited/.test(state)),
    ).toEqual([])
  })

  test('of a row of a headless run is passed over', () => {
    for (const agent of Object.values(agents)) {
      for (const row of ['{"type":"future_row"}', '{"kind":"x"}', 'plain words', '[]', '{"type":7}']) {
        const { signals } = decodeRow(newDecoder(agent), row, 5)
        expect(signals.filter(({ type }) => type !== 'facts')).toEqual([])
      }
    }
  })
})
