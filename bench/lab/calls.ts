/** How each CLI's tools are called: the scripted model wishes, the tools that a request offers fulfil. */
import { defined } from '../../src/core/defined.ts'
import type { Wish } from './directive.ts'
import type { Tool, ToolCall } from './wire.ts'

/** The call that fulfils a wish with the tools that this request offers, or nothing where it offers none. */
export function callFor(wish: Wish, tools: readonly Tool[]): ToolCall | undefined {
  // Each CLI puts the server's name before the tool's in its own way.
  if (wish.tool === 'mcp') {
    const offered = tools.find(
      ({ name, namespace = name }) => namespace.includes('lull') && name.endsWith(wish.name),
    )
    return offered && { name: offered.name, ...defined({ namespace: offered.namespace }), input: wish.input }
  }
  for (const tool of tools.filter(({ namespace = own }) => namespace === own)) {
    const input = inputs[wish.tool]?.[tool.name]?.(wish as never, tool)
    if (input) return { name: tool.name, ...defined({ namespace: tool.namespace }), input: only(input, tool) }
  }
  return undefined
}

/** Codex has the tools for its subagents below a name of their own. */
const own = 'multi_agent_v1'

type Input = Readonly<Record<string, unknown>>
type Shell = Extract<Wish, { tool: 'shell' }>
type Question = Extract<Wish, { tool: 'question' }>
type Agent = Extract<Wish, { tool: 'agent' }>
type Plan = Extract<Wish, { tool: 'plan' }>
type Write = Extract<Wish, { tool: 'write' }>

/** Wish → the tool's name in each CLI → its arguments. Fields that this version of the tool lacks are left out. */
const inputs: {
  readonly shell: Readonly<Record<string, (wish: Shell, tool: Tool) => Input>>
  readonly question: Readonly<Record<string, (wish: Question, tool: Tool) => Input>>
  readonly agent: Readonly<Record<string, (wish: Agent, tool: Tool) => Input>>
  readonly plan: Readonly<Record<string, (wish: Plan, tool: Tool) => Input>>
  readonly write: Readonly<Record<string, (wish: Write, tool: Tool) => Input>>
} = {
  write: {
    /** Claude Code. */
    Write: ({ path, text }) => ({ file_path: path, content: text }),
  },
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
    /** OpenCode, pi, and Copilot, which alone has modes. */
    bash: wish => ({
      command: wish.command,
      description: 'Run a scripted command',
      timeout: 600_000,
      mode: wish.background ? 'async' : 'sync',
      initial_wait: 120,
    }),
    /** Cline. */
    run_commands: wish => ({ commands: [wish.command] }),
    /** Gemini CLI and Qwen Code. */
    run_shell_command: (wish, tool) => ({
      command: tool.fields.includes('directory') ? forQwen(wish) : wish.command,
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
    /** Nanocoder. */
    execute_bash: ({ command }) => ({ command }),
    /** Auggie. */
    'launch-process': ({ command }) => ({
      command,
      wait: true,
      max_wait_seconds: 600,
      cwd: '.',
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
    /** OpenCode and Copilot. */
    task: subagent('general'),
    /** Qwen Code. */
    agent: subagent('general-purpose'),
    /** Gemini CLI. */
    invoke_agent: ({ prompt }) => ({ agent_name: 'generalist', prompt }),
    /** Cline, and Codex. */
    spawn_agent: ({ prompt }) => ({
      systemPrompt: 'You run scripted commands.',
      task: prompt,
      message: prompt,
    }),
  },
  plan: {
    ExitPlanMode: ({ plan }) => ({ plan }),
    /** Qwen Code's has a plan, Copilot's a summary of the one that it shows. */
    exit_plan_mode: ({ plan }) => ({ plan, summary: plan }),
  },
  question: {
    /** Claude Code; Kimi Code takes several only where that is said. */
    AskUserQuestion: wish => ({
      questions: asked(wish, wish.isMany === true ? { multiSelect: true } : {}),
    }),
    /** Qwen Code, and Grok, which names neither a header nor several. */
    ask_user_question: wish => ({ questions: asked(wish, { multiSelect: wish.isMany === true }) }),
    /** Codex. */
    request_user_input: wish => ({
      questions: asked(wish, {}).map((one, n) => ({ id: `choice${n}`, ...one })),
    }),
    /** OpenCode. */
    question: wish => ({ questions: asked(wish, { multiple: wish.isMany === true }) }),
    /** Cline. */
    ask_question: wish => ({ question: wish.questions[0], options: wish.options }),
    /** Continue. */
    AskQuestion: wish => ({ question: wish.questions[0], options: wish.options }),
    /** Gemini CLI, Copilot, which wants a form, and Nanocoder, which takes one question. */
    ask_user: (wish, tool) => ({
      ...(tool.fields.includes('allowFreeform')
        ? { question: wish.questions[0], options: wish.options }
        : {}),
      message: wish.questions[0],
      requestedSchema: {
        type: 'object',
        properties: { choice: { type: 'string', title: 'Choice', enum: wish.options } },
        required: ['choice'],
      },
      questions: asked(wish, { type: 'choice', multiSelect: wish.isMany === true }),
    }),
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

/** Qwen Code refuses a `sleep` in the foreground that something follows, or that is not said to be meant. */
const forQwen = ({ command, asks, background }: Shell): string => {
  if (background) return command
  if (asks) return command.replace(/\bsleep \S+/g, "sh -c '$&'")
  return command.replace(/^(sleep \S+).*/, '$1 # intentional-sleep: it is scripted')
}

function subagent(kind: string) {
  return ({ prompt }: Agent): Input => ({
    description: 'A scripted task',
    prompt,
    subagent_type: kind,
    run_in_background: false,
    agent_type: 'general-purpose',
    name: 'helper',
    mode: 'sync',
  })
}

const only = (input: Input, tool: Tool): Input =>
  Object.fromEntries(Object.entries(input).filter(([key]) => tool.fields.includes(key)))
