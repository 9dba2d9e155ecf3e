/** The one shape that a session has in JSON, whoever prints it: docs/session.schema.json is made of this. */
import { z } from 'zod'

const time = z.iso.datetime().describe('ISO time, UTC')
const seconds = z.number()
const words = z.string()

const evidence = z.strictObject({
  source: words,
  what: words,
  state: words.optional(),
  tier: words.optional(),
  at: time,
})

const verdict = z.strictObject({
  state: z.enum(['starting', 'working', 'waiting', 'idle', 'exited', 'unknown']),
  for: words.optional().describe('waiting: permission, question, plan, trust, …'),
  doing: words
    .optional()
    .describe('working: thinking, streaming, tool, compacting, background, retrying, command'),
  after: z.enum(['turn', 'interrupt', 'error', 'limit']).optional().describe('idle: how the last turn ended'),
  code: z.number().optional().describe('exited: its exit code'),
  signal: words.optional().describe('exited: by which signal'),
  health: z.enum(['healthy', 'suspicious', 'likely_stuck', 'confirmed_stuck']),
  cause: words.optional(),
  certainty: z.enum(['low', 'medium', 'high', 'certain']).optional(),
  healthSince: time.optional(),
  healthWhy: words.optional(),
  advice: words.optional(),
  confidence: z.number().min(0).max(1),
  turn: z.number().describe('how many turns have begun'),
  turnOver: z.boolean(),
  asks: z.literal(true).optional().describe('the finished turn ended in a question'),
  limit: z.strictObject({ until: time.optional() }).optional().describe('the provider’s limit'),
  since: time.describe('when the state took this value'),
  rule: words,
  because: z.array(evidence),
})

const who = z.strictObject({
  id: words.describe('eight letters and digits; an address of the session, and so is their beginning'),
  agent: words.describe('claude, codex, …; command of lull run; terminal of a pane that was named'),
  name: words.optional().describe('that somebody gave it'),
  pid: z.number(),
  cwd: words.optional(),
  branch: words.optional(),
  pane: words.optional().describe('its tmux pane, %3'),
  tmux: words.optional().describe('the socket of that tmux server'),
  place: words.optional().describe('where that pane stands: main:2.1'),
  window: words.optional().describe('the name of its window, where somebody gave it one'),
  terminal: words.optional().describe('the terminal of lull’s own that it runs in'),
  title: words.optional().describe('what the agent calls its session'),
})

const said = z.strictObject({
  tool: words.optional().describe('that runs or asks'),
  about: words.optional().describe('its command, file, address or question'),
  prompt: words.optional().describe('the first words of the last prompt'),
  question: words.optional().describe('that it asks, while it waits'),
  error: words.optional().describe('of a turn that ended in one, in its own words'),
  message: words.optional().describe('its last message, once the turn is over'),
  note: words.optional().describe('why less is known of it'),
  cost: z.number().optional().describe('US dollars, as the agent counts them'),
})

export const sessionShape = z
  .strictObject({
    ...who.shape,
    ...verdict.shape,
    ...said.shape,
    transcript: words.optional(),
    status: words.optional(),
    drift: z.strictObject({ version: words, checked: words }).optional(),
    hooks: z.enum(['heard', 'blind', 'unknown']),
    seen: z.boolean(),
    needsMe: z.boolean(),
    need: z.enum(['answer', 'help', 'look', 'retry', 'instruction', 'nothing', 'unclear', 'gone']),
    held: seconds.optional().describe('seconds in its state; absent where nobody knows since when'),
    age: seconds.optional().describe('seconds since its process started'),
    background: z.array(z.strictObject({ kind: words, what: words.optional() })).optional(),
    wakes: z
      .array(
        z.strictObject({ kind: words, what: words.optional(), at: time.optional(), in: seconds.optional() }),
      )
      .optional(),
    menu: words.optional(),
    model: words.optional(),
    version: words.optional(),
    tokensIn: z.number().optional(),
    tokensOut: z.number().optional(),
    context: z.number().optional().describe('share of the context window in use'),
    why: words.describe('the verdict as a sentence'),
  })
  .describe('A session as lull ps, lull watch and lull wait print it as JSON')

/** Of a state that was: the same fields, as far as they are kept. */
export const pastShape = z
  .strictObject({
    ...sessionShape.partial().shape,
    at: time,
    entry: z.number(),
    kind: z.literal('session.state'),
    crashed: z.literal(true).optional().describe('it did not end of itself'),
    lost: words.optional().describe('it ended while no host looked'),
  })
  .describe('A state of a session as lull history --json prints it')

export const explainedShape = z
  .strictObject({
    ...sessionShape.shape,
    at: time,
    sentence: words,
    idleConfidence: z.number(),
    evidence: z.array(z.strictObject({ ...evidence.shape, used: z.boolean(), note: words.optional() })),
    wouldChange: z.array(words),
    facts: z.looseObject({}),
    processes: z.looseObject({}).optional(),
  })
  .describe('A session as lull explain --json prints it')

export const sessionSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $ref: '#/$defs/session',
  $defs: Object.fromEntries(
    Object.entries({ session: sessionShape, past: pastShape, explained: explainedShape }).map(
      ([name, shape]) => {
        const { $schema: _, ...schema } = z.toJSONSchema(shape)
        return [name, schema]
      },
    ),
  ),
})
