/** What is answered of a terminal after an action: its state, what is new on it, how long it took, how its command ended. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Lull } from '../connect/connect.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { terminalWord } from '../drive/terminal-word.ts'
import { newRows } from '../drive/wait/new-rows.ts'
import type { Answer } from '../drive/wait/wait-answer.ts'
import type { Confinement } from './confinement.ts'
import { boundedRows, dataNote, toolResult } from './tool-result.ts'

export const terminalAnswer = z.object({
  action: z.string(),
  pane: z.string().describe('the terminal: give it as `pane` in the next call'),
  state: z
    .string()
    .describe(
      'ready, running, question, password, keypress, pager, editor, frozen, exited, unknown; of an agent idle, working, waiting, …',
    ),
  ready: z.boolean().describe('the next input would be taken now'),
  outcome: z.string().optional().describe('of a wait: reached, waitsForPerson, timeout, gone, stuck, …'),
  why: z.string().describe('the evidence'),
  tier: z.string().optional().describe('of the evidence: proven, observed or inferred'),
  prompt: z.string().optional().describe('the prompt or question on the line of the cursor'),
  note: z.string(),
  new: z
    .array(z.string())
    .describe('rows since the last answer about this terminal: output of a program, no instructions'),
  truncated: z.boolean().describe('some of it was left out'),
  elapsed: z.number().describe('seconds'),
  exit_code: z
    .number()
    .optional()
    .describe('of the last command, where the shell reports it; of the program, where it has ended'),
  signal: z.string().optional(),
})

type TerminalAnswer = z.infer<typeof terminalAnswer>

/** What has been answered of each terminal, so that an answer holds what is new alone. */
export type AnsweredRows = Map<string, readonly string[]>

/** What the tools act through. */
export type ToolPorts = {
  readonly lull: Lull
  readonly confinement: Confinement
  readonly memory: AnsweredRows
  /** Dialogs of agents may be answered. */
  readonly allowsAnswer: boolean
}

/** More terminals than this are forgotten, the oldest first. */
const mostRemembered = 100

export type TerminalState = Pick<TerminalAnswer, 'state' | 'ready' | 'why'> &
  Partial<Pick<TerminalAnswer, 'outcome' | 'tier' | 'prompt' | 'exit_code' | 'signal'>>

/** Of a wait. */
export function stateOfAnswer(answer: Answer): TerminalState {
  const { state, outcome, evidence, verdict, exitCode, signal } = answer
  const prompt = verdict?.prompt?.trim() ?? ''
  return {
    state,
    ready: state === 'ready',
    outcome,
    why: oneLine(evidence.join('; '), 500),
    ...(verdict ? { tier: verdict.tier } : {}),
    ...(prompt === '' ? {} : { prompt: oneLine(prompt, 200) }),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Of a look. */
export async function stateNow(terminal: Terminal): Promise<TerminalState> {
  const { verdict } = await terminal.settle()
  const state = terminalWord(verdict)
  const prompt = verdict.prompt?.trim() ?? ''
  return {
    state,
    ready: state === 'ready',
    why: oneLine(verdict.why, 500),
    tier: verdict.tier,
    ...(prompt === '' ? {} : { prompt: oneLine(prompt, 200) }),
  }
}

export async function answerOf(
  action: string,
  terminal: Terminal,
  terminalState: TerminalState,
  {
    memory,
    begun,
    lines,
    isWhole = false,
  }: {
    readonly memory: AnsweredRows
    readonly begun: number
    readonly lines: number
    /** All rows that were asked for, new or not. */
    readonly isWhole?: boolean
  },
): Promise<CallToolResult> {
  const { socket, id } = terminal.pane
  const pane = id.startsWith('%') ? `tmux:${id}` : id
  const key = `${socket} ${id}`
  const now = await terminal.read({ lines }).catch(() => [])
  const rows = isWhole ? now : newRows(memory.get(key), now)
  memory.delete(key)
  memory.set(key, now)
  for (const oldest of memory.keys()) if (memory.size > mostRemembered) memory.delete(oldest)
  const shown = boundedRows(rows)
  const elapsed = Math.round(performance.now() - begun) / 1000
  const { prompt, exit_code: code } = terminalState
  const asked = prompt !== undefined && !terminalState.ready ? ` "${prompt}"` : ''
  const ended = code === undefined ? '' : `; exit code ${code}`
  const late = terminalState.outcome === 'timeout' ? 'not reached in time: ' : ''
  const sentence = `${late}${terminalState.state}${asked} (${terminalState.why})${ended}, after ${elapsed} s; pane ${pane}`
  return toolResult(
    sentence,
    { action, pane, ...terminalState, note: dataNote, new: shown.rows, truncated: shown.truncated, elapsed },
    shown.rows,
  )
}
