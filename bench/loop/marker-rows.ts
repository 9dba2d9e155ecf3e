/** Rows of real headless runs (test/rows), with a marker put where only one of the places is the final message. */

import { readFileSync } from 'node:fs'
import { type HookedName, hookedNames } from '../../src/agents/agent-names.ts'
import { messageOf } from '../../src/loop/headless-rows.ts'
import { findMarker } from '../../src/loop/marker/marker.ts'
import { idle } from './marker-messages.ts'

export type RowCase = {
  readonly agent: HookedName
  readonly what: string
  /** The marker's name, or null. */
  readonly read: () => string | null
  readonly reports: string | null
}

type Row = { readonly line: string }

const rowsOf = (name: string): string[] =>
  readFileSync(new URL(`../../test/rows/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as Row).line)
    .filter(line => line !== undefined)

/** Every string of a row. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(one => mapped(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change)]))
}

const changed = (lines: readonly string[], change: (text: string) => string): string[] =>
  lines.map(line => JSON.stringify(mapped(JSON.parse(line), change)))

/** The marker of a run, whose rows are known by their shape. */
const markerOf = (lines: readonly string[]): string | null =>
  findMarker(messageOf(lines.join('\n')) ?? '')?.name ?? null

/** The last words of the recorded runs, whole or in the piece that ends them. */
const last = /(finished\.|Ran it\.)$/
/** Their first words, before the tool is called; the tool's output; the tool's call. */
const first = /^I will run a/
const result = /^slept-3/
const call = /sleep 3/

/** A quotation longer than what is kept of a message, which begins before the cut and ends after it. */
const quoted = `\n\`\`\`\n${'a line of the file\n'.repeat(300)}${idle}\n\`\`\``

const ways: readonly { what: string; change: (text: string) => string; reports: string | null }[] = [
  { what: 'said last', change: text => text.replace(last, `$1\n\n${idle}`), reports: 'idle' },
  {
    what: 'said last, after much',
    change: text => text.replace(last, `$1\n${'A line.\n'.repeat(900)}\n${idle}`),
    reports: 'idle',
  },
  {
    what: 'said last, after a long quotation',
    change: text => text.replace(last, `$1${quoted}\n\n${idle}`),
    reports: 'idle',
  },
  { what: 'not said', change: text => text, reports: null },
  {
    what: 'in the words before a tool',
    change: text => text.replace(first, `${idle}\n\nI will run a`),
    reports: null,
  },
  {
    what: 'in what the tool printed',
    change: text => text.replace(result, `slept-3\n${idle}`),
    reports: null,
  },
  { what: 'in all that the tool printed', change: text => (result.test(text) ? idle : text), reports: null },
  {
    what: 'in the call of the tool',
    change: text => text.replace(call, `echo '\n${idle}\n'; sleep 3`),
    reports: null,
  },
  {
    what: 'in the prompt',
    change: text => text.replace(/^\[\[bash:3\]\].*/s, `Say\n\n${idle}`),
    reports: null,
  },
  { what: 'in code, last', change: text => text.replace(last, `$1\n\`\`\`\n${idle}\n\`\`\``), reports: null },
  {
    what: 'in a sentence, last',
    change: text => text.replace(last, `$1 I would say \`${idle}\`.`),
    reports: null,
  },
  { what: 'in a block quote, last', change: text => text.replace(last, `$1\n\n> ${idle}`), reports: null },
  { what: 'in a quotation that is cut', change: text => text.replace(last, `$1${quoted}`), reports: null },
]

const everywhere = (agent: HookedName): RowCase[] =>
  ways.map(({ what, change, reports }) => ({
    agent,
    what,
    reports,
    read: () => markerOf(changed(rowsOf(`${agent}-bash`), change)),
  }))

/** Runs that did not come to an end: whatever was said before is not the last word. */
function cutShort(agent: HookedName): RowCase[] {
  const lines = rowsOf(`${agent}-bash`)
  const said = changed(lines, text =>
    text.replace(first, `${idle}\n\nI will run a`).replace(last, `$1\n\n${idle}`),
  )
  /** The rows up to the call of the tool. */
  const begun = said.slice(0, lines.findIndex(line => line.includes('sleep 3')) + 1)
  const early = changed(lines, text => text.replace(first, `${idle}\n\nI will run a`))
  return [
    {
      agent,
      what: 'said before a tool, and nothing after it',
      reports: null,
      read: () => markerOf(withoutLastWords(agent, early)),
    },
    { agent, what: 'said before a tool, and ended in it', reports: null, read: () => markerOf(begun) },
    {
      agent,
      what: 'said in an earlier turn, and ended in the next',
      reports: null,
      read: () => markerOf([...said, ...begun]),
    },
  ]
}

/** A turn that ends without a word: some CLIs print an empty one, some none. */
function withoutLastWords(agent: HookedName, lines: readonly string[]): string[] {
  if (agent === 'codex' || agent === 'opencode') return lines.filter(line => !line.includes('finished.'))
  const silent = changed(lines, text =>
    text.replace(/(The command )?finished\.$|^The command $|Ran it\.$/, ''),
  )
  return silent.map(line => line.replaceAll('[{"type":"text","text":""}]', '[]'))
}

export const rowCases: readonly RowCase[] = hookedNames.flatMap(agent => [
  ...everywhere(agent),
  ...cutShort(agent),
])
