/**
 * Copilot's `~/.copilot/session-state/ID/events.jsonl`, and the rows of a headless run, which are the same events. A
 * turn of the model is a step: the person's turn is over when a step ends after a message without tool requests. What
 * names an agent is a subagent's (its schema, 1.0.102: `agentId` is "absent for events from the root agent").
 */

import { z } from 'zod'
import type { Lane, LanePattern, Source } from '../../core/evidence/signal.ts'
import type { WaitingFor } from '../../core/state.ts'
import {
  type Claims,
  claimsOf,
  compacting,
  compactLane,
  endsInQuestion,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  read,
  refuse,
  remember,
  table,
  withTool,
} from '../kit/agent.ts'
import { wakeDue } from '../kit/beside-turn.ts'
import { checkRow, count, endOf, id, isTyped, stamp, tail, text, word } from '../kit/fields.ts'
import { ofSubagent } from '../kit/own-session.ts'
import { aboutOf, askReason, promptOf, questionIn } from '../kit/tools.ts'
import { begunShell, endShell } from './shells.ts'

const dataFields = z.object({
  requestId: id.optional(),
  toolCallId: id.optional(),
  parentToolCallId: id.optional(),
  question: text.optional(),
  arguments: z.unknown().optional(),
  toolName: word.optional(),
  model: word.optional(),
  selectedModel: word.optional(),
  newModel: word.optional(),
  sessionId: id.optional(),
  copilotVersion: word.optional(),
  content: z.string().optional(),
  message: text.optional(),
  errorType: word.optional(),
  statusCode: count.optional(),
  toolRequests: z.array(z.unknown()).optional(),
  aborted: z.boolean().optional(),
  hookType: word.optional(),
  operation: word.optional(),
  status: word.optional(),
  newMode: word.optional(),
  agentMode: word.optional(),
  isAutopilotContinuation: z.boolean().optional(),
  isUserRequested: z.boolean().optional(),
  success: z.boolean().optional(),
  result: z.object({ content: tail.optional() }).optional().catch(undefined),
  kind: z.object({ type: word.optional(), shellId: id.optional() }).optional().catch(undefined),
  input: z.object({ recoverable: z.boolean().optional() }).optional().catch(undefined),
  permissionRequest: z
    .object({ fullCommandText: text.optional(), url: text.optional(), path: text.optional() })
    .optional(),
})

const fields = z.object({
  type: word,
  timestamp: stamp.optional(),
  agentId: id.optional(),
  data: dataFields.optional(),
})
type Data = z.infer<typeof dataFields>

const wanted =
  /^(user\.message|assistant\.(turn_start|turn_end|message|idle)|tool\.(user_requested|execution_(start|complete))|subagent\.(started|completed|failed)|hook\.start|abort|system\.notification|session\.(start|error|shutdown|model_change|mode_changed|compaction_start|compaction_complete|task_complete|autopilot_stopped|autopilot_objective_changed))$/

/** What a person is asked: `….requested`, and `….completed` when it is answered. */
const asks = table<WaitingFor>({
  permission: 'permission',
  user_input: 'question',
  elicitation: 'question',
  exit_plan_mode: 'plan',
  auto_mode_switch: 'dialog',
  session_limits_exhausted: 'dialog',
})
const asking = /^(\w+)\.(requested|completed)$/
const isAsking = (type: string): boolean => asks.has(asking.exec(type)?.[1] ?? '')

export function readEvent(line: string, source: Source, moment: Moment, memory: Memory): Reading {
  const checked = checkRow(
    fields,
    line,
    'event',
    row => isTyped(row) && (wanted.test(row.type) || isAsking(row.type)),
  )
  if (!checked.ok) return refuse(checked.reason)
  const { type, timestamp, agentId, data = {} } = checked.value
  const claim = claimsOf(source, type, moment.stamp(timestamp), moment.seen)
  if (type.startsWith('subagent.')) return readSubagent(type, data.toolCallId ?? agentId, claim)
  const own = isAsking(type)
    ? readAsk(type, data, claim)
    : withBeside(readData(type, data, claim, memory), memory)
  const goal = goalOf(type, data)
  const reading = goal === undefined ? own : { ...own, signals: [...own.signals, claim.facts({ goal })] }
  const subagent = agentId ?? data.parentToolCallId
  return subagent === undefined ? reading : { signals: ofSubagent(reading.signals, subagent) }
}

/** What goes on beside the turns outlives them. */
const withBeside = (reading: Reading, { beside }: Memory): Reading =>
  beside && reading.memory && !reading.memory.beside
    ? { ...reading, memory: { ...reading.memory, beside } }
    : reading

function readSubagent(type: string, id: string | undefined, claim: Claims): Reading {
  const lane: Lane = `sub:${id ?? 'agent'}`
  return read(type === 'subagent.started' ? claim.background(lane) : wakeDue(claim, [lane]))
}

function readAsk(type: string, d: Data, claim: Claims): Reading {
  const [, what = '', how] = asking.exec(type) ?? []
  const lane: Lane = `ask:main:${d.requestId ?? 'request'}`
  if (how === 'completed')
    return read(claim.working('tool', { ends: [lane, 'ask:main:notice'], allows: ['waiting'] }))
  const { fullCommandText, url, path } = d.permissionRequest ?? {}
  const question = d.question ?? fullCommandText ?? url ?? path
  return read(claim.waiting(lane, asks.get(what) ?? 'dialog', { reopens: true }), claim.facts({ question }))
}

