/**
 * `~/.claude/projects/SLUG/SESSION.jsonl`: written in batches of about 0.1 s, an assistant's entry only when its
 * message is complete. Subagents write to files of their own (`isSidechain`), which say nothing about the main turn.
 */
import { z } from 'zod'
import type { Background } from '../../core/evidence/background.ts'
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
  read,
  refuse,
  remember,
  toolOf,
  withTool,
  workExpiryMs,
} from '../kit/agent.ts'
import { isServer, withEntry, without } from '../kit/beside-turn.ts'
import { asName, checkRow, count, id, isTyped, stamp, stringOf, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptOf, questionIn } from '../kit/tools.ts'
import { finishedTask, readQueue } from './queue.ts'
import { goalOf, wakesAfterTool } from './wakes.ts'

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
  attachment: z.unknown().optional(),
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

const interrupted = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])
/** A slash command. A built-in one is answered on the spot; one that is a prompt is followed by its text, as meta. */
const slashCommand = /^<command-(name|message)>/
const shellCommand = /^<bash-input>/
const shellOutput = /^<bash-(stdout|stderr)>/
const localOutput = /^<local-command-/
/** The text of a Stop hook that makes the agent go on. */
const stopFeedback = 'Stop hook feedback:'

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(^|\/)history\.jsonl$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'transcript line', isTyped)
  if (!checked.ok) return refuse(checked.reason)
  const row = checked.value
  if (row.isSidechain) return nothing
  const at = moment.stamp(row.timestamp)
  return withBeside(row, readTyped(row, at, moment, memory), moment, memory)
}

function readTyped(row: Row, at: number, moment: Moment, memory: Memory): Reading {
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
      return read(claimsOf('transcript', row.type, at, moment.seen).facts({ cost: row.totalCostUSD }))
    default:
      return nothing
  }
}

/** What goes on beside the turns outlives them, and whatever else the memory holds. */
function withBeside(row: Row, reading: Reading, moment: Moment, before: Memory): Reading {
  const { memory = before } = reading
  const [result] = blocksOf(row).filter(block => block.type === 'tool_result')
  const tool = toolOf(before, stringOf(result?.tool_use_id))
  const finished = finishedTask(stringOf(row.message?.content) || stringOf(row.content)) ?? ''
  const wakes = without(wakesAfterTool(before.wakes ?? none, tool, row.toolUseResult, moment), finished)
  const beside = without(memory.beside ?? before.beside ?? none, finished)
  const goal = row.type === 'attachment' ? goalOf(row.attachment) : undefined
  const { facts } = claimsOf('transcript', row.type, moment.seen, moment.seen)
  const changed = [
    ...(wakes === (before.wakes ?? none) ? [] : [facts({ wakes: wakes.map(([, wake]) => wake) })]),
    ...(beside === (before.beside ?? none) ? [] : [facts({ background: beside.map(([, one]) => one) })]),
    ...(goal === undefined ? [] : [facts({ goal })]),
  ]
  if (!reading.memory && changed.length === 0) return reading
  const kept = { ...(wakes.length > 0 ? { wakes } : {}), ...(beside.length > 0 ? { beside } : {}) }
  const { wakes: _, beside: __, ...rest } = memory
  return { ...reading, signals: [...reading.signals, ...changed], memory: { ...rest, ...kept } }
}

/** One empty list, so that an unchanged one is the same object. */
const none: readonly never[] = []

function blocksOf({ message }: Row): Record<string, unknown>[] {
  return Array.isArray(message?.content) ? message.content.filter(isRecord) : []
}

function readUser(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  if (row.isCompactSummary || row.isVisibleInTranscriptOnly) return nothing
  const claim = claimsOf('transcript', 'user', at, seen)
  const turn = row.promptId ?? memory.turn
  const named = turn === undefined ? {} : { turn }
  const own = row.promptId === undefined ? {} : { turn: row.promptId }
  const content = row.message?.content
  const blocks = blocksOf(row)
  const results = blocks.filter(b => b.type === 'tool_result')
  if (results.length > 0) return readResults(results, row, claim, named, memory)

  const words = typeof content === 'string' ? content : stringOf(blocks.find(b => b.type === 'text')?.text)
  if (row.promptSource === undefined && interrupted.has(words)) {
    return remember(
      {},
      claimsOf('transcript', 'interrupted', at, seen).idle('interrupt', {
        ...named,
        ends: ['sub:*', 'ask:sub:*'],
      }),
    )
  }
  // What a person typed is a prompt, whatever tags it quotes.
  const tagged = row.promptSource === 'typed' || row.promptSource === 'queued' ? '' : words
  if (localOutput.test(tagged)) {
    const { prompt: _, ...rest } = memory
    return remember(rest)
  }
  if (slashCommand.test(tagged)) return remember({ ...memory, prompt: 'command' })
  if (row.isMeta && words.startsWith(stopFeedback))
    return read(claim.working('thinking', { ...named, reopens: true }))
  if (row.isMeta && memory.prompt !== 'command') return nothing
  if (shellOutput.test(tagged)) return read(claim.idle('turn', named))
  if (shellCommand.test(tagged)) return remember(own, claim.working('command', { ...own, starts: true }))
  const finished = finishedTask(tagged)
  const ends = finished ? { ends: [`bg:${finished}`, `sub:${finished}`] as const } : {}
  // A text of the program's own is no prompt.
  const prompt = row.isMeta || finished ? undefined : promptOf(words)
  const facts = claim.facts({ agentSession: row.sessionId, cwd: row.cwd, version: row.version, prompt })
  return remember(own, claim.working('thinking', { ...own, ...ends, starts: true }), facts)
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
    ...results.map(r => `ask:main:${asName(stringOf(r.tool_use_id).slice(0, 200))}` as const),
    'ask:main:notice',
  ]
  const done = new Set(results.map(result => stringOf(result.tool_use_id)))
  const tools = (memory.tools ?? []).filter(([call]) => !done.has(call))
  const signals: Signal[] = [claim.working('thinking', { ...turn, ends })]
  const killed = killedBy(results, memory)
  if (killed.length > 0) {
    signals.push(claim.ended(killed.map(task => `bg:${asName(task)}` as const)))
    memory = { ...memory, beside: killed.reduce(without, memory.beside ?? none) }
  }
  const task = backgroundTask(row.toolUseResult)
  if (!task) return remember({ ...memory, tools }, ...signals)
  const called = memory.servers?.find(([call]) => done.has(call))
  const beside: Background = called ? { kind: 'server', what: called[1] } : { kind: 'task' }
  if (!called) signals.push(claim.background(`bg:${task}`))
  return remember({ ...memory, tools, beside: withEntry(memory.beside ?? none, task, beside) }, ...signals)
}

