/** Claude Code's hooks (2.1.330: 33 events; those that show a state are read). docs/research/agents.md#traps */
import { z } from 'zod'
import type { Lane, News } from '../../core/evidence/signal.ts'
import {
  type Claims,
  claimsOf,
  inTurn,
  type Memory,
  nothing,
  type Reading,
  read,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { count, id, tail, text, word } from '../kit/fields.ts'
import { askReason } from '../kit/questions.ts'
import { hookReader } from '../kit/readers.ts'
import { noticeNews } from './notices.ts'

const task = z.object({ id, status: word.optional(), type: word.optional() })

const fields = z.object({
  session_id: id.optional(),
  prompt_id: id.optional(),
  agent_id: id.optional(),
  agent_type: word.optional(),
  cwd: text.optional(),
  model: word.optional(),
  prompt: text.optional(),
  source: word.optional(),
  reason: word.optional(),
  trigger: word.optional(),
  tool_name: word.optional(),
  tool_use_id: id.optional(),
  tool_input: z.record(z.string(), z.unknown()).optional(),
  error: word.optional(),
  message: text.optional(),
  notification_type: word.optional(),
  last_assistant_message: tail.optional(),
  background_tasks: z
    .array(task)
    .transform(tasks => tasks.slice(0, 200))
    .optional(),
  context_usage: count.optional(),
})
type Fields = z.infer<typeof fields>

/** How long a subagent that has just stopped counts as work: its parent goes on 0.07 s later (trace claude/agent). */
const handoverMs = 1000

export const readHook = hookReader(fields, (event, p, { seen }, memory) => {
  const claim = claimsOf('hook', event, seen, seen)
  const turn = inTurn(p.prompt_id)
  const owner: 'main' | `sub:${string}` =
    p.agent_id && p.agent_type !== undefined ? `sub:${p.agent_id}` : 'main'
  const ask = (name: string): Lane => `ask:${owner}:${name}`
  const on = owner === 'main' ? turn : { lane: owner }

  switch (event) {
    case 'SessionStart':
      return {
        signals: [
          claim.news('main', { kind: 'starting' }, { onlyFrom: ['exited'] }),
          claim.facts({ agentSession: p.session_id, cwd: p.cwd, model: p.model }),
        ],
        memory: {},
      }
    case 'UserPromptSubmit':
      return readPrompt(p, claim, turn, memory)
    case 'PreToolUse': {
      const reason = askReason(p.tool_name)
      // A call that is known already is late news, never the beginning of more work.
      const isKnown = p.tool_use_id !== undefined && toolOf(memory, p.tool_use_id) !== undefined
      const signals = [
        claim.working('tool', { ...on, reopens: owner === 'main' && !isKnown, allows: ['waiting'] }),
        claim.facts({ tool: p.tool_name }),
      ]
      if (p.tool_use_id !== undefined) memory = withTool(memory, p.tool_use_id, p.tool_name ?? 'tool')
      if (!reason) return { signals, memory }
      return {
        signals: [...signals, claim.waiting(ask(p.tool_name as string), reason, turn)],
        memory: { ...memory, pending: p.tool_name as string },
      }
    }
    case 'PermissionRequest': {
      const tool = p.tool_name ?? 'tool'
      const request = claim.waiting(ask(tool), askReason(tool) ?? 'permission', { ...turn, reopens: true })
      return {
        signals: [request, claim.facts({ tool, question: questionOf(p) })],
        memory: { ...memory, pending: tool },
      }
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const { pending, ...rest } = memory
      const ends = [ask(p.tool_name ?? 'tool'), ask('notice')]
      return {
        signals: [claim.working('thinking', { ...on, ends })],
        memory: pending === p.tool_name ? rest : memory,
      }
    }
    case 'PostToolBatch': {
      const { pending: _, ...rest } = memory
      return { signals: [claim.working('thinking', { ...on, ends: [`ask:${owner}:*`] })], memory: rest }
    }
    case 'MessageDisplay':
      return { signals: [claim.working('streaming', { ...on, allows: ['waiting'] })] }
    case 'SubagentStart':
      return p.agent_id ? { signals: [claim.background(`sub:${p.agent_id}`)] } : nothing
    case 'SubagentStop':
      return readSubagentStop(p, claim)
    case 'PreCompact':
      return {
        signals: [claim.working('compacting', { ...turn, reopens: true, starts: p.trigger === 'manual' })],
      }
    case 'PostCompact':
      return {
        signals: [p.trigger === 'manual' ? claim.idle('turn', turn) : claim.working('thinking', turn)],
      }
    case 'Stop':
      return {
        signals: [
          ...stopped(p, claim, turn, more => claim.finished(p.last_assistant_message, more)),
          claim.facts({ finalMessage: p.last_assistant_message }),
        ],
        memory: kept(memory),
      }
    case 'StopFailure':
      if (owner !== 'main') return readSubagentStop(p, claim)
      return {
        signals: [
          ...stopped(p, claim, turn, more => claim.failed(p.error === 'rate_limit', more)),
          claim.facts({ error: p.error }),
        ],
        memory: kept(memory),
      }
    case 'Notification':
      return readNotification(p, claim, turn, memory)
    case 'Elicitation':
      return read(claim.waiting('ask:main:notice', 'question', { ...turn, reopens: true }))
    case 'ElicitationResult':
      return read(claim.ended(['ask:main:notice']))
    case 'SessionEnd':
      if (p.reason === 'clear' || p.reason === 'resume') return { signals: [], memory: {} }
      return {
        signals: [claim.exited(['sub:*', 'bg:*', 'ask:*'])],
        memory: {},
      }
    default:
      return nothing
  }
})

/**
 * A second prompt under the id of the open turn is queued (docs/research/agents.md#trap-2); the same text again is the
 * event doubled.
 */
function readPrompt(p: Fields, claim: Claims, turn: { turn?: string }, memory: Memory): Reading {
  const prompt = p.prompt ?? ''
  const finished = /^<task-notification>\s*<task-id>([\w-]{1,100})<\/task-id>/.exec(prompt)?.[1]
  if (p.prompt_id !== undefined && memory.turn === p.prompt_id) {
    if (memory.prompt === prompt.slice(0, 200)) return nothing
    return {
      signals: [claim.news('queue', { kind: 'working' }, turn)],
      memory: { ...memory, prompt: prompt.slice(0, 200) },
    }
  }
  const ends = finished ? { ends: [`bg:${finished}`, `sub:${finished}`] as const } : {}
  return {
    signals: [claim.working('thinking', { ...turn, ...ends, starts: true })],
    memory: { ...kept(memory), prompt: prompt.slice(0, 200), ...(p.prompt_id ? { turn: p.prompt_id } : {}) },
  }
}

/** What outlives a turn: the tool calls that hooks reported. */
const kept = ({ tools }: Memory): Memory => (tools ? { tools } : {})

/** Helpers without a type, around /compact, are none of the session's subagents (docs/research/agents.md#trap-5). */
function readSubagentStop(p: Fields, claim: Claims): Reading {
  if (!p.agent_id || p.agent_type === '') return nothing
  const lane: Lane = `sub:${p.agent_id}`
  const ends = [lane, `bg:${p.agent_id}`, `ask:${lane}:*`] as const
  return { signals: [claim.background(lane, { ends, hold: handoverMs })] }
}

/** A turn ends, and the background tasks that it leaves running become lanes of their own. */
function stopped(
  p: Fields,
  claim: Claims,
  turn: { turn?: string },
  end: (more: Pick<News, 'turn' | 'ends'>) => News,
): News[] {
  const running = (p.background_tasks ?? []).filter(t => t.status === 'running')
  const subs = p.background_tasks ? (['sub:*', 'bg:*', 'ask:sub:*'] as const) : (['bg:*'] as const)
  const kept = new Set(running.map(t => `sub:${t.id}`))
  return [
    end({ ...turn, ends: kept.size ? ['bg:*'] : subs }),
    ...running.map(t => claim.background(`bg:${t.id}`)),
  ]
}

function readNotification(p: Fields, claim: Claims, turn: { turn?: string }, memory: Memory): Reading {
  const news = noticeNews(p.notification_type, claim, turn)
  if (!news) return nothing
  // The notice of a request that is known already adds nothing, and calls every question a permission.
  if (news.says.kind === 'waiting' && memory.pending !== undefined) return nothing
  const question = news.says.kind === 'waiting' ? [claim.facts({ question: p.message })] : []
  return { signals: [news, ...question] }
}

function questionOf(p: Fields): string | undefined {
  const questions = p.tool_input?.questions
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined
  const asked = first && typeof first === 'object' && 'question' in first ? first.question : undefined
  const shown = asked ?? p.tool_input?.command ?? p.tool_input?.file_path ?? p.tool_input?.url
  return typeof shown === 'string' ? shown : undefined
}
