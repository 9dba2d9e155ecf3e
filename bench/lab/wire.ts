/** What every wire protocol of a model provider offers to the scripted model: one shape, so that a new one is one file. */
import type { Turn, Wish } from './directive.ts'

export type Tool = { readonly name: string; readonly fields: readonly string[] }

export type ToolCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> }

/** What the model answers, before a protocol puts it into its words. */
export type Reply = {
  readonly model: string
  readonly text: string
  readonly call: ToolCall | undefined
  /** How long the text takes, ms. */
  readonly over: number
  /** The message breaks off after its text and never ends. */
  readonly stalls: boolean
}

/** A piece of a stream: bytes, a pause in ms, or the silence that only the client ends. */
export type Frame = string | { readonly pause: number } | 'stall'

export type Wire = {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini'
  /** The request's history and tools. Tolerates any body. */
  read(body: Readonly<Record<string, unknown>>): { turns: readonly Turn[]; tools: readonly Tool[] }
  frames(reply: Reply): Generator<Frame>
  whole(reply: Reply): object
  error(status: number): object
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export const errorType = (status: number): string => errorTypes[status] ?? 'api_error'

/** The same for every answer: enough for a status line, far from any limit. */
export const usage = { input: 1200, output: 40 } as const

export const stallWords = 'I begin to answer and then'

/** The text in pieces: a word at a time where it is to take long, otherwise in few. */
export function* pieces(text: string, over: number): Generator<{ text: string } | { pause: number }> {
  const parts = over > 0 ? text.split(/(?<= )/) : (text.match(/[\s\S]{1,40}/g) ?? [])
  for (const part of parts) {
    yield { text: part }
    if (over > 0) yield { pause: over / parts.length }
  }
}

let count = 0
export const newId = (prefix: string): string => `${prefix}_lab${(++count).toString(36).padStart(6, '0')}`

export const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

export const array = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The call that fulfils a wish with the tools that this request offers, or nothing where it offers none. */
export function callFor(wish: Wish, tools: readonly Tool[]): ToolCall | undefined {
  for (const tool of tools) {
    const input = inputs[wish.tool]?.[tool.name]?.(wish as never, tool)
    if (input) return { name: tool.name, input: only(input, tool) }
  }
  return undefined
}

type Input = Readonly<Record<string, unknown>>
type Shell = Extract<Wish, { tool: 'shell' }>
type Question = Extract<Wish, { tool: 'question' }>
type Agent = Extract<Wish, { tool: 'agent' }>

/** Wish → the tool's name in each CLI → its arguments. Fields that this version of the tool lacks are left out. */
const inputs: {
  readonly shell: Readonly<Record<string, (wish: Shell, tool: Tool) => Input>>
  readonly question: Readonly<Record<string, (wish: Question, tool: Tool) => Input>>
  readonly agent: Readonly<Record<string, (wish: Agent, tool: Tool) => Input>>
} = {
  shell: {
    /** Claude Code. */
    Bash: wish => ({
      command: wish.command,
      description: 'Run a scripted command',
      timeout: 600_000,
      ...(wish.background ? { run_in_background: true } : {}),
    }),
    /** Codex: it yields to the model while the command runs, at the latest after 30 s. */
    exec_command: wish => ({
      cmd: wish.command,
      yield_time_ms: wish.background ? 250 : 30_000,
      ...(wish.asks
        ? { sandbox_permissions: 'require_escalated', justification: 'May I create a file?' }
        : {}),
    }),
    shell_command: wish => ({
      command: wish.command,
      timeout_ms: 600_000,
      ...(wish.asks
        ? { sandbox_permissions: 'require_escalated', justification: 'May I create a file?' }
        : {}),
    }),
    /** OpenCode and Pi. */
    bash: wish => ({ command: wish.command, description: 'Run a scripted command', timeout: 600_000 }),
    /** Gemini. */
    run_shell_command: wish => ({
      command: wish.command,
      description: 'Run a scripted command',
      ...(wish.background ? { is_background: true } : {}),
    }),
    /** Droid: it asks by the risk that the model names. */
    Execute: wish => ({
      command: wish.command,
      summary: 'Run a scripted command',
      timeout: 600,
      riskLevel: wish.asks ? 'medium' : 'low',
      riskLevelReason: 'It is scripted',
    }),
    /** Grok. */
    run_terminal_command: wish => ({
      command: wish.command,
      description: 'Run a scripted command',
      ...(wish.background ? { background: true } : {}),
    }),
  },
  agent: {
    /** Claude Code: `Task` before 2.1.2xx. */
    Agent: subagent('general-purpose'),
    Task: subagent('general-purpose'),
    /** OpenCode. */
    task: subagent('general'),
  },
  question: {
    /** Claude Code; Kimi Code takes several only where that is said. */
    AskUserQuestion: wish => ({
      questions: asked(wish, wish.isMany === true ? { multiSelect: true } : {}),
    }),
    /** Codex. */
    request_user_input: wish => ({
      questions: asked(wish, {}).map((one, n) => ({ id: `choice${n}`, ...one })),
    }),
    /** OpenCode. */
    question: wish => ({ questions: asked(wish, { multiple: wish.isMany === true }) }),
    /** Gemini. */
    ask_user: wish => ({ questions: asked(wish, { type: 'choice', multiSelect: wish.isMany === true }) }),
    /** Grok. */
    ask_user_question: wish => ({ questions: asked(wish, {}) }),
    /** Droid. */
    AskUser: wish => ({
      questionnaire: wish.questions
        .flatMap((question, n) => [
          `${n + 1}. [question] ${question}`,
          `[topic] Choice ${n + 1}`,
          ...wish.options.map(label => `[option] ${label}`),
        ])
        .join('\n'),
    }),
  },
}

const asked = ({ questions, options }: Question, more: Input): readonly Input[] =>
  questions.map((question, n) => ({
    question,
    header: `Choice ${n + 1}`,
    options: options.map(label => ({ label, description: `Use ${label}` })),
    ...more,
  }))

function subagent(kind: string) {
  return ({ prompt }: Agent): Input => ({
    description: 'A scripted task',
    prompt,
    subagent_type: kind,
    run_in_background: false,
  })
}

const only = (input: Input, tool: Tool): Input =>
  Object.fromEntries(Object.entries(input).filter(([key]) => tool.fields.includes(key)))
