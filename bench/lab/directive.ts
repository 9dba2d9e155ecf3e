/** What the scripted model is told to do: `[[long:30]]` in a prompt becomes the steps of a turn. Pure. */

/** A tool that the model calls, whatever the CLI names it. */
export type Wish =
  | {
      readonly tool: 'shell'
      readonly command: string
      /** The command changes something, so that the CLI asks its person first. */
      readonly asks: boolean
      readonly background?: boolean
    }
  | {
      readonly tool: 'question'
      readonly questions: readonly string[]
      readonly options: readonly string[]
      /** Several options may be chosen together. */
      readonly isMany?: boolean
    }
  /** A subagent, which gets this prompt; its turn is part of the turn. */
  | { readonly tool: 'agent'; readonly prompt: string }
  /** A tool of lull's MCP server. */
  | { readonly tool: 'mcp'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  /** A plan that its person shall accept. */
  | { readonly tool: 'plan'; readonly plan: string }
  /** A file, written by the CLI's own tool for it. */
  | { readonly tool: 'write'; readonly path: string; readonly text: string }

/** One answer of the model. Times in ms. */
export type Step =
  /** The final message, verbatim; streamed over `over`, begun after `delay`. */
  | { readonly say: string; readonly over?: number; readonly delay?: number }
  /** A tool call, after some words; the turn goes on. */
  | { readonly call: Wish; readonly say?: string; readonly delay?: number }
  /** An HTTP error; `retryAfter` in seconds, as the header has it; `body` where it is not the usual one. */
  | { readonly status: number; readonly retryAfter?: number; readonly body?: object }
  /** Silence: before the first byte, or in the middle of a message. Only the client ends it. */
  | { readonly stall: 'headers' | 'middle' }

export type Directive = { readonly name: string; readonly argument: string | undefined }

/** A message of a request's history. Only what a person (or a program in their place) wrote counts as `user`. */
export type Turn = { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }

const pattern = /\[\[([a-z]+)(?::([\s\S]*?))?\]\](?!\])/g

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i + 1}`).join(' ')

const mimicry =
  'It prints "Do you want to proceed?" and then "❯ 1. Yes", or "Would you like to run the following command?". ' +
  'Permission required. Allow execution of: rm? Claude is waiting for your input. [idle_prompt] Stop. ' +
  'Interrupted by user. (esc to interrupt) Request cancelled. Type your message. {"type":"result"} ' +
  'turn_complete task_complete session.idle agent_end. What should I do now?'

const plan = '1. Read the file\n2. Change one line of it'

const afterwards: Step = { say: 'It is done.' }

const databases = ['Postgres', 'SQLite']

const asking = (question: Omit<Extract<Wish, { tool: 'question' }>, 'tool'>): readonly Step[] => [
  { say: 'I have a question.', call: { tool: 'question', ...question } },
  { say: 'Thank you for the answer.' },
]

const scripts: Readonly<Record<string, (argument: string | undefined) => readonly Step[]>> = {
  short: () => [{ say: 'Hello. This short turn is over.' }],
  say: argument => [{ say: argument ?? '' }],
  /** Streams text for so many seconds, four words a second. */
  long: argument => [{ say: `${words(4 * number(argument, 30))}.`, over: 1000 * number(argument, 30) }],
  /** Prose full of what the programs print when they ask or are idle, over so many seconds. */
  mimic: argument => [{ say: mimicry, over: 1000 * number(argument, 12) }],
  /** Nothing at all for so many seconds, then a message. */
  think: argument => [{ say: 'I have thought about it.', delay: 1000 * number(argument, 10) }],
  bash: argument => [
    { say: 'I will run a command.', call: { tool: 'shell', command: sleep(argument), asks: false } },
    afterwards,
  ],
  background: argument => [
    { call: { tool: 'shell', command: sleep(argument), asks: false, background: true } },
    { say: 'It runs in the background.' },
    afterwards,
  ],
  touch: argument => [
    {
      say: 'I need to create a file.',
      call: { tool: 'shell', command: `touch ${argument ?? 'made-by-the-agent.txt'}`, asks: true },
    },
    afterwards,
  ],
  ask: argument => asking({ questions: [argument ?? 'Which database?'], options: databases }),
  /** A question of which several options may be chosen. */
  choose: argument =>
    asking({
      questions: [argument ?? 'Which databases?'],
      options: [...databases, 'Redis'],
      isMany: true,
    }),
  /** Two questions in one dialog. */
  survey: () =>
    asking({ questions: ['Which database first?', 'Which database second?'], options: databases }),
  /** So many commands one after the other. */
  tools: argument => [
    ...Array.from(
      { length: number(argument, 5) },
      (_, i): Step => ({
        call: { tool: 'shell', command: `echo ${i + 1}`, asks: false },
      }),
    ),
    afterwards,
  ],
  /** Hands a command of so many seconds to a subagent. */
  agent: argument => [
    { say: 'I will delegate it.', call: { tool: 'agent', prompt: `[[bash:${number(argument, 8)}]] please` } },
    afterwards,
  ],
  /** Hands a command that changes something to a subagent, which has to ask for it. */
  agentasks: argument => [
    {
      say: 'I will delegate it.',
      call: { tool: 'agent', prompt: `[[touch:${argument ?? 'made-by-the-agent.txt'}]] please` },
    },
    afterwards,
  ],
  /** For the plan mode of CLIs that have a tool to leave it. */
  plan: () => [{ say: 'I have a plan.', call: { tool: 'plan', plan } }, afterwards],
  /** For Codex, which knows a plan by its tag. */
  proposal: () => [{ say: `<proposed_plan>\n${plan}\n</proposed_plan>` }, afterwards],
  /** The provider's limit, each time; a script may let a later attempt through. */
  limit: () => [{ status: 429, retryAfter: 2 }],
  error: argument => [{ status: number(argument, 500) }],
  stall: argument => [{ stall: argument === 'headers' ? 'headers' : 'middle' }],
}

const number = (argument: string | undefined, standard: number): number => {
  const value = Number(argument ?? standard)
  return Number.isFinite(value) && value >= 0 ? value : standard
}

const sleep = (argument: string | undefined): string => {
  const seconds = number(argument, 20)
  return `sleep ${seconds} && echo slept ${seconds}`
}

/** The last directive that a user text holds, and how many answers the model has given since. */
export function directiveIn(turns: readonly Turn[]): { directive: Directive | undefined; step: number } {
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index] as Turn
    const last = turn.role === 'user' ? [...turn.text.matchAll(pattern)].at(-1) : undefined
    if (!last?.[1] || !Object.hasOwn(scripts, last[1])) continue
    const step = turns.slice(index + 1).filter(({ role }) => role === 'assistant').length
    return { directive: { name: last[1], argument: last[2] }, step }
  }
  return { directive: undefined, step: 0 }
}

/** The answer to a directive's n-th request; the last one again after its end. A prompt without a directive gets a short turn. */
export function stepOf(directive: Directive | undefined, step: number): Step {
  const steps = (scripts[directive?.name ?? 'short'] as (typeof scripts)[string])(directive?.argument)
  return steps[Math.min(step, steps.length - 1)] as Step
}
