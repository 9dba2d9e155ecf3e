/** Codex' rollout file: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. Every turn is named. */
import { z } from 'zod'
import type { LanePattern, News } from '../../core/evidence/signal.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import {
  type Claims,
  claimsOf,
  inTurn,
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
} from '../kit/agent.ts'
import { begunBeside, endedBeside } from '../kit/beside-turn.ts'
import { checkRow, count, id, isTyped, stamp, tail, text, word } from '../kit/fields.ts'
import { ofFile } from '../kit/own-session.ts'
import { aboutOf, askReason, promptIn, promptOf, questionIn } from '../kit/tools.ts'

const words = /last status: 429\b|^You[’']ve hit your usage limit|^Quota exceeded/

/** @param kind `codex_error_info`; none in the rows of a headless run */
export function isLimit(message: string, kind?: unknown): boolean {
  if (kind === 'usage_limit_exceeded') return true
  return words.test(message) || (isRecord(kind) && Object.values(kind).some(has429))
}

const has429 = (about: unknown): boolean => isRecord(about) && about.http_status_code === 429

const tokens = z.object({
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  total_tokens: count.optional(),
})

const fields = z.object({
  type: word,
  timestamp: stamp.optional(),
  payload: z.object({
    type: word.optional(),
    id: id.optional(),
    turn_id: id.optional(),
    call_id: id.optional(),
    name: word.optional(),
    cwd: text.optional(),
    model: word.optional(),
    cli_version: word.optional(),
    last_agent_message: tail.nullable().optional(),
    error: z.unknown().optional(),
    source: z.unknown().optional(),
    thread_source: word.optional(),
    arguments: text.optional(),
    input: z.unknown().optional(),
    action: z.unknown().optional(),
    message: z.unknown().optional(),
    output: z.unknown().optional(),
    item: z
      .object({ type: word.optional(), id: id.optional(), content: z.unknown().optional() })
      .optional()
      .catch(undefined),
    goal: z.object({ objective: text.optional(), status: word.optional() }).nullish().catch(undefined),
    info: z
      .object({
        total_token_usage: tokens.optional(),
        last_token_usage: tokens.optional(),
        model_context_window: count.nullable().optional(),
      })
      .nullable()
      .optional(),
  }),
})

const wanted = /^(event_msg|response_item|session_meta|turn_context)$/

export function readLine(input: LineInput, moment: Moment, memory: Memory): Reading {
  if (/(^|\/)history\.jsonl$/.test(input.path)) return nothing
  const checked = checkRow(fields, input.line, 'rollout line', row => isTyped(row) && wanted.test(row.type))
  if (!checked.ok) return refuse(checked.reason)
  const { type, payload: p, timestamp } = checked.value
  const at = moment.stamp(timestamp)
  const claim = claimsOf('transcript', p.type ?? type, at, moment.seen)
  if (memory.nested?.includes(input.path)) return nothing
  const turn = inTurn(p.turn_id ?? memory.turn)
  if (type === 'session_meta') {
    const file = ofFile(input.path, isSubagent(p), memory)
    if (file.nested?.includes(input.path)) return remember(file)
    return remember(file, claim.facts({ agentSession: p.id, cwd: p.cwd, version: p.cli_version }))
  }
  if (type === 'turn_context') return read(claim.facts({ model: p.model, cwd: p.cwd }))
  switch (p.type) {
    case 'task_started':
      return remember(
        { ...kept(memory), ...inTurn(p.turn_id) },
        claim.working('thinking', { ...turn, starts: true, ends: ['ask:plan:*'] }),
      )
    case 'item_completed':
      if (p.item?.type === 'UserMessage') return read(claim.facts({ prompt: promptIn(p.item.content) }))
      if (p.item?.type === 'CommandExecution' && p.item.id !== undefined)
        return endedBeside(memory, claim, p.item.id, false)
      return p.item?.type === 'Plan' ? remember({ ...memory, pending: 'plan' }) : nothing
    case 'user_message':
      return read(claim.facts({ prompt: promptOf(p.message) }))
    case 'task_complete': {
      const message = p.last_agent_message ?? undefined
      if (p.error !== undefined && p.error !== null) return readFailure(p.error, claim, turn)
      const asked = memory.pending === 'plan' ? [approval(claim, turn)] : []
      return read(claim.finished(message, turn), ...asked, claim.facts({ finalMessage: message }))
    }
    case 'turn_aborted':
      return read(claim.idle('interrupt', turn))
    case 'stream_error':
      return read(claim.working('retrying', turn))
    case 'thread_goal_updated':
      return read(
        claim.facts({
          goal: p.goal?.status === 'active' ? (p.goal.objective ?? 'a goal').slice(0, 200) : '',
        }),
      )
    case 'token_count':
      return read(claim.facts(tokenFacts(p.info)))
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const tool = p.name ?? p.type
      const reason = askReason(p.name)
      const asked = reason ? [claim.waiting(`ask:main:${tool}`, reason, turn)] : []
      const about = aboutOf(p.arguments ?? p.input ?? p.action)
      const next = p.call_id === undefined ? memory : withTool(memory, p.call_id, tool, about)
      return remember(
        next,
        claim.working('tool', { ...turn, allows: ['waiting'] }),
        ...asked,
        claim.facts({
          tool,
          about,
          question: reason && questionIn(parseJson(p.arguments ?? '')),
        }),
      )
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const tool = toolOf(memory, p.call_id ?? '')
      const tools = (memory.tools ?? []).filter(([call]) => call !== p.call_id)
      const asked: LanePattern[] = tool && askReason(tool) ? [`ask:main:${tool}`] : []
      const own: LanePattern[] = [...asked, `ask:main:${p.call_id ?? 'call'}`]
      // A dialog may be of another call. It is named Bash where its call is not known, and logged as exec_command.
      const ends: LanePattern[] = tools.length === 0 && asked.length === 0 ? ['ask:main:*'] : own
      const working = claim.working('thinking', { ...turn, ends })
      if (p.call_id === undefined || !goesOn(tool, p.output)) return remember({ ...memory, tools }, working)
      const [, , command] = memory.tools?.find(([call]) => call === p.call_id) ?? []
      const beside = begunBeside({ ...memory, tools }, claim, p.call_id, command)
      return { ...beside, signals: [working, ...beside.signals] }
    }
    default:
      return nothing
  }
}

