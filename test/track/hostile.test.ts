/** What people, models and tools write is not evidence: no text moves the state, however well it imitates a sign. */

import { describe, expect, test } from 'vitest'
import { type HookedName, hookedNames } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { TraceEvent } from '../../src/core/trace/trace.ts'
import { decode, newDecoder } from '../../src/track/decode.ts'
import { eventsOf, judged, linesOf, type Recorded } from '../support/recordings.ts'
import { recordingWith, withText } from '../support/written.ts'

/** A recording of each agent: prompts, answers, tools and dialogs. */
const recordings: Readonly<Record<HookedName, string>> = {
  claude: 'claude-bash20',
  codex: 'codex-permdeny',
  opencode: 'opencode-permission',
  gemini: 'gemini-permdeny',
  qwen: 'qwen-question',
  copilot: 'copilot-permission',
  pi: 'pi-bash20',
  cline: 'cline-question',
}

const imitations: readonly string[] = [
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
  '\u001b]7501;state=idle:app=claude-code\u0007',
  '\u001b]7501;state=done:app=codex\u001b\\',
  '\u001b]0;◇  Ready (project)\u0007\u001b]9;4;0\u0007',
  '◇  Ready',
  '✳ Claude Code',
  '[ ! ] Action Required | project',
  '{"type":"result","subtype":"success","is_error":false,"result":"Done."}',
  '{"type":"system","subtype":"turn_duration","durationMs":1}\n{"type":"turn.completed"}',
  'turn_duration',
  '"status":"idle","statusUpdatedAt":1',
  '<task-notification>\n<task-id>main</task-id>\n</task-notification>',
  '<command-name>/clear</command-name>',
  '<local-command-stdout></local-command-stdout>',
  '<bash-input>ls</bash-input>',
  '<bash-stdout>done</bash-stdout>',
  'Request cancelled.',
  'permission_prompt',
  'timestamp=2026-11-21T22:28:54.138Z level=INFO message="exiting loop" session.id=ses_1',
  '\u0003\u001b\u001b\r\n$ ',
]

/** The events that are left of a recording where only some sources are heard. */
const heard: Readonly<Record<string, RegExp>> = {
  'all sources': /./,
  'hooks alone': /^[hx]$/,
  'the transcript alone': /^[tx]$/,
  'files alone': /^[ftx]$/,
}

const only = (lines: readonly string[], codes: RegExp): readonly string[] =>
  lines.filter((line, i) => i === 0 || codes.test((JSON.parse(line) as Recorded)[1]))

/** Sources that leave the same events of a recording are judged once. */
function statesBy(lines: readonly string[]): Readonly<Record<string, ReturnType<typeof judged>>> {
  const left = new Map<string, readonly [from: string, rows: readonly string[]]>()
  for (const [from, codes] of Object.entries(heard)) {
    const rows = only(lines, codes)
    left.set(rows.join('\n'), [from, rows])
  }
  return Object.fromEntries([...left.values()].map(([from, rows]) => [from, judged(rows)]))
}

describe.each(hookedNames)('%s: prompts, answers, commands, results and names', agent => {
  const name = recordings[agent]
  const clean = statesBy(linesOf(name))

  test.each(imitations)('that read %j move nothing', imitation => {
    const { lines, count } = recordingWith(name, imitation)
    expect(count).toBeGreaterThan(5)
    expect(statesBy(lines)).toEqual(clean)
  })
})

/** The titles that each agent shows while it works, with a topic that comes from the prompt. */
const titles: readonly (readonly [HookedName, (topic: string) => string])[] = [
  ['claude', topic => `✳ ${topic}`],
  ['claude', topic => `◐ ${topic}`],
  ['codex', topic => `⠋ ${topic}`],
  ['opencode', topic => `OC | ${topic}`],
  ['gemini', topic => `✦  ${topic}`],
  ['qwen', topic => `◐ Qwen - ${topic}`],
  ['copilot', topic => `GitHub Copilot - ${topic}`],
  ['pi', topic => `π - ${topic}`],
  ['cline', topic => `Cline: ${topic}`],
]

describe('titles', () => {
  const topics = imitations.map(text => [...text].filter(char => char >= ' ').join(''))
  const titled = (agent: HookedName, title: string) => {
    const lines = linesOf(recordings[agent])
    const works = lines.findIndex(line =>
      /(PreToolUse|preToolUse|BeforeTool|tool_execution_start|execute\.before)\\"/.test(line),
    )
    const [t] = JSON.parse(lines[works] as string) as Recorded
    const output = JSON.stringify([t, 'o', `\u001b]0;${title}\u0007`])
    return judged(lines.toSpliced(works + 1, 0, output))
  }

  test.each(titles)('%s: a topic that imitates a sign moves nothing', (agent, title) => {
    const plain = titled(agent, title('Sort the list'))
    for (const topic of topics) expect([topic, titled(agent, title(topic))]).toEqual([topic, plain])
  })
})

const eventOf = ([t, code, data]: Recorded): TraceEvent => ({
  line: 1,
  at: t * 1000,
  code: code as TraceEvent['code'],
  data,
})

/** Feeds events to a new session, one after the other. */
function fed(agent: HookedName, events: Iterable<TraceEvent>) {
  let decoder = newDecoder(agents[agent])
  let session = startedSession(0)
  const refused: string[] = []
  for (const event of events) {
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    if (decoded.refused !== undefined) refused.push(decoded.refused)
    for (const signal of decoded.signals) session = advance(session, event.at, signal)
  }
  return { session, decoder, refused }
}

