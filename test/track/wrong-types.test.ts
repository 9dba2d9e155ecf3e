/** A field of a wrong type is named and its input refused; the state stays what it was. */

import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { advance, startedSession } from '../../src/core/advance.ts'
import type { TraceEvent } from '../../src/core/trace/trace.ts'
import { decode, newDecoder } from '../../src/track/decode.ts'

type Given = readonly [agent: AgentName, event: string, fields: string]

/** The hook that ends a turn of each agent (a dialog of OpenCode's), and every field that lull reads of it. */
const hooks: readonly Given[] = [
  [
    'claude',
    'Stop',
    `session_id prompt_id agent_id agent_type cwd model prompt source reason trigger tool_name tool_input error message
     notification_type last_assistant_message background_tasks context_usage`,
  ],
  [
    'codex',
    'Stop',
    `session_id turn_id agent_id cwd model tool_name last_assistant_message trigger thread-id turn-id
     last-assistant-message`,
  ],
  [
    'opencode',
    'permission.asked',
    `sessionID id requestID permissionID permission info info.id info.parentID info.role info.time info.time.created
     info.cost info.modelID info.tokens info.tokens.input status status.type status.next status.message error error.name
     error.data error.data.message questions`,
  ],
  [
    'gemini',
    'AfterAgent',
    `session_id timestamp cwd reason tool_name notification_type message prompt_response details details.type
     details.command details.title llm_request llm_request.model llm_response llm_response.usageMetadata
     llm_response.usageMetadata.promptTokenCount`,
  ],
  [
    'qwen',
    'Stop',
    `session_id prompt_id timestamp cwd reason prompt tool_name notification_type message error last_assistant_message
     context_usage input_tokens background_tasks`,
  ],
  [
    'copilot',
    'agentStop',
    'sessionId timestamp cwd toolName notification_type message error error.message recoverable',
  ],
  [
    'pi',
    'agent_end',
    `reason toolName id cwd message message.role message.stopReason message.errorMessage message.model message.content
     message.usage message.usage.input message.usage.cost message.usage.cost.total delayMs success finalError`,
  ],
  [
    'cline',
    'TaskComplete',
    `taskId timestamp parent_agent_id sessionContext sessionContext.rootSessionId tool_call tool_call.name turn
     turn.outputText turn.status error error.message`,
  ],
]

/** The row of a transcript that ends a turn, and its fields. OpenCode's log is no JSON. */
const lines: readonly Given[] = [
  [
    'claude',
    'system',
    `subtype operation timestamp promptId promptSource isSidechain isMeta isCompactSummary isVisibleInTranscriptOnly
     isApiErrorMessage retryInMs sessionId cwd version totalCostUSD message message.model message.stop_reason
     message.usage message.usage.input_tokens message.content`,
  ],
  [
    'codex',
    'event_msg',
    `timestamp payload payload.type payload.id payload.turn_id payload.call_id payload.name payload.cwd payload.model
     payload.cli_version payload.last_agent_message payload.info payload.info.total_token_usage`,
  ],
  ['gemini', 'error', 'id sessionId timestamp model tokens tokens.input'],
  [
    'qwen',
    'assistant',
    'subtype provenance sessionId timestamp model message usageMetadata usageMetadata.promptTokenCount',
  ],
  [
    'copilot',
    'abort',
    `timestamp data data.requestId data.toolName data.model data.selectedModel data.newModel data.sessionId
     data.copilotVersion data.content data.message data.errorType data.statusCode data.toolRequests data.aborted
     data.permissionRequest data.permissionRequest.url`,
  ],
  ['pi', 'message', 'id timestamp cwd modelId message message.role message.stopReason message.usage'],
]

/** Of a wrong type everywhere: fields are words, numbers, flags, lists and records. */
const wrongFor = (field: string): unknown =>
  /^(is[A-Z]|recoverable|success|data\.aborted)/.test(field) ? 'yes' : true

/** `{a: {b: value}}` for `a.b`. */
const nested = (field: string, value: unknown): object =>
  field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

const each = (given: readonly Given[]) =>
  given.flatMap(([agent, event, fields]) => fields.split(/\s+/).map(field => [agent, event, field] as const))

const working = startedSession(0)

function feed(agent: AgentName, code: 'h' | 't' | 'f', data: object) {
  const event: TraceEvent = { line: 1, at: 5, code, data: JSON.stringify(data) }
  const { signals, refused } = decode(newDecoder(agents[agent]), event)
  const session = signals.reduce((next, signal) => advance(next, 5, signal), working)
  return { refused, session }
}

