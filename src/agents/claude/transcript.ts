/**
 * `~/.claude/projects/SLUG/SESSION.jsonl`: written in batches of about 0.1 s, an assistant's entry only when its
 * message is complete. Subagents write to files of their own (`isSidechain`), which say nothing about the main turn.
 */
import { z } from 'zod'
import type { News, Signal } from '../../core/evidence/signal.ts'
import { isRecord } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  type LineInput,
  type Memory,
  type Moment,
  nothing,
  type Reading,
  refuse,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { asName, checkRow, count, id, isTyped, stamp, text, word } from '../kit/fields.ts'
import { askReason } from '../kit/questions.ts'

const usageFields = z.object({ input_tokens: count.optional(), output_tokens: count.optional() })

const fields = z.object({
  type: word,
  subtype: word.optional(),
  operation: word.optional(),
  timestamp: stamp.optional(),
  promptId: id.optional(),
  promptSource: word.optional(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  isVisibleInTranscriptOnly: z.boolean().optional(),
  isApiErrorMessage: z.boolean().optional(),
  error: z.unknown().optional(),
  content: z.unknown().optional(),
  retryInMs: count.optional(),
  toolUseResult: z.unknown().optional(),
  sessionId: id.optional(),
  cwd: text.optional(),
  version: word.optional(),
  totalCostUSD: count.optional(),
  message: z
    .object({
      model: word.optional(),
      stop_reason: word.nullable().optional(),
      usage: usageFields.optional(),
      content: z.union([z.string(), z.array(z.unknown())]).optional(),
    })
    .optional(),
})
type Row = z.infer<typeof fields>

/** Versions that do not name their prompts do not say either which text was the last: a call follows within this time. */
const textHoldMs = 120_000
const interrupted = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])
/** A slash command. A built-in one is answered on the spot; one that is a prompt is followed by its text, as meta. */
const slashCommand = /^<command-(name|message)>/
const shellCommand = /^<bash-input>/
const shellOutput = /^<bash-(stdout|stderr)>/
const localOutput = /^<local-command-/
/** What a Stop hook said: the agent goes on. */
const stopFeedback = 'Stop hook feedback:'
const taskDone = /^<task-notification>\s*<task-id>([\w-]{1,100})<\/task-id>/

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(^|\/)history\.jsonl$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'transcript line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  if (row.isSidechain) return nothing
  const at = moment.stamp(row.timestamp)
  switch (row.type) {
    case 'user':
      return readUser(row, at, moment, memory)
    case 'assistant':
      return readAssistant(row, at, moment, memory)
    case 'system':
      return readSystem(row, at, moment, memory)
    case 'queue-operation':
      return readQueue(row, at, moment, memory)
    case 'cost-state':
      return {
        signals: [claimsOf('transcript', row.type, at, moment.seen).facts({ cost: row.totalCostUSD })],
      }
    default:
      return nothing
  }
}

function readUser(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  if (row.isCompactSummary || row.isVisibleInTranscriptOnly) return nothing
  const claim = claimsOf('transcript', 'user', at, seen)
  const turn = row.promptId ?? memory.turn
  const named = turn === undefined ? {} : { turn }
  const own = row.promptId === undefined ? {} : { turn: row.promptId }
  const content = row.message?.content
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const results = blocks.filter(b => b.type === 'tool_result')
  if (results.length > 0) return readResults(results, row, claim, named, memory)

  const said = typeof content === 'string' ? content : stringOf(blocks.find(b => b.type === 'text')?.text)
  if (row.promptSource === undefined && interrupted.has(said)) {
    return {
      signals: [
        claimsOf('transcript', 'interrupted', at, seen).idle('interrupt', {
          ...named,
          ends: ['sub:*', 'ask:sub:*'],
        }),
      ],
      memory: {},
    }
  }
  // What a person typed is a prompt, whatever tags it quotes.
  const tagged = row.promptSource === 'typed' || row.promptSource === 'queued' ? '' : said
  if (localOutput.test(tagged)) {
    const { prompt: _, ...rest } = memory
    return { signals: [], memory: rest }
  }
  if (slashCommand.test(tagged)) return { signals: [], memory: { ...memory, prompt: 'command' } }
  if (row.isMeta && said.startsWith(stopFeedback))
    return { signals: [claim.working('thinking', { ...named, reopens: true })] }
  if (row.isMeta && memory.prompt !== 'command') return nothing
  if (shellOutput.test(tagged)) return { signals: [claim.idle('turn', named)] }
  if (shellCommand.test(tagged))
    return { signals: [claim.working('command', { ...own, starts: true })], memory: own }
  const finished = taskDone.exec(tagged)?.[1]
  const ends = finished ? { ends: [`bg:${finished}`, `sub:${finished}`] as const } : {}
  const facts = claim.facts({ agentSession: row.sessionId, cwd: row.cwd, version: row.version })
  return {
    signals: [claim.working('thinking', { ...own, ...ends, starts: true }), facts],
    memory: own,
  }
}

