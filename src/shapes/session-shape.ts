/** The JSON of a session that every command prints. docs/session.schema.json is made of it. */
import { z } from 'zod'
import { needs } from '../core/explain/need.ts'

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
  code: z.number().optional().describe('exited: exit code'),
  signal: words.optional().describe('exited: signal that ended it'),
  health: z.enum(['healthy', 'suspicious', 'likely_stuck', 'confirmed_stuck']),
  cause: words.optional(),
  certainty: z.enum(['low', 'medium', 'high', 'certain']).optional(),
  healthSince: time.optional(),
  healthWhy: words.optional(),
  advice: words.optional(),
  confidence: z.number().min(0).max(1),
  turn: z.number().describe('number of turns that have begun'),
  turnOver: z.boolean(),
  asks: z.literal(true).optional().describe('the finished turn ended with a question'),
  limit: z.strictObject({ until: time.optional() }).optional().describe('the provider’s limit'),
  since: time.describe('when the state took this value'),
  rule: words,
  because: z.array(evidence),
})

const who = z.strictObject({
  id: words.describe('eight letters and digits; commands accept it, or its beginning, as an address'),
  agent: words.describe('name of the CLI; `command` for lull run; `terminal` for a named pane'),
  host: words.optional().describe('the box that it is on (--on); absent: this machine'),
  name: words.optional().describe('name that a person gave the session'),
  pid: z.number(),
  cwd: words.optional(),
  branch: words.optional(),
  pane: words.optional().describe('tmux pane, such as %3'),
  tmux: words.optional().describe('socket of the tmux server'),
  place: words.optional().describe('tmux session, window and pane, such as main:2.1'),
  window: words.optional().describe('name that a person gave the tmux window'),
  terminal: words.optional().describe('name of the lull terminal that it runs in'),
  title: words.optional().describe('title that the agent gave its session'),
  recording: words.optional().describe('file of the recording that it is played from (lull demo --page)'),
})

const facts = z.strictObject({
  tool: words.optional().describe('tool that runs or asks for permission'),
  about: words.optional().describe('command, file, address or question of the tool'),
  prompt: words.optional().describe('first words of the last prompt'),
  question: words.optional().describe('question of the agent while it waits'),
  error: words.optional().describe('error text of a turn that failed'),
  message: words.optional().describe('last message of a finished turn'),
  note: words.optional().describe('why some facts are missing'),
  cost: z.number().optional().describe('US dollars, as reported by the agent'),
})

export const sessionShape = z
  .strictObject({
    ...who.shape,
    ...verdict.shape,
    ...facts.shape,
    transcript: words.optional(),
    status: words.optional(),
    drift: z.strictObject({ version: words, checked: words }).optional(),
    hooks: z.enum(['heard', 'blind', 'unknown']),
    seen: z.boolean(),
    needsMe: z.boolean(),
    need: z.enum(needs),
    kept: z
      .literal(true)
      .optional()
      .describe('a respawn keeps it going: idle, it gets its next prompt without a person'),
    settled: z
      .boolean()
      .describe(
        'idle or exited, nothing in the background, no wake pending, and so are the sessions it started',
      ),
    held: seconds.optional().describe('seconds in its state; absent if the start of the state is unknown'),
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

const { rule: _, because: __, ...stateFields } = verdict.shape

/** `thinRow` of sessions/session-json.ts. */
export const thinShape = z
  .strictObject({
    ...who.omit({ tmux: true }).shape,
    ...stateFields,
    ...facts.omit({ cost: true }).shape,
    ...{ menu: words.optional(), seen: z.boolean(), needsMe: z.boolean() },
    ...{ need: sessionShape.shape.need, kept: sessionShape.shape.kept },
    settled: sessionShape.shape.settled,
    sinceLook: z
      .literal(true)
      .optional()
      .describe('lull saw it so when it first looked: it began at `since`, or before'),
  })
  .describe('A session as the lists and events of the API have it')

/** A past state: those of the same fields that the history keeps. */
export const pastShape = z
  .strictObject({
    ...sessionShape.partial().shape,
    at: time,
    entry: z.number(),
    kind: z.literal('session.state'),
    owner: words.optional().describe('the other user that owns it'),
    crashed: z.literal(true).optional().describe('the process was killed or failed'),
    lost: words.optional().describe('what is known of an end while no host ran'),
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