describe('a hook', () => {
  test.each(each(hooks))('of %s: %s with a wrong %s', (agent, event, field) => {
    const { refused, session } = feed(agent, 'h', { event, payload: nested(field, wrongFor(field)) })
    expect(refused).toContain(`: ${field}: `)
    expect(session).toBe(working)
  })

  test.each(hooks)('of %s: %s is read where its fields are right', (agent, event) => {
    const { refused, session } = feed(agent, 'h', { event, payload: {} })
    expect(refused).toBeUndefined()
    expect(session).not.toBe(working)
  })
})

describe('a transcript row', () => {
  const lineOf = (row: object) => ({ path: 'session.jsonl', line: JSON.stringify(row) })

  test.each(each(lines))('of %s: %s with a wrong %s', (agent, type, field) => {
    const { refused, session } = feed(agent, 't', lineOf({ type, ...nested(field, wrongFor(field)) }))
    expect(refused).toContain(`: ${field}: `)
    expect(session).toBe(working)
  })

  test.each(['time', 'properties', 'properties.agentId', 'properties.sessionId', 'properties.status'])(
    'of cline: agent.run-failed with a wrong %s',
    field => {
      const row = { event: 'agent.run-failed', ...nested(field, true) }
      expect(feed('cline', 't', lineOf(row)).refused).toContain(`: ${field}: `)
    },
  )
})

describe('the status file of claude', () => {
  const good = { pid: 7, procStart: '1', status: 'idle', name: 'x', statusUpdatedAt: 1795295536429 }
  const file = (content: object) => ({ path: '/h/.claude/sessions/7.json', content: JSON.stringify(content) })

  test.each([
    'pid',
    'procStart',
    'sessionId',
    'cwd',
    'version',
    'tmux',
    'status',
    'waitingFor',
    'statusUpdatedAt',
  ])('with a wrong %s', field => {
    const { refused, session } = feed('claude', 'f', file({ ...good, [field]: true }))
    expect(refused).toContain(`: ${field}: `)
    expect(session).toBe(working)
  })

  test.each(['', '{', '[]', '{}', '{"pid":"7"}', '{"pid":-1}', 'null'])('that reads %j', content => {
    const { refused, session } = feed('claude', 'f', { path: '/h/.claude/sessions/7.json', content })
    expect(refused).toMatch(/^status file/)
    expect(session).toBe(working)
  })

  test('with an unknown word as status tells nothing', () => {
    const { refused, session } = feed('claude', 'f', file({ ...good, status: 'dreaming' }))
    expect({ refused, state: session.verdict.state }).toEqual({
      refused: undefined,
      state: { kind: 'starting' },
    })
  })
})

describe('words that every object knows', () => {
  const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  const cases: readonly (readonly [string, AgentName, 'h' | 'f', (word: string) => object, string])[] = [
    ['a tool', 'claude', 'h', word => ({ event: 'PreToolUse', payload: { tool_name: word } }), 'tool'],
    ['a tool', 'codex', 'h', word => ({ event: 'PreToolUse', payload: { tool_name: word } }), 'tool'],
    [
      'a kind of dialog',
      'gemini',
      'h',
      word => ({
        event: 'Notification',
        payload: { notification_type: 'ToolPermission', details: { type: word } },
      }),
      'permission',
    ],
    [
      'what is waited for',
      'claude',
      'f',
      word => ({
        path: '/h/.claude/sessions/7.json',
        content: JSON.stringify({ pid: 7, status: 'waiting', waitingFor: word }),
      }),
      'dialog',
    ],
  ]

  test.each(cases)('%s of %s', (_, agent, code, event, detail) => {
    for (const word of inherited) {
      const { state } = feed(agent, code, event(word)).session.verdict
      expect([word, Object.values(state)]).toEqual([word, [expect.any(String), detail]])
    }
  })

  test.each(inherited)('the program status %s', word => {
    const say = (fields: string) =>
      decode(newDecoder(agents.codex), { ...output, data: `\u001b]7501;${fields}:app=codex\u0007` })
    const output = { line: 1, at: 5, code: 'o' as const }
    expect(say(`state=${word}`).signals).toEqual([])
    expect(say(`state=blocked:kind=${word}`).signals).toMatchObject([
      { state: { kind: 'waiting', for: 'dialog' } },
    ])
  })
})