/** Background tasks that were ended: a call that was refused, or failed, has ended none. */
const killedBy = (results: readonly Record<string, unknown>[], { tools = [] }: Memory): readonly string[] =>
  results.flatMap(({ tool_use_id, is_error }) => {
    const [, tool = '', task] = tools.find(([call]) => call === tool_use_id) ?? []
    return task !== undefined && !is_error && /^(KillShell|KillBash|TaskStop)$/.test(tool) ? [task] : []
  })

/** A tool that went on in the background: a shell (`backgroundTaskId`), an agent or a workflow (`async_launched`). */
function backgroundTask(result: unknown): string | undefined {
  if (!isRecord(result) || result.error !== undefined) return undefined
  const launched = result.status === 'async_launched' ? (result.agentId ?? result.taskId) : undefined
  const task = launched ?? result.backgroundTaskId
  return typeof task === 'string' && /^[\w-]{1,100}$/.test(task) ? task : undefined
}

function readAssistant(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  const message = row.message ?? {}
  const named = memory.turn === undefined ? {} : { turn: memory.turn }
  const blocks = blocksOf(row)
  const words = stringOf(blocks.findLast(b => b.type === 'text')?.text)
  if (row.isApiErrorMessage) {
    const claim = claimsOf('transcript', 'API error', at, seen)
    const idle = claim.failed(row.error === 'rate_limit', named)
    return read(
      idle,
      claim.facts({ error: words || (typeof row.error === 'string' ? row.error : undefined) }),
    )
  }
  const claim = claimsOf('transcript', `assistant ${message.stop_reason ?? 'partial'}`, at, seen)
  if (blocks.length > 0 && blocks.every(isThinking)) {
    // It may carry the end of a message that is written row by row: what was thought of comes yet.
    return read(claim.working('thinking', { ...named, allows: ['waiting'] }))
  }
  const { usage } = message
  const facts = claim.facts({
    model: message.model,
    tokensIn: usage?.input_tokens,
    tokensOut: usage?.output_tokens,
  })
  const calls = blocks.filter(b => b.type === 'tool_use')
  if (calls.length > 0) return readCalls(calls, claim, named, facts, memory)
  if (message.stop_reason === 'end_turn' || message.stop_reason === 'stop_sequence') {
    return remember(
      memory,
      claim.finished(words, named),
      facts,
      claim.facts({ finalMessage: words.slice(-4000) }),
    )
  }
  // Versions that do not name their prompts do not mark the last text either.
  const mayBeLast = words !== '' && memory.turn === undefined ? { hold: workExpiryMs } : {}
  return read(claim.working('streaming', { ...named, ...mayBeLast, allows: ['waiting'] }), facts)
}

const isThinking = ({ type }: Record<string, unknown>): boolean =>
  type === 'thinking' || type === 'redacted_thinking'

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
    const task = isRecord(call.input) ? stringOf(call.input.shell_id ?? call.input.task_id) : ''
    next = withTool(next, stringOf(call.id).slice(0, 100), tool, task || undefined)
    signals.push(claim.facts({ tool, about: aboutOf(call.input) }))
    const reason = askReason(tool)
    if (reason)
      signals.push(
        claim.waiting(`ask:main:${tool}`, reason, turn),
        claim.facts({ question: questionIn(call.input) }),
      )
    const command = isRecord(call.input) ? stringOf(call.input.command) : ''
    if (isServer(command))
      next = { ...next, servers: withEntry(next.servers ?? none, stringOf(call.id), command.slice(0, 200)) }
  }
  return remember(next, ...signals)
}

function readSystem(row: Row, at: number, { seen }: Moment, memory: Memory): Reading {
  const named = memory.turn === undefined ? {} : { turn: memory.turn }
  const claim = claimsOf('transcript', row.subtype ?? 'system', at, seen)
  switch (row.subtype) {
    case 'turn_duration':
      return read(claim.idle('turn', named))
    case 'api_error': {
      const limit = row.retryInMs === undefined ? {} : { limit: { until: at + row.retryInMs } }
      return read(claim.working('retrying', { ...named, ...limit }))
    }
    default:
      return nothing
  }
}