function readResults(
  results: Record<string, unknown>[],
  row: Row,
  claim: Claims,
  turn: { turn?: string },
  memory: Memory,
): Reading {
  const ends: News['ends'] = [
    ...results.map(r => `ask:main:${toolOf(memory, stringOf(r.tool_use_id)) ?? 'tool'}` as const),
    'ask:main:notice',
  ]
  const done = new Set(results.map(result => stringOf(result.tool_use_id)))
  const tools = (memory.tools ?? []).filter(([call]) => !done.has(call))
  const signals: Signal[] = [claim.working('thinking', { ...turn, ends })]
  const task = backgroundTask(row.toolUseResult)
  if (task) signals.push(claim.background(`bg:${task}`))
  return { signals, memory: { ...memory, tools } }
}

/** A tool that went on in the background: a shell (`backgroundTaskId`) or an agent (`async_launched`). */
function backgroundTask(result: unknown): string | undefined {
  if (!isRecord(result)) return undefined
  const task =
    result.isAsync === true && result.status === 'async_launched' ? result.agentId : result.backgroundTaskId
  return typeof task === 'string' && /^[\w-]{1,100}$/.test(task) ? task : undefined
}

function readAssistant(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  const message = row.message ?? {}
  const named = memory.turn === undefined ? {} : { turn: memory.turn }
  const blocks = Array.isArray(message.content) ? message.content.filter(isRecord) : []
  const said = stringOf(blocks.findLast(b => b.type === 'text')?.text)
  if (row.isApiErrorMessage) {
    const claim = claimsOf('transcript', 'API error', at, seen)
    const idle = claim.failed(row.error === 'rate_limit', named)
    return {
      signals: [idle, claim.facts({ error: typeof row.error === 'string' ? row.error.slice(0, 200) : said })],
    }
  }
  const claim = claimsOf('transcript', `assistant ${message.stop_reason ?? 'partial'}`, at, seen)
  const { usage } = message
  const facts = claim.facts({
    model: message.model,
    tokensIn: usage?.input_tokens,
    tokensOut: usage?.output_tokens,
  })
  const calls = blocks.filter(b => b.type === 'tool_use')
  if (calls.length > 0) return readCalls(calls, claim, named, facts, memory)
  if (message.stop_reason === 'end_turn' || message.stop_reason === 'stop_sequence') {
    return {
      signals: [claim.finished(said, named), facts, claim.facts({ finalMessage: said.slice(-4000) })],
      memory,
    }
  }
  const mayBeLast = said !== '' && memory.turn === undefined ? { hold: textHoldMs } : {}
  return { signals: [claim.working('streaming', { ...named, ...mayBeLast, allows: ['waiting'] }), facts] }
}

function readCalls(
  calls: Record<string, unknown>[],
  claim: Claims,
  turn: { turn?: string },
  facts: Signal,
  memory: Memory,
): Reading {
  const signals: Signal[] = [claim.working('tool', { ...turn, reopens: true, allows: ['waiting'] }), facts]
  let next = memory
  for (const call of calls) {
    const tool = asName(stringOf(call.name).slice(0, 100))
    next = withTool(next, stringOf(call.id).slice(0, 100), tool)
    signals.push(claim.facts({ tool }))
    const reason = askReason(tool)
    if (reason) signals.push(claim.waiting(`ask:main:${tool}`, reason, turn))
    const killed =
      isRecord(call.input) && /^(KillShell|KillBash|TaskStop)$/.test(tool) ? call.input : undefined
    const task = stringOf(killed?.shell_id ?? killed?.task_id)
    if (task) signals.push(claim.ended([`bg:${task.slice(0, 100)}`]))
  }
  return { signals, memory: next }
}

function readSystem(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  const named = memory.turn === undefined ? {} : { turn: memory.turn }
  const claim = claimsOf('transcript', row.subtype ?? 'system', at, seen)
  switch (row.subtype) {
    case 'turn_duration':
      return { signals: [claim.idle('turn', named)] }
    case 'api_error': {
      const limit = row.retryInMs === undefined ? {} : { limit: { until: at + row.retryInMs } }
      return { signals: [claim.working('retrying', { ...named, ...limit })] }
    }
    default:
      return nothing
  }
}

/** A prompt that waits for the end of the turn, or that was taken back. A task's notice is queued like one. */
function readQueue(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  const what = `queue ${row.operation ?? ''}`.trim()
  const finished = taskDone.exec(stringOf(row.content))?.[1]
  const ends: News['ends'] = finished ? [`bg:${finished}`, `sub:${finished}`] : []
  switch (row.operation) {
    case 'enqueue': {
      const named = memory.turn === undefined ? {} : { turn: memory.turn }
      return {
        signals: [
          claimsOf('transcript', what, at, seen).news('queue', { kind: 'working' }, { ...named, ends }),
        ],
      }
    }
    case 'remove':
    case 'popAll':
      return { signals: [claimsOf('transcript', what, at, seen).ended(['queue', ...ends])] }
    default:
      return nothing
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
