/** Tools that ask the person a question: calling one opens its dialog. No two CLIs use one name for different things. */
import type { WaitingFor } from '../../core/state.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { table } from './agent.ts'

/** Names by their letters alone: of one tool, versions and CLIs write `ask_user_question` and `AskUserQuestion`. */
const reasons = table<WaitingFor>({
  // Claude Code, Qwen Code
  askuserquestion: 'question',
  // Claude Code, Gemini CLI, Qwen Code, Copilot CLI
  exitplanmode: 'plan',
  // Codex
  requestuserinput: 'question',
  // Gemini CLI, Copilot CLI
  askuser: 'question',
  // OpenCode, and the extension that pi shows as its example
  question: 'question',
  questionnaire: 'question',
  planexit: 'plan',
  // Cline
  askquestion: 'question',
  askfollowupquestion: 'question',
  planmoderespond: 'plan',
})

/** Why a person must answer this tool; none where it works by itself, or asks for permission like any other. */
export const askReason = (tool: string | undefined): WaitingFor | undefined =>
  reasons.get((tool ?? '').replace(/[_-]/g, '').toLowerCase())

/** The first question of such a tool's input. */
export function questionIn(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined
  const first: unknown = Array.isArray(input.questions) ? input.questions[0] : input
  const asked = isRecord(first) ? first.question : undefined
  return typeof asked === 'string' ? asked : undefined
}
