/** What the API answers besides sessions (`session-shape.ts`), as zod schemas: the OpenAPI document is made of these. */
import { z } from 'zod'
import { errorTable } from '../core/lull-error.ts'
import { sessionShape, thinShape } from './session-shape.ts'
import { wire } from './wire-shapes.ts'

const words = z.string()
const time = z.iso.datetime().describe('ISO time, UTC')

export const dialogShape = z
  .strictObject({
    dialog: words.describe('id of this dialog: another text or other options have another one'),
    for: words,
    via: z
      .enum(['hook', 'screen'])
      .describe(
        'hook: its agent reports it whole, and takes the answer there; screen: it is read, and keys answer it',
      ),
    tool: words.optional().describe('via hook: what the agent wants to use'),
    input: z
      .looseObject({})
      .optional()
      .describe('via hook: what it wants to use it for, as the agent gave it'),
    shows: z.array(words).describe('its rows'),
    whole: z.enum(['yes', 'perhaps', 'no']).describe('no: its beginning is not on the screen'),
    options: z.array(
      z.strictObject({
        choice: z.union([z.number(), words]).describe('what answer takes for it'),
        label: words,
        text: words.optional().describe('its whole text, where it goes on behind or below the label'),
        takesText: z.literal(true).optional().describe('with `text`, an answer of one’s own'),
        needsText: z.literal(true).optional().describe('it is no answer without one'),
        lasts: z.literal(true).optional().describe('by its words it grants more than what is asked for now'),
        refuses: z.literal(true).optional().describe('by its words it allows nothing'),
        checked: z.boolean().optional(),
      }),
    ),
    isScrolled: z.literal(true).optional(),
  })
  .describe('A dialog on an agent’s screen')

export const listShape = z.strictObject({ at: time, sessions: z.array(thinShape) })

export const outcomeShape = z
  .strictObject({
    outcome: z.enum(['reached', 'waitsForPerson', 'stuck', 'gone', 'turnFailed', 'limited', 'timeout']),
    code: z.number().describe('exit code of lull wait for this outcome'),
    elapsed: z.number().describe('seconds'),
    sessions: z.array(sessionShape),
  })
  .describe('How a wait ended')

const colour = z
  .union([z.int().min(0).max(255), z.string().regex(/^#[0-9a-f]{6}$/)])
  .optional()
  .describe('of the terminal’s palette, or #rrggbb; the terminal’s own where not given')
const drawn = z.literal(true).optional()

export const screenShape = z.strictObject({
  pane: words,
  state: words.describe('ready, running, question, password, … (docs/terminals.md)'),
  why: words,
  confidence: z.number(),
  rows: z.array(words),
  cells: z
    .array(
      z.array(
        z.strictObject({
          ...{ text: words, front: colour, back: colour },
          ...{ bold: drawn, dim: drawn, underlined: drawn, reversed: drawn },
          ...{ italic: drawn, blinking: drawn, invisible: drawn, struck: drawn },
        }),
      ),
    )
    .optional()
    .describe('format=cells: each row as runs of equally drawn text'),
  cursor: z.strictObject({ row: z.number(), column: z.number() }).optional(),
})

export const terminalShape = z.strictObject({
  pane: z.strictObject({ socket: words, id: words, pid: z.number(), tty: words }),
  agent: words.optional().describe('id of the session'),
  dialog: z.looseObject({ id: words }).optional().describe('ShownDialog of the library'),
})

/** In a document, a field that may be missing is one that is optional: its generator knows no other word for that. */
const documented = <Shape extends z.ZodRawShape>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field instanceof z.ZodExactOptional ? z.optional(field.unwrap() as z.ZodType) : field,
    ]),
  ) as Shape

const ended = documented(wire.pastState.shape)

/** A past state, as `lull history --json` prints it. Another version may have added to it. */
const pastShape = z.looseObject({
  ...ended,
  at: time,
  entry: z.number().describe('its number in the history'),
  kind: words,
  ...{ id: words.optional(), agent: words.optional(), cwd: words.optional(), run: words.optional() },
})

/** What became of a session, as `lull since --json` prints it. */
const awayShape = z.looseObject({
  ...ended,
  ...{ id: words, agent: words, cwd: words.optional(), since: time },
  outcome: words.describe('needs a person, failed, …: what it came to'),
  finished: z.number().describe('turns that ended so'),
  ...{ failed: z.number(), limited: z.number() },
  waits: z.number().describe('how often it waited for a person'),
  waited: z.number().describe('seconds, in all'),
})

