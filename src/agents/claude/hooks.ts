/** Claude Code's hooks (2.1.330: 33 events; those that show a state are read). docs/research/agents.md#traps */

import { z } from 'zod'
import type { Lane, News } from '../../core/evidence/signal.ts'
import {
  type Claims,
  callOf,
  claimsOf,
  inTurn,
  type Memory,
  nothing,
  type Reading,
  read,
  remember,
  toolOf,
  withTool,
} from '../kit/agent.ts'
import { backgroundFields, readBeside, wakeDue } from '../kit/beside-turn.ts'
import { count, hookReader, id, record, tail, text, word } from '../kit/fields.ts'
import { aboutOf, askReason, promptOf } from '../kit/tools.ts'

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
  tool_input: record.optional(),
  error: word.optional(),
  message: text.optional(),
  notification_type: word.optional(),
  last_assistant_message: tail.optional(),
  teammate_name: id.optional(),
  ...backgroundFields,
  context_usage: count.optional(),
})
type Fields = z.infer<typeof fields>

export const readHook = hookReader(fields, (event, p, { seen }, memory) => {
  const claim = claimsOf('hook', event, seen, seen)
  const turn = inTurn(p.prompt_id)
  const owner: 'main' | `sub:${string}` = p.agent_id ? `sub:${p.agent_id}` : 'main'
  const ask = (name: string): Lane => `ask:${owner}:${name}`
  const on = owner === 'main' ? turn : { lane: owner }

  switch (event) {
    case 'SessionStart':
      return remember(
        {},
        claim.news('main', { kind: 'starting' }, { onlyFrom: ['exited'] }),
        claim.facts({ agentSession: p.session_id, cwd: p.cwd, model: p.model }),
      )
    case 'UserPromptSubmit':
      return readPrompt(p, claim, turn, memory)
    case 'PreToolUse': {
      const reason = askReason(p.tool_name)
      // A call that is known already is late news, never the beginning of more work.
      const isKnown = p.tool_use_id !== undefined && toolOf(memory, p.tool_use_id) !== undefined
      const signals = [
        claim.working('tool', { ...on, reopens: owner === 'main' && !isKnown, allows: ['waiting'] }),
        // Of a subagent's call the session's own, which began it, is what runs.
        ...(owner === 'main' ? [claim.facts({ tool: p.tool_name, about: aboutOf(p.tool_input) })] : []),
      ]
      if (givesWork.test(p.tool_name ?? '')) memory = { ...memory, idle: [] }
      if (p.tool_use_id !== undefined)
        memory = withTool(memory, p.tool_use_id, p.tool_name ?? 'tool', questionOf(p))
      if (!reason) return remember(memory, ...signals)
      return remember(
        { ...memory, pending: p.tool_name as string },
        ...signals,
        claim.waiting(ask(p.tool_name as string), reason, turn),
      )
    }
    case 'PermissionRequest': {
      const tool = p.tool_name ?? 'tool'
      const reason = askReason(tool)
      const pending = reason ? tool : (callOf(memory, tool, questionOf(p)) ?? tool)
      const question = questionOf(p)
      const asked = owner === 'main' ? { tool, about: aboutOf(p.tool_input), question } : { question }
      const request = claim.waiting(ask(pending), reason ?? 'permission', { ...turn, reopens: true })
      return remember({ ...memory, pending }, request, claim.facts(asked))
    }
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied': {
      const tool = p.tool_name ?? 'tool'
      const call = p.tool_use_id ?? callOf(memory, tool, questionOf(p)) ?? tool
      const { pending, ...rest } = memory
      const isAnswered = pending === tool || pending === call
      const ends = [ask(tool), ask(call), ask('notice')]
      return remember(isAnswered ? rest : memory, claim.working('thinking', { ...on, ends }))
    }
    case 'PostToolBatch': {
      const { pending: _, ...rest } = memory
      return remember(rest, claim.working('thinking', { ...on, ends: [`ask:${owner}:*`] }))
    }
    case 'MessageDisplay':
      return read(claim.working('streaming', { ...on, allows: ['waiting'] }))
    case 'SubagentStart':
      return p.agent_id ? read(claim.background(`sub:${p.agent_id}`)) : nothing
    case 'SubagentStop':
      return readSubagentStop(p, claim)
    case 'PreCompact':
      return read(claim.working('compacting', { ...turn, reopens: true, starts: p.trigger === 'manual' }))
    case 'PostCompact':
      return read(p.trigger === 'manual' ? claim.idle('turn', turn) : claim.working('thinking', turn))
    case 'Stop':
      if (owner !== 'main') return readSubagentStop(p, claim)
      return stopped(p, claim, memory, claim.finished(p.last_assistant_message, turn), {
        finalMessage: p.last_assistant_message,
      })
    case 'StopFailure':
      if (owner !== 'main') return readSubagentStop(p, claim)
      return stopped(p, claim, memory, claim.failed(p.error === 'rate_limit', turn), {
        error: p.last_assistant_message ?? p.error,
      })
    case 'TeammateIdle':
      return readTeammateIdle(p, claim, memory)
    case 'Notification':
      return readNotification(p, claim, turn, memory)
    case 'Elicitation':
      return read(claim.waiting('ask:main:elicitation', 'question', { ...turn, reopens: true }))
    case 'ElicitationResult':
      return read(claim.ended(['ask:main:elicitation', 'ask:main:notice']))
    case 'SessionEnd':
      if (p.reason === 'clear' || p.reason === 'resume') return remember({})
      return remember({}, claim.exited(['sub:*', 'bg:*', 'ask:*']))
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
    return remember(
      { ...memory, prompt: prompt.slice(0, 200) },
      claim.news('queue', { kind: 'working' }, turn),
    )
  }
  const ends = finished ? { ends: [`bg:${finished}`, `sub:${finished}`] as const } : {}
  return remember(
    { ...kept(memory), prompt: prompt.slice(0, 200), ...(p.prompt_id ? { turn: p.prompt_id } : {}) },
    claim.working('thinking', { ...turn, ...ends, starts: true }),
    ...(finished ? [] : [claim.facts({ prompt: promptOf(prompt) })]),
  )
}

