/** A new agent: a folder of the shape of `src/agents/kit/agent.ts`, with readers for one event of each kind. */
import { capital, type Scaffold } from './scaffold.ts'

export function newAgent(name: string): Scaffold {
  const title = capital(name)
  const folder = `src/agents/${name}`
  return {
    files: {
      [`${folder}/agent.ts`]: `import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
import type { HookedAgent } from '../kit/agent.ts'
import { readHook } from './hooks.ts'
import { readRow } from './rows.ts'
import { readLine } from './transcript.ts'

export const ${name}: HookedAgent = {
  name: '${name}',
  title: '${title}',
  process: commandLines.${name},
  files: { transcripts: ['.${name}/sessions/*.jsonl'] },
  readHook,
  readLine,
  readRow,
  headless: { rows: ['--json'], begins: { type: /^TODO$/ } },
  screens: { rules: [] },
  hooks: hookPlanOf.${name},
}
`,
      [`${folder}/hooks.ts`]: `/** ${title}'s hooks: TODO the version that they were recorded on, and what they do not show. */
import { z } from 'zod'
import { claimsOf, nothing, read } from '../kit/agent.ts'
import { hookReader, id, tail } from '../kit/fields.ts'

const fields = z.object({ session_id: id.optional(), last_message: tail.optional() })

export const readHook = hookReader(fields, (event, p, moment) => {
  const claim = claimsOf('hook', event, moment.seen, moment.seen)
  switch (event) {
    case 'UserPromptSubmit':
      return read(claim.working('thinking', { starts: true }), claim.facts({ agentSession: p.session_id }))
    case 'Stop':
      return read(claim.finished(p.last_message), claim.facts({ finalMessage: p.last_message }))
    default:
      return nothing
  }
})
`,
      [`${folder}/rows.ts`]: `/** Rows of a headless run of ${title}: TODO the option that asks for them, and which row is the last. */
import { z } from 'zod'
import { claimsOf, nothing, read } from '../kit/agent.ts'
import { rowReader, tail, word } from '../kit/fields.ts'

const fields = z.object({ type: word, text: tail.optional() })

export const readRow = rowReader(fields, (row, moment) => {
  const claim = claimsOf('rows', row.type, moment.seen, moment.seen)
  switch (row.type) {
    case 'start':
      return read(claim.working('thinking', { starts: true }))
    case 'result':
      return read(claim.finished(row.text), claim.facts({ finalMessage: row.text }))
    default:
      return nothing
  }
})
`,
      [`${folder}/transcript.ts`]: `/** ${title}'s transcript: TODO which of its lines open and end a turn. */
import { z } from 'zod'
import { claimsOf, type LineInput, type Moment, nothing, type Reading, read, refuse } from '../kit/agent.ts'
import { checkRow, isTyped, stamp, tail, word } from '../kit/fields.ts'

const fields = z.object({ type: word, timestamp: stamp.optional(), text: tail.optional() })

export function readLine(input: LineInput, moment: Moment): Reading {
  const checked = checkRow(fields, input.line, 'transcript line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const { type, timestamp, text } = checked.value
  const claim = claimsOf('transcript', type, moment.stamp(timestamp), moment.seen)
  switch (type) {
    case 'user':
      return read(claim.working('thinking', { starts: true }))
    case 'assistant':
      return read(claim.finished(text))
    default:
      return nothing
  }
}
`,
      [`test/agents/${name}.test.ts`]: `/** What is read of ${title}, one input after the other. Recordings (corpus/${name}) say whether it is so. */
import { expect, test } from 'vitest'
import { ${name} } from '../../src/agents/${name}/agent.ts'
import type { Moment, Reading } from '../../src/agents/kit/agent.ts'

const moment: Moment = { seen: 0, stamp: () => 0, until: () => 0 }

const statesOf = ({ signals }: Reading): string[] =>
  signals.flatMap(signal => (signal.type === 'news' ? [signal.state.kind] : []))

test('a turn in hooks', () => {
  const read = (event: string) => statesOf(${name}.readHook({ event, payload: {} }, moment, {}))
  expect(['UserPromptSubmit', 'Stop', 'Other'].map(read)).toEqual([['working'], ['idle'], []])
})

test('a turn in its transcript', () => {
  const read = (type: string) =>
    statesOf(${name}.readLine({ path: '', line: JSON.stringify({ type }) }, moment, {}))
  expect(['user', 'assistant', 'other'].map(read)).toEqual([['working'], ['idle'], []])
})

test('a headless run', () => {
  const read = (type: string) => statesOf(${name}.readRow(JSON.stringify({ type }), moment, {}))
  expect(['start', 'result', 'other'].map(read)).toEqual([['working'], ['idle'], []])
})

test('what is no such input is refused with a reason', () => {
  expect(${name}.readLine({ path: '', line: 'torn' }, moment, {}).refused).toMatch('transcript line')
  expect(${name}.readRow('torn', moment, {}).refused).toMatch('row')
})
`,
    },
    edits: [
      {
        file: 'src/agents/agent-names.ts',
        at: /'(?=,?\s*\] as const\s+export type HookedName)/,
        where: 'after',
        text: `, '${name}'`,
      },
      {
        file: 'src/agents/registry.ts',
        at: /import type \{ AgentName, HookedName \}[^\n]*\n/,
        where: 'before',
        text: `import { ${name} } from './${name}/agent.ts'\n`,
      },
      {
        file: 'src/agents/registry.ts',
        at: / {2}'cursor-agent': cursorAgent,\n/,
        where: 'before',
        text: `  ${name},\n`,
      },
      {
        file: 'src/agents/hook-plans.ts',
        at: /export const hookPlanOf: [^\n]*\n/,
        where: 'before',
        text: `/** ${title}: TODO where it looks for hooks, and on which version that was checked. */
const ${name}: HookPlan = {
  format: { kind: 'entries', handler: { type: 'command' }, switches: [] },
  isSelfNaming: true,
  events: planned(['UserPromptSubmit', 'Stop']),
  user: { path: '.${name}/settings.json' },
  project: { path: '.${name}/settings.json', at: 'root', isShared: true },
}

`,
      },
      {
        file: 'src/agents/hook-plans.ts',
        at: / {2}cline,\n/,
        where: 'after',
        text: `  ${name},\n`,
      },
      {
        file: 'src/agents/command-lines.ts',
        at: / {2}'cursor-agent': \{\n/,
        where: 'before',
        text: `  ${name}: { argv0: ['${name}'], withoutSession: ['--version', '--help'] },\n`,
      },
      {
        file: 'test/agents/rows.test.ts',
        at: /\n\}\n\nconst spoilt/,
        where: 'before',
        text: `\n  ${name}: { text: 5 },`,
      },
      {
        file: 'test/track/hostile.test.ts',
        at: /\n\}\n\nconst imitations/,
        where: 'before',
        text: `\n  ${name}: '${name}-bash',`,
      },
    ],
    left: [
      `record it: lull record --agent ${name} --watch ~/.${name} -- ${name}, and with its truth into corpus/${name} (corpus/README.md)`,
      `read what it really writes: each TODO in ${folder}, its row in src/agents/command-lines.ts, its plan in src/agents/hook-plans.ts, its files in ${folder}/agent.ts`,
      `the rows of recorded headless runs (test/rows/${name}-*.jsonl), and a recording that test/track/hostile.test.ts names`,
      'a row in docs/agents.md, docs/hooks.md, docs/loop.md and corpus/README.md, its name in README.md: npx vitest run test/house test/agents test/track/hostile.test.ts test/loop/marker.test.ts names what is missing',
    ],
  }
}