export const historyShape = z.strictObject({ entries: z.array(pastShape) })
export const timelineShape = z.strictObject({
  since: time.describe('from when on it is whole: later than asked for where it is truncated'),
  until: time,
  truncated: z.literal(true).optional().describe('older states were left out'),
  entries: z.array(pastShape),
})
export const sinceShape = z.strictObject({
  entries: z.array(awayShape),
  unasked: z
    .array(z.strictObject({ host: words, why: words }))
    .optional()
    .describe('the boxes that could not be asked'),
})

/** A loop of another version may answer: fields may be added. */
export const loopShape = z.looseObject(documented(wire.loopStatus.shape))
export const loopsShape = z.strictObject({
  loops: z.array(
    sessionShape.extend({ loop: loopShape.optional().describe('missing where it cannot be steered') }),
  ),
})

/** A respawn of another version may answer: fields may be added. */
export const respawnShape = z.looseObject({ ...documented(wire.respawnStatus.shape), since: time })
export const respawnsShape = z.strictObject({ respawns: z.array(respawnShape) })

export const statusShape = z.looseObject({
  at: time.describe('the wall clock of the host'),
  ...{ pid: z.number(), version: words, startedAt: time, sessions: z.number() },
  hooks: z.looseObject({}),
  pageNotices: z.boolean().optional().describe('notify.yaml sends notices to open pages (page: true)'),
  clients: z.number().describe('open event streams'),
  readOnly: z.literal(true).optional().describe('no token may act here: lull serve --read-only'),
  token: z
    .strictObject({ name: words, scope: z.enum(['read', 'act']) })
    .describe('the token that asks, and what it may do'),
})

export const tokensShape = z.strictObject({
  tokens: z.array(
    z.strictObject({
      name: words,
      scope: z.enum(['read', 'act']),
      by: words.optional().describe('the token that let it in, with which it ends'),
      created: time,
      seenAt: time.optional().describe('its last request, to a minute'),
      isThis: z.boolean().describe('the token that asks'),
    }),
  ),
})

/** What an action that revokes a token answers besides. */
export const revokedFields = {
  name: words,
  also: z.array(words).describe('those that it had let in, which ended with it'),
}

/** What an action that links a device answers besides. */
export const deviceLinkFields = {
  link: words,
  until: time,
  qr: z
    .array(words)
    .describe(
      'the link as a QR code, with its margin: a text for each row, in which 1 is a dark module and 0 a light one',
    ),
}

export const processesShape = z
  .strictObject({
    pid: z.number().describe('the root of the tree'),
    sentence: words.describe('what it does or waits for, and what can be done'),
    cause: words,
    proof: z.enum(['proven', 'bounded', 'inferred', 'unknown']),
    isBlocked: z.boolean().describe('nothing is left that could move it'),
    until: time.optional().describe('when a timer will fire, for bounded'),
    doubts: z.array(words).describe('why it is not more certain'),
    rows: z
      .array(
        z.strictObject({
          pid: z.number(),
          thread: z.number().optional().describe('where a thread of the process waits apart from it'),
          depth: z.number().describe('a process stands above what it waits for, which is one deeper'),
          name: words,
          command: words.describe('its words, without secrets, cut at 200 characters'),
          waits: words.describe('the call, and what it waits for'),
          whom: z.array(z.number()).describe('the pids that can wake it, where they are known'),
          isLeaf: z.literal(true).optional().describe('everything else waits for it'),
        }),
      )
      .describe('in the order of the tree; one for each thread that waits for something'),
    more: z.number().optional().describe('so many rows were left out'),
  })
  .describe('What a process tree does or waits for')

export const errorShape = z
  .strictObject({
    action: words.optional().describe('id of the action in the history, where one was tried'),
    error: z.strictObject({
      code: z.enum(Object.keys(errorTable)),
      message: words.describe('one sentence: what is wrong, and what would be right'),
      facts: z.looseObject({}).optional(),
    }),
  })
  .describe('Why it was refused')

export const actionShape = z
  .looseObject({
    action: words.describe('id of the action in the history'),
    confirmed: z
      .boolean()
      .describe('whether its effect was seen; false: it was typed, and nothing is known of its effect'),
  })
  .describe('What came of an action')

/** What the answer to an action comes to where its client asks for lines. */
export const stageShape = z
  .discriminatedUnion('stage', [
    z.strictObject({ stage: z.literal('received').describe('it is recorded; nothing is done yet') }),
    z.strictObject({
      stage: z
        .literal('given')
        .describe('the key that chooses was pressed, or the agent’s hook has the decision'),
    }),
    z.strictObject({
      stage: z.literal('done').describe('the last line'),
      status: z.number().describe('HTTP status of the answer without lines'),
      body: z.looseObject({}).describe('the body of the answer without lines'),
    }),
  ])
  .describe('One line of the answer to an action')
export type ActionStage = z.infer<typeof stageShape>