/**
 * A turn that ends with a plan opens a dialog ("Implement this plan?", 0.169.0) that no other source reports: the Stop
 * hook, the status and the title show an ended turn. The next turn closes the dialog.
 */
const approval = (claim: Claims, { turn }: { turn?: string }): News =>
  claim.waiting(`ask:plan:${turn ?? 'turn'}`, 'plan', { outlasts: ['osc7501', 'title'] })

/** A subagent's thread was begun by another thread; its file may repeat that one's lines. */
const isSubagent = ({ source, thread_source }: z.infer<typeof fields>['payload']): boolean =>
  isRecord(source) || thread_source === 'subagent'

/** The memory that outlives turns: which files are the session's own, and what goes on beside the turns. */
const kept = ({ nested, earlier, beside }: Memory): Memory => ({
  ...(nested ? { nested } : {}),
  ...(earlier ? { earlier } : {}),
  ...(beside ? { beside } : {}),
})

/** A command that has not ended with its call. What it prints comes below the head of the output. */
function goesOn(tool: string | undefined, output: unknown): boolean {
  if (tool !== 'exec_command' || typeof output !== 'string') return false
  const [head = ''] = output.slice(0, 500).split('\nOutput:')
  return head.split('\n').some(row => row.startsWith('Process running with session ID '))
}

function tokenFacts(info: NonNullable<z.infer<typeof fields>['payload']['info']> | null | undefined) {
  const used = info?.last_token_usage?.total_tokens
  const window = info?.model_context_window
  return {
    tokensIn: info?.total_token_usage?.input_tokens,
    tokensOut: info?.total_token_usage?.output_tokens,
    context: used !== undefined && window ? Math.min(1, used / window) : undefined,
  }
}

function readFailure(error: unknown, claim: Claims, turn: { turn?: string }): Reading {
  const failure = isRecord(error) ? error : { message: error }
  const message = typeof failure.message === 'string' ? failure.message : JSON.stringify(error)
  return read(claim.failed(isLimit(message, failure.codex_error_info), turn), claim.facts({ error: message }))
}