describe('texts of any length', () => {
  const telling =
    /"event":"(Stop|TaskComplete|AfterAgent|agentStop|message_end|permission.asked|Notification|PermissionRequest|TaskStart|session.error)"/

  /** The last hook of each telling kind, with every text of 10 MB. */
  function longHooks(agent: HookedName): TraceEvent[] {
    const hooks = eventsOf(recordings[agent]).filter(([, code, data]) => code === 'h' && telling.test(data))
    const last = new Map(hooks.map(hook => [telling.exec(hook[2])?.[1], hook]))
    return [...last.values()].map(hook => eventOf(withText(hook, 'x'.repeat(10 * 1024 * 1024)).event))
  }

  function* longLines(agent: HookedName): Generator<TraceEvent> {
    for (const event of eventsOf(recordings[agent]))
      if (event[1] === 't') yield eventOf(withText(event, 'x'.repeat(1024 * 1024)).event)
  }

  test.each(hookedNames)('%s: what is kept of hooks and lines is bounded', agent => {
    const hooks = longHooks(agent)
    expect(hooks.filter(hook => hook.data.length > 10 * 1024 * 1024)).not.toEqual([])
    for (const events of [hooks, longLines(agent)]) {
      const { session, decoder } = fed(agent, events)
      const strings = Object.values(session.facts).filter(fact => typeof fact === 'string')
      for (const fact of strings) expect(fact.length).toBeLessThanOrEqual(4000)
      expect(JSON.stringify([session, decoder]).length).toBeLessThan(60_000)
    }
  })

  test.each(hookedNames)('%s: a line of 10 MB is refused', agent => {
    const [path, line] = ['session.jsonl', JSON.stringify({ type: 'user', text: 'x'.repeat(1e7) })]
    const data = JSON.stringify({ path, line })
    const { refused, session } = fed(agent, [{ line: 1, at: 5, code: 't', data }])
    expect(refused).toEqual([expect.stringMatching(/longer than (8 MB|100000 characters)$/)])
    expect(session.verdict.state).toEqual({ kind: 'starting' })
  })
})

describe('ids without end', () => {
  const most = 256

  /** What each id names; the agent, its event and payload. */
  const sources: readonly (readonly [string, HookedName, string, (id: string) => object])[] = [
    ['subagents', 'claude', 'SubagentStart', id => ({ agent_id: id, agent_type: 'Explore' })],
    ['dialogs', 'opencode', 'permission.asked', id => ({ id, sessionID: 'ses_1' })],
    ['tools that ask', 'claude', 'PermissionRequest', id => ({ tool_name: id })],
    ['child sessions', 'opencode', 'session.status', id => ({ sessionID: id, status: { type: 'busy' } })],
  ]

  function* named(event: string, payload: (id: string) => object): Generator<TraceEvent> {
    for (let i = 0; i < most * 2; i++) {
      const data = JSON.stringify({ event, payload: payload(`id${i}`) })
      yield { line: i, at: i, code: 'h', data }
    }
  }

  test.each(sources)('%s that never end are forgotten, the oldest first', (_, agent, event, payload) => {
    const { session } = fed(agent, named(event, payload))
    const lanes = Object.keys(session.lanes)
    expect(lanes.length).toBeLessThanOrEqual(most)
    expect(lanes.some(lane => lane.endsWith(`id${most * 2 - 1}`))).toBe(true)
    expect(lanes.some(lane => lane.endsWith(':id0'))).toBe(false)
  })

  /** The core forgets the oldest lane, whatever it says; `fails` goes when it keeps the heaviest. */
  test('a permission that is asked for outlives any number of subagents', () => {
    const asked = JSON.stringify({ event: 'PermissionRequest', payload: { tool_name: 'Bash' } })
    const agents = named('SubagentStart', id => ({ agent_id: id, agent_type: 'Explore' }))
    const { session } = fed('claude', [{ line: 1, at: 0, code: 'h', data: asked }, ...agents])
    expect(session.verdict.state).toEqual({ kind: 'waiting', for: 'permission' })
  })

  test('background tasks that a Stop no longer names are forgotten', () => {
    const tasks = (id: string) => ({ background_tasks: [{ id, status: 'running' }] })
    const { session } = fed('claude', named('Stop', tasks))
    expect(Object.keys(session.lanes)).toEqual(['main', `bg:id${most * 2 - 1}`])
  })

  test('tool calls and turns that never end are forgotten', () => {
    function* calls(): Generator<TraceEvent> {
      for (let i = 0; i < 1000; i++) {
        const content = [{ type: 'tool_use', id: `toolu_${i}`, name: 'Bash' }]
        const line = JSON.stringify({ type: 'assistant', message: { content, stop_reason: 'tool_use' } })
        yield { line: i, at: i, code: 't', data: JSON.stringify({ path: 's.jsonl', line }) }
        const payload = { prompt_id: `prompt-${i}`, prompt: 'go' }
        yield { line: i, at: i, code: 'h', data: JSON.stringify({ event: 'UserPromptSubmit', payload }) }
      }
    }
    const { session, decoder } = fed('claude', calls())
    expect(JSON.stringify([session, decoder.memories]).length).toBeLessThan(10_000)
  })
})
