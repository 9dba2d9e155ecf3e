/** The rows of recorded headless runs (test/rows, strings trimmed), and rows that lie. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type HookedName, hookedNames } from '../../src/agents/agent-names.ts'
import type { Memory, Moment, Reading } from '../../src/agents/kit/agent.ts'
import { agents } from '../../src/agents/registry.ts'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { Facts } from '../../src/core/evidence/signal.ts'
import type { Session } from '../../src/core/session.ts'
import type { Instant, State } from '../../src/core/state.ts'

/** A row `t` seconds into the run. */
type Row = { readonly t: number; readonly line: string }

const rowsOf = (name: string): readonly Row[] =>
  readFileSync(new URL(`../rows/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Row)
    .filter(row => row.line !== undefined)

/** `path` holds the states one after the other, each once. */
type Run = {
  readonly session: Session
  readonly memory: Memory
  readonly path: readonly string[]
  readonly tools: readonly string[]
  readonly refused: readonly string[]
}

const start: Run = { session: startedSession(0), memory: {}, path: ['starting'], tools: [], refused: [] }

const momentAt = (seen: Instant): Moment => ({ seen, stamp: () => seen, until: () => seen })

function nameOf(state: State): string {
  if (state.kind === 'working') return state.doing ?? 'working'
  return state.kind === 'idle' ? `idle:${state.after}` : state.kind
}

/** Reads one row as the tracker does: due rechecks first, then its signals. */
function step(agent: HookedName, run: Run, { t, line }: Row): Run & { readonly reading: Reading } {
  const at = Math.round(t * 1000)
  const path = [...run.path]
  const note = (session: Session): Session => {
    const name = nameOf(session.verdict.state)
    if (name !== path.at(-1)) path.push(name)
    return session
  }
  let { session } = run
  while ((session.verdict.recheckAt ?? Infinity) <= at) {
    session = note(advance(session, session.verdict.recheckAt as Instant))
  }
  const reading = agents[agent].readRow(line, momentAt(at), run.memory)
  for (const signal of reading.signals) session = advance(session, at, signal)
  note(session)
  const told = reading.signals.flatMap(s => (s.type === 'facts' && s.facts.tool ? [s.facts.tool] : []))
  const tools = [...run.tools, ...told]
  const refused = reading.refused === undefined ? run.refused : [...run.refused, reading.refused]
  return { session, memory: reading.memory ?? run.memory, path, tools, refused, reading }
}

const play = (agent: HookedName, rows: readonly Row[], from: Run = start): Run =>
  rows.reduce((run: Run, row) => step(agent, run, row), from)

/** The index of the first row that leads to such a state. */
const indexOf = (agent: HookedName, rows: readonly Row[], state: RegExp): number =>
  rows.findIndex((_, i) => state.test(play(agent, rows.slice(0, i + 1)).path.at(-1) as string))

const hello = 'Hello. The short turn is done.'
const ranIt = 'The command finished.'
const recovered = 'Recovered after 429s.'
const bash = 'thinking streaming tool thinking streaming idle:turn'
const bad = 'scripted 400'

/** Agent, scenario; the states from the first row to the last; the tools told; facts at the end. */
// biome-ignore format: a run a line
const recorded: readonly (readonly [HookedName, string, string, string, Facts])[] = [
  ['claude', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, cost: 0.0056, tokensIn: 1200, tokensOut: 40 }],
  ['claude', 'bash', bash, 'Bash', { finalMessage: ranIt, agentSession: 'b3dd07da-0a91-40d8-923b-c04421cc2865' }],
  ['claude', 'partialbash', bash, 'Bash', { finalMessage: ranIt }],
  ['claude', 'touch', bash, 'Bash', { finalMessage: 'Created.' }],
  ['claude', 'agent', 'thinking tool thinking streaming idle:turn', 'Agent', { finalMessage: 'Subagent result noted.' }],
  ['claude', 'e400', 'thinking streaming idle:error', '', { error: `API Error: 400 ${bad}`, model: 'claude-opus-5-5' }],
  ['claude', 'e429x2', 'thinking retrying streaming idle:turn', '', { finalMessage: recovered }],
  ['claude', 'drop', 'thinking retrying', '', {}],
  ['claude', 'sigint', 'thinking streaming thinking idle:interrupt', '', {}],
  ['claude', 'sigterm', 'thinking', '', {}],
  ['codex', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, tokensIn: 1200, tokensOut: 40 }],
  ['codex', 'bash', bash, 'command_execution command_execution', { finalMessage: ranIt, agentSession: '01a20070-951c-74c3-b3ad-9c633380938a' }],
  ['codex', 'ask', 'thinking streaming idle:turn', '', { finalMessage: 'Thanks for the answer.' }],
  ['codex', 'e400', 'thinking idle:error', '', { error: `{"error":{"message":"${bad}","type":"invalid_request_error","code":"400"}}` }],
  ['codex', 'e429', 'thinking idle:limit', '', { error: 'exceeded retry limit, last status: 429 Too Many Requests' }],
  ['codex', 'drop', 'thinking retrying idle:error', '', { error: 'stream disconnected before completion: error sending request' }],
  ['codex', 'sigint', 'thinking', '', {}],
  ['opencode', 'short', 'thinking working idle:turn', '', { finalMessage: hello, tokensIn: 1200, tokensOut: 40, cost: 0 }],
  ['opencode', 'bash', 'thinking working thinking working idle:turn', 'bash', { finalMessage: ranIt, agentSession: 'ses_dff8f2d92ffeHmg7RKHpe7L9jA' }],
  ['opencode', 'touch', 'thinking working thinking', 'bash', {}],
  ['opencode', 'e400', 'idle:error', '', { error: bad }],
  ['opencode', 'e429x2', 'thinking working idle:turn', '', { finalMessage: recovered }],
  ['opencode', 'sigint', 'thinking', '', {}],
  ['gemini', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, tokensIn: 2400, tokensOut: 80 }],
  ['gemini', 'bash', bash, 'run_shell_command', { finalMessage: ranIt, agentSession: 'c9efcf97-db88-438e-ab91-452e6e5db275' }],
  ['gemini', 'force', bash, 'run_shell_command', { finalMessage: 'Created.' }],
  ['gemini', 'e400', 'thinking idle:error', '', { error: `[API Error: {"error":{"code":400,"message":"${bad}","status":"INVALID_ARGUMENT"}}]` }],
  ['gemini', 'e429x2', 'thinking streaming idle:turn', '', { finalMessage: recovered }],
  ['gemini', 'sigint', 'thinking streaming', '', {}],
  ['qwen', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, tokensIn: 2400, tokensOut: 80 }],
  ['qwen', 'bash', 'thinking tool thinking streaming idle:turn', 'run_shell_command', { finalMessage: 'Ran it.', model: 'fake-model' }],
  ['qwen', 'partialbash', bash, 'run_shell_command', { finalMessage: 'Ran it.' }],
  ['qwen', 'force', bash, 'run_shell_command', { finalMessage: 'Created.' }],
  ['qwen', 'e400', 'thinking streaming idle:error', '', { error: `[API Error: 400 ${bad}]` }],
  ['qwen', 'e429x2', 'thinking streaming idle:turn', '', { finalMessage: recovered }],
  ['qwen', 'sigint', 'thinking', '', {}],
  ['copilot', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, agentSession: '41536b35-54ea-4b3a-a4e6-a28acb165562' }],
  ['copilot', 'bash', bash, 'bash', { finalMessage: ranIt, model: 'fake-model' }],
  ['copilot', 'touch', bash, 'bash', { finalMessage: 'Created.' }],
  ['copilot', 'e400', 'thinking idle:error', '', { error: `400 ${bad}` }],
  ['copilot', 'e429x2', 'thinking retrying streaming idle:turn', '', { finalMessage: recovered }],
  ['copilot', 'e429', 'thinking retrying idle:interrupt', '', {}],
  ['copilot', 'sigint', 'thinking streaming idle:interrupt', '', {}],
  ['copilot', 'sigterm', 'thinking streaming idle:interrupt', '', {}],
  ['pi', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, tokensIn: 1200, tokensOut: 40, cost: 0 }],
  ['pi', 'bash', bash, 'bash', { finalMessage: ranIt, agentSession: '01a20072-dd1d-700e-8b19-c033b615390c' }],
  ['pi', 'e400', 'thinking idle:error', '', { error: `400 ${bad}` }],
  ['pi', 'e429x2', 'thinking streaming idle:turn', '', { finalMessage: recovered }],
  ['pi', 'e429', 'thinking retrying thinking retrying thinking retrying thinking idle:limit', '', { error: '429 scripted 429' }],
  ['pi', 'sigint', 'thinking streaming', '', {}],
  ['cline', 'short', 'thinking streaming idle:turn', '', { finalMessage: hello, tokensIn: 1200, tokensOut: 40, cost: 0 }],
  ['cline', 'bash', bash, 'run_commands', { finalMessage: ranIt, model: 'fake-model' }],
  ['cline', 'ask', 'thinking streaming waiting thinking streaming idle:turn', 'ask_question', {}],
  ['cline', 'touch', bash, 'run_commands', { finalMessage: 'Created.' }],
  ['cline', 'e400', 'thinking idle:error', '', { error: bad }],
  ['cline', 'e429x2', 'thinking streaming idle:turn', '', { finalMessage: recovered }],
  ['cline', 'sigint', 'thinking streaming', '', {}],
  ['cline', 'sigterm', 'thinking streaming idle:turn idle:interrupt', '', {}],
]

describe('a recorded run', () => {
  test.each(recorded)('%s %s: %s', (agent, scenario, path, tools, facts) => {
    const run = play(agent, rowsOf(`${agent}-${scenario}`))
    const seen = { path: run.path.slice(1).join(' '), tools: run.tools.join(' '), refused: run.refused }
    expect(seen).toEqual({ path, tools, refused: [] })
    expect(run.session.facts).toMatchObject(facts)
  })

  test.each(hookedNames)('%s: a last message that ends in a question asks', agent => {
    const rows = rowsOf(`${agent}-short`).map(row => ({
      ...row,
      line: row.line.replaceAll('done.', 'done?'),
    }))
    const { session } = play(agent, rows)
    expect(session.verdict).toMatchObject({ state: { kind: 'idle', after: 'turn' }, asks: true })
    expect(session.facts.finalMessage).toBe('Hello. The short turn is done?')
  })

  test('claude tells when it tries again', () => {
    const { session } = play('claude', rowsOf('claude-e429x2').slice(0, 2))
    expect(session.verdict.limit).toEqual({ until: 566 + 620 })
  })

  test.each(['reconnecting 3/5', 'Retrying 1/4 (429 Too Many Requests)', 'Reconnecting… 2/5'])(
    'codex tries again: %s',
    message => {
      const rows = rowsOf('codex-drop').slice(0, 3)
      const line = JSON.stringify({ type: 'error', message })
      expect(play('codex', [...rows, { t: 4, line }]).path.at(-1)).toBe('retrying')
    },
  )

  test('a codex run that starts slowly is one turn', () => {
    const rows = rowsOf('codex-short').map((row, i) => ({ ...row, t: row.t + i * 10 }))
    expect(play('codex', rows).session.verdict.turn).toBe(1)
  })
})

/** What; the agent, and its next row while it thinks; the state that the row leads to. */
// biome-ignore format: a row a line
const next: readonly (readonly [string, HookedName, object, string])[] = [
  ['a provider limit', 'claude', { type: 'result', is_error: true, api_error_status: 429, result: 'API Error: 429' }, 'idle:limit'],
  ['an interrupted tool', 'claude', { type: 'result', is_error: true, terminal_reason: 'aborted_tools' }, 'idle:interrupt'],
  ['a limit of turns', 'claude', { type: 'result', is_error: true, subtype: 'error_max_turns', errors: ['too many'] }, 'idle:error'],
  ['a usage limit', 'codex', { type: 'turn.failed', error: { message: "You've hit your usage limit. Try again later." } }, 'idle:limit'],
  ['a status in the text of an error', 'codex', { type: 'turn.failed', error: { message: 'no file 429.ts' } }, 'idle:error'],
  ['an MCP tool', 'codex', { type: 'item.started', item: { id: 'item_9', type: 'mcp_tool_call', tool: 'search' } }, 'tool'],
  ['a warning', 'codex', { type: 'item.completed', item: { id: 'item_9', type: 'error', message: 'turn.failed' } }, 'thinking'],
  ['a step that tools follow', 'opencode', { type: 'step_finish', part: { reason: 'tool-calls' } }, 'thinking'],
  ['a provider limit', 'opencode', { type: 'error', error: { name: 'APIError', data: { message: 'slow', statusCode: 429 } } }, 'idle:limit'],
  ['an abort', 'opencode', { type: 'error', error: { name: 'MessageAbortedError', data: { message: 'aborted' } } }, 'idle:interrupt'],
  ['a cancelled run', 'gemini', { type: 'result', status: 'error', error: { type: 'FatalCancellationError', message: 'no' } }, 'idle:interrupt'],
  ['a provider limit', 'gemini', { type: 'result', status: 'error', error: { type: 'unknown', message: '[API Error: {"error":{"code":429}}]' } }, 'idle:limit'],
  ['a used up quota', 'gemini', { type: 'result', status: 'error', error: { type: 'TerminalQuotaError', message: 'no' } }, 'idle:limit'],
  ['an error that a result follows', 'gemini', { type: 'error', severity: 'error', message: 'Maximum session turns exceeded' }, 'thinking'],
  ['a retry', 'qwen', { type: 'system', subtype: 'retry', data: { reason: 'retry', delayMs: 4000 } }, 'retrying'],
  ['a provider limit', 'qwen', { type: 'result', is_error: true, num_turns: 1, error: { message: '[API Error: 429 slow]' } }, 'idle:limit'],
  ['a failed start', 'qwen', { type: 'result', is_error: true, num_turns: 0, duration_ms: 0, error: { message: 'no' } }, 'idle:error'],
  ['an end that no step told', 'copilot', { type: 'result', exitCode: 1 }, 'idle:error'],
  ['a provider that is down', 'copilot', { type: 'model.call_failure', data: { statusCode: 503 } }, 'retrying'],
  ['a request that is refused', 'copilot', { type: 'model.call_failure', data: { statusCode: 400 } }, 'thinking'],
  ['an aborted run', 'cline', { type: 'run_result', finishReason: 'aborted', text: 'so far' }, 'idle:interrupt'],
  ['too many mistakes', 'cline', { type: 'run_result', finishReason: 'mistake_limit', text: 'no' }, 'idle:error'],
  ['a tool of a subagent', 'cline', { type: 'agent_event', event: { type: 'content_start', contentType: 'tool', parentAgentId: 'agent_1' } }, 'thinking'],
]

describe('the next row', () => {
  test.each(next)('%s of %s', (_, agent, row, then) => {
    const rows = rowsOf(`${agent}-short`)
    const thinking = play(agent, rows.slice(0, indexOf(agent, rows, /thinking/) + 1))
    const run = step(agent, thinking, { t: 20, line: JSON.stringify(row) })
    expect(run).toMatchObject({ refused: [], session: { verdict: { turn: 1 } } })
    expect(run.path.at(-1)).toBe(then)
  })

  test('a result that a subagent of qwen prints ends nothing while its call is open', () => {
    const failed = {
      type: 'result',
      is_error: true,
      num_turns: 0,
      duration_ms: 0,
      error: { message: 'failed' },
    }
    const rows = rowsOf('qwen-bash')
    const during = step('qwen', play('qwen', rows.slice(0, 3)), { t: 3, line: JSON.stringify(failed) })
    expect(during.path.at(-1)).toBe('tool')
    expect(play('qwen', rows.slice(3), during).path.at(-1)).toBe('idle:turn')
  })

  test.each([
    ['claude', /"tool_result"/],
    ['qwen', /"tool_result"/],
    ['opencode', /"step_start"/],
  ] as const)('work of %s after an end opens the turn again', (agent, work) => {
    const rows = rowsOf(`${agent}-bash`)
    const line = rows.find(row => work.test(row.line))?.line as string
    const run = step(agent, play(agent, rows), { t: 30, line })
    expect(run.session.verdict).toMatchObject({ state: { kind: 'working', doing: 'thinking' }, turn: 1 })
  })

  test.each([
    ['error', { error: 'stopped' }],
    ['warning', {}],
  ])('a row of gemini that tells an error of severity %s', (severity, facts) => {
    const line = JSON.stringify({ type: 'error', severity, message: 'stopped' })
    expect(step('gemini', start, { t: 1, line }).session.facts).toEqual(facts)
  })
})

/** Every text that the model or a tool wrote, with another in its place; types, ids and reasons stay. */
function requote(value: unknown, quote: string): unknown {
  if (typeof value === 'string')
    return /slept|finished|Ran it|run a|command( |\.)/.test(value) ? quote : value
  if (Array.isArray(value)) return value.map(v => requote(v, quote))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, k === 'type' ? v : requote(v, quote)]))
}

/** A field of the row that ends the run, with a value of the wrong type. */
const wrong: Readonly<Record<HookedName, object>> = {
  claude: { result: 7 },
  codex: { usage: { input_tokens: 'many' } },
  opencode: { part: 'stop' },
  gemini: { status: 1 },
  qwen: { is_error: 'no' },
  copilot: { data: 'turn 1' },
  pi: { message: { role: 5 } },
  cline: { finishReason: 7 },
}

const spoilt: Readonly<Record<string, (last: string, agent: HookedName) => string>> = {
  torn: last => last.slice(0, -2),
  'longer than 8 MB': last => last + ' '.repeat(9 * 1024 * 1024),
  'no JSON': () => 'npm warn deprecated: {"type":"result"}',
  'a string': last => JSON.stringify(last),
  'an array': last => `[${last}]`,
  'without a type': last => JSON.stringify({ ...JSON.parse(last), type: undefined }),
  'of a type that is no word': last => JSON.stringify({ ...JSON.parse(last), type: 5 }),
  'with a field of a wrong type': (last, agent) => JSON.stringify({ ...JSON.parse(last), ...wrong[agent] }),
}

describe('rows that lie', () => {
  test.each(hookedNames)('%s: text and results that quote the last rows end nothing', agent => {
    const rows = rowsOf(`${agent}-bash`)
    const end = indexOf(agent, rows, /idle/)
    const last = rows.slice(end).map(row => row.line)
    const quoting = rows.slice(0, end).map(({ t, line }) => ({
      t,
      line: JSON.stringify(requote(JSON.parse(line), last.join('\n'))),
    }))
    const results = quoting.filter(({ line }, i) => line !== rows[i]?.line && rows[i]?.line.includes('slept'))
    expect(results.length).toBeGreaterThan(0)
    const run = play(agent, quoting)
    expect(run.path.filter(state => /idle|waiting|exited/.test(state))).toEqual([])
    expect(run).toMatchObject({ session: { verdict: { state: { kind: 'working' }, turn: 1 } }, refused: [] })
  })

  const cases = hookedNames.flatMap(agent => Object.keys(spoilt).map(how => [agent, how] as const))
  test.each(cases)('%s: a last row that is %s is refused, and the run goes on', (agent, how) => {
    const rows = rowsOf(`${agent}-bash`)
    const end = indexOf(agent, rows, /idle/)
    const before = play(agent, rows.slice(0, end))
    const { t, line } = rows[end] as Row
    const { reading, session } = step(agent, before, { t, line: spoilt[how]?.(line, agent) ?? '' })
    expect(reading).toEqual({ signals: [], refused: expect.stringMatching(/^(row|event)/) })
    expect(session).toBe(before.session)
  })
})
