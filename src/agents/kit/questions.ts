/** Tools that ask the person a question: calling one opens its dialog. No two CLIs use one name for different things. */
import type { WaitingFor } from '../../core/state.ts'
import { table } from './agent.ts'

const reasons = table<WaitingFor>({
  // Claude Code
  AskUserQuestion: 'question',
  ExitPlanMode: 'plan',
  // Codex
  request_user_input: 'question',
  // Gemini CLI, Qwen Code
  ask_user: 'question',
  ask_user_question: 'question',
  exit_plan_mode: 'plan',
  // Cline
  ask_question: 'question',
})

/** Why a person must answer this tool; none where it works by itself, or asks for permission like any other. */
export const askReason = (tool: string | undefined): WaitingFor | undefined => reasons.get(tool ?? '')