/** A command of the person's own (`!cmd`, 1.0.102): work beside whichever turn there is. */
const ownCommand = ({ toolCallId = 'own' }: Data): Lane => `bg:${toolCallId}`

function readData(type: string, d: Data, claim: Claims, memory: Memory): Reading {
  switch (type) {
    case 'session.start':
      return read(
        claim.facts({ agentSession: d.sessionId, model: d.selectedModel, version: d.copilotVersion }),
      )
    case 'session.model_change':
      return read(claim.facts({ model: d.newModel }))
    case 'user.message':
      return remember(
        {},
        claim.working('thinking', { starts: true }),
        claim.facts({ prompt: promptOf(d.content) }),
      )
    case 'assistant.turn_start':
      return remember({}, claim.working('thinking', { reopens: true }))
    case 'assistant.message': {
      const calls = d.toolRequests?.length ?? 0
      if (calls > 0)
        return remember(
          { pending: 'tools' },
          claim.working('tool', { allows: ['waiting'] }),
          claim.facts({ model: d.model }),
        )
      return remember(
        { pending: endsInQuestion(d.content) ? 'question' : 'answer' },
        claim.working('streaming'),
        claim.facts({ model: d.model, finalMessage: d.content && endOf(d.content) }),
      )
    }
    case 'tool.execution_start':
      return readCall(d, claim, memory)
    case 'tool.user_requested':
      return read(
        claim.news(ownCommand(d), { kind: 'working', doing: 'command' }, { outlasts: ['progress'] }),
      )
    case 'tool.execution_complete': {
      if (d.isUserRequested) return read(claim.ended([ownCommand(d)]))
      const [, , command] = memory.tools?.find(([call]) => call === d.toolCallId) ?? []
      const tools = (memory.tools ?? []).filter(([call]) => call !== d.toolCallId)
      // Calls run side by side: a dialog may be of another one.
      const ends: readonly LanePattern[] = tools.length > 0 ? [askLane(d)] : ['ask:main:*']
      const working = claim.working('thinking', { ends })
      const beside = begunShell({ ...memory, tools }, claim, d.result?.content, command)
      return { ...beside, signals: [working, ...beside.signals] }
    }
    case 'system.notification': {
      const shell = d.kind?.type === 'shell_completed' ? d.kind.shellId : undefined
      return shell === undefined ? nothing : endShell(memory, claim, shell, 'notice')
    }
    case 'hook.start':
      // A request failed and is retried, for the session or a subagent.
      return d.hookType === 'errorOccurred' && d.input?.recoverable
        ? read(claim.working('retrying'))
        : nothing
    case 'session.compaction_start':
      return read(compacting(claim))
    case 'session.compaction_complete':
      return read(claim.ended([compactLane]))
    case 'assistant.turn_end':
      if (memory.pending !== 'answer' && memory.pending !== 'question') return nothing
      return remember({}, claim.idle('turn', memory.pending === 'question' ? { asks: true } : {}))
    case 'assistant.idle':
      return remember({}, claim.idle(d.aborted ? 'interrupt' : 'turn'))
    case 'abort':
      return remember({}, claim.idle('interrupt', { ends: ['sub:*', 'ask:sub:*'] }))
    case 'session.error': {
      const limited = d.statusCode === 429 || d.errorType === 'rate_limit'
      return remember({}, claim.failed(limited), claim.facts({ error: d.message }))
    }
    case 'session.shutdown':
      return read(claim.news('main', { kind: 'exited' }, conversationEnd))
    default:
      return nothing
  }
}

/** It reports the end of a conversation as it reports its own (1.0.102, `/clear`). */
export const conversationEnd = { ends: ['sub:*', 'bg:*', 'ask:*'], allows: ['starting'] } as const

const askLane = ({ toolCallId }: Data): Lane => `ask:main:${toolCallId ?? 'tool'}`

/** Memory: the calls are remembered until they end. */
function readCall(d: Data, claim: Claims, memory: Memory): Reading {
  const working = claim.working('tool', { allows: ['waiting'] })
  const reason = askReason(d.toolName)
  const about = aboutOf(d.arguments)
  const next = withTool(memory, d.toolCallId ?? 'tool', d.toolName ?? '', about)
  const facts = { tool: d.toolName, about }
  if (!reason) return remember(next, working, claim.facts(facts))
  const asked = claim.waiting(askLane(d), reason, { reopens: true })
  return remember(next, working, asked, claim.facts({ ...facts, question: questionIn(d.arguments) }))
}

type AutopilotData = {
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly newMode?: string | undefined
  readonly agentMode?: string | undefined
  readonly isAutopilotContinuation?: boolean | undefined
  readonly success?: boolean | undefined
}

/** The goal of the autopilot: empty once it is over, undefined where the event does not change it. */
function goalOf(type: string, d: AutopilotData): string | undefined {
  switch (type) {
    case 'session.autopilot_objective_changed':
      return d.status === 'active' && d.operation !== 'delete' ? 'the objective of its autopilot' : ''
    case 'user.message':
      if (d.isAutopilotContinuation || d.agentMode === 'autopilot') return 'the task of its autopilot'
      return d.agentMode === undefined ? undefined : ''
    case 'session.mode_changed':
      return d.newMode === undefined || d.newMode === 'autopilot' ? undefined : ''
    case 'session.task_complete':
      return d.success === false ? undefined : ''
    case 'session.autopilot_stopped':
    case 'abort':
      return ''
    default:
      return undefined
  }
}