/** What outlives a turn: the tool calls that hooks reported, and who has no work. */
const kept = ({ tools, idle }: Memory): Memory => ({ ...(tools ? { tools } : {}), ...(idle ? { idle } : {}) })

/** Helpers without a type, around /compact, are none of the session's subagents (docs/research/agents.md#trap-5). */
function readSubagentStop(p: Fields, claim: Claims): Reading {
  if (!p.agent_id || p.agent_type === '') return nothing
  const lane: Lane = `sub:${p.agent_id}`
  return read(wakeDue(claim, [lane, `bg:${p.agent_id}`, `ask:${lane}:*`]))
}

/** A turn ends, and the background tasks that it leaves running become lanes of their own. */
function stopped(
  p: Fields,
  claim: Claims,
  memory: Memory,
  end: News,
  facts: { finalMessage?: string | undefined; error?: string | undefined },
): Reading {
  const beside = readBeside(p, claim, memory.idle?.length)
  const isListed = p.background_tasks !== undefined
  const ends =
    isListed && beside.news.length === 0
      ? (['sub:*', 'bg:*', 'wake', 'ask:sub:*'] as const)
      : (['bg:*', 'wake'] as const)
  return remember(
    { ...kept(memory), count: beside.teammates },
    { ...end, ends },
    ...beside.news,
    claim.facts(facts),
    ...(isListed ? [beside.facts] : []),
  )
}

/** A teammate's name is not its task's id. Once as many teammates as there are tasks reported idle, all are idle. */
function readTeammateIdle(p: Fields, claim: Claims, memory: Memory): Reading {
  if (p.teammate_name === undefined) return nothing
  const idle = [...new Set([...(memory.idle ?? []), p.teammate_name])].slice(-mostTeammates)
  const areAll = memory.count !== undefined && idle.length >= memory.count
  return remember({ ...memory, idle }, ...(areAll ? [claim.ended(['bg:teammate:*'])] : []))
}

const mostTeammates = 64
/** Tools that give a teammate work. They name the teammate in different ways. */
const givesWork = /^(SendMessage|Agent|Task)$/

function readNotification(p: Fields, claim: Claims, turn: { turn?: string }, memory: Memory): Reading {
  const news = noticeNews(p.notification_type, claim, turn)
  if (!news) return nothing
  // The notice of a request that is known already adds nothing, and calls every question a permission.
  if (news.state.kind === 'waiting' && memory.pending !== undefined) return nothing
  const question = news.state.kind === 'waiting' ? [claim.facts({ question: p.message })] : []
  return read(news, ...question)
}

function questionOf(p: Fields): string | undefined {
  const questions = p.tool_input?.questions
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined
  const asked = first && typeof first === 'object' && 'question' in first ? first.question : undefined
  const shown = asked ?? p.tool_input?.command ?? p.tool_input?.file_path ?? p.tool_input?.url
  return typeof shown === 'string' ? shown : undefined
}

function noticeNews(type: string | undefined, claim: Claims, turn: { turn?: string }): News | undefined {
  switch (type) {
    case 'permission_prompt':
    case 'worker_permission_prompt':
      return claim.waiting('ask:main:notice', 'permission', turn)
    case 'elicitation_dialog':
    case 'elicitation_url_dialog':
      return claim.waiting('ask:main:elicitation', 'question', turn)
    case 'agent_needs_input':
      return claim.waiting('ask:main:notice', 'question', turn)
    case 'elicitation_complete':
    case 'elicitation_response':
      return claim.ended(['ask:main:elicitation'])
    case 'idle_prompt':
      // It comes a minute after the end. Other hooks have reported the end by then.
      return claim.idle('turn', turn)
    default:
      return undefined
  }
}
