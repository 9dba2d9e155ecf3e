/**
 * What processes of lull send each other and keep in files, as zod schemas that the compiler checks against the types of
 * the core. `wire.ts` checks values without zod, which takes 40 ms to load: it reads `wire.json`, which is made of this.
 */
import { z } from 'zod'
import type { Background, Wake } from '../core/evidence/background.ts'
import type { Exit, Facts, HealthSignal, Limit, News, Sign } from '../core/evidence/signal.ts'
import type { Turn, Turns } from '../core/evidence/turns.ts'
import type { Verdict } from '../core/judge/verdict.ts'
import type {
  AnsweredPress,
  Claim,
  KindByNews,
  PastDialog,
  Press,
  Session,
  TrackedStatus,
} from '../core/session.ts'
import { type Cause, type Health, type Kind, type State, type unit, weight } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { type InstantSchema, instant, maybeInstant, someInstant } from './instant-shape.ts'
import { askedRequest, remoteShapes } from './remote-shapes.ts'
import { respawnShapes } from './respawn-shapes.ts'

type Given<T, Key extends keyof T> = Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
type SchemaOf<T> = typeof unit extends keyof NonNullable<T> ? InstantSchema<T> : z.ZodType<T>

/** A schema for each field of a type, of the field's own type. */
export type Fields<T> = { readonly [Key in keyof T]-?: SchemaOf<Given<T, Key>> }

/** Those of a type that are instants: none of them may be left out. */
type Instants<T> = {
  [Key in keyof T]-?: typeof unit extends keyof NonNullable<T[Key]> ? Key : never
}[keyof T]

/** An object that accepts further fields, as a later version may send them. */
const shapeOf = <T>(fields: Fields<T>): z.ZodType<T> => z.object(fields) as unknown as z.ZodType<T>

/** An object of which readers use these fields only. */
export const partOf = <T>(fields: Partial<Fields<T>> & Pick<Fields<T>, Instants<T>>): z.ZodType<T> =>
  shapeOf(fields as Fields<T>)

/** A string of a set that may grow in a later version. */
const word = <T extends string>(): z.ZodType<T> => z.string() as unknown as z.ZodType<T>

const [text, number, flag] = [z.string(), z.number(), z.boolean()]
const [someText, someNumber, mark] = [
  text.exactOptional(),
  number.exactOptional(),
  z.literal(true).exactOptional(),
]

const state = z.object({
  kind: z.enum(Object.keys(weight) as Kind[]),
  ...{ doing: someText, for: someText, after: someText, at: someText },
  ...{ code: someNumber, signal: someText },
}) as unknown as z.ZodType<State>

const health = shapeOf<Health>({ level: word(), certainty: word(), cause: word<Cause>().optional() })

const healthBy = partOf<HealthSignal>({
  owner: text,
  what: text,
  advice: text.optional(),
  health,
  since: instant,
  seen: instant,
})

const limit = shapeOf<Limit>({ until: maybeInstant })

const claim = { source: word<News['source']>(), what: text, state }
const news = partOf<News>({
  type: z.literal('news'),
  ...claim,
  lane: word<News['lane']>(),
  limit: limit.optional(),
  at: instant,
  seen: instant,
})
const sign = partOf<Sign>({
  type: z.literal('sign'),
  ...claim,
  tier: word<Sign['tier']>(),
  lag: number,
  since: instant,
  seen: instant,
  alive: flag,
})
const exit = shapeOf<Exit>({
  type: z.literal('exit'),
  source: claim.source,
  what: text,
  code: number.optional(),
  signal: text.optional(),
  at: instant,
})

const verdict = shapeOf<Verdict>({
  state,
  health,
  healthBy: healthBy.optional(),
  confidence: number,
  turn: number,
  turnOver: flag,
  asks: flag.optional(),
  limit: limit.optional(),
  since: instant,
  rule: word<Verdict['rule']>(),
  because: z.array(z.union([news, sign, exit])),
  recheckAt: maybeInstant,
})

const facts = shapeOf<Facts>({
  agentSession: text.optional(),
  version: text.optional(),
  cwd: text.optional(),
  model: text.optional(),
  tool: text.optional(),
  about: text.optional(),
  prompt: text.optional(),
  question: text.optional(),
  finalMessage: text.optional(),
  error: text.optional(),
  background: z
    .array(shapeOf<Background>({ kind: word<Background['kind']>(), what: text.optional() }))
    .optional(),
  wakes: z
    .array(shapeOf<Wake>({ kind: word<Wake['kind']>(), what: text.optional(), at: maybeInstant }))
    .optional(),
  goal: text.optional(),
  menu: text.optional(),
  notice: text.optional(),
  degraded: text.optional(),
  tokensIn: number.optional(),
  tokensOut: number.optional(),
  context: number.optional(),
  cost: number.optional(),
  pid: number.optional(),
  pidStart: text.optional(),
  pane: text.optional(),
})

const session = partOf<Session>({
  now: instant,
  turns: partOf<Turns>({
    count: number,
    closed: z.array(text),
    lastStart: instant,
    lastEnd: instant,
    open: partOf<Turn>({ startedAt: instant }).optional(),
  }),
  lanes: z.record(text, shapeOf<Claim>({ news, by: z.array(claim.source) })),
  pastDialogs: z
    .array(shapeOf<PastDialog>({ lane: text, endedAt: instant }))
    .optional() as unknown as z.ZodType<Session['pastDialogs']>,
  signs: z.record(
    text,
    partOf<TrackedStatus>({ sign, stepsOwed: number, onProbation: flag, busySince: maybeInstant }),
  ),
  healthByOwner: z.record(text, healthBy),
  kindByNews: shapeOf<KindByNews>({ kind: word<Kind>(), since: instant, waitedUntil: maybeInstant }),
  presses: z.array(partOf<Press>({ at: instant })).optional() as unknown as z.ZodType<Session['presses']>,
  answers: z
    .record(text, partOf<AnsweredPress>({ press: maybeInstant, took: number }))
    .optional() as unknown as z.ZodType<Session['answers']>,
  facts,
  tokensAt: maybeInstant,
  toolAt: maybeInstant,
  promptAt: maybeInstant,
  exit: exit.optional(),
  before: verdict.optional() as unknown as z.ZodType<Verdict>,
  verdict,
})

/** `LiveSession` of `sessions/session-source.ts`. */
const liveSession = z.object({
  ...{ id: text, host: someText, agent: text, name: someText, pid: z.int(), cwd: someText, branch: someText },
  ...{ pane: someText, tmux: someText, place: someText, window: someText, terminal: someText },
  ...{ title: someText, transcript: someText, status: someText },
  hooks: word<'heard' | 'blind' | 'unknown'>(),
  ...{ note: someText, owner: someText, stands: someText, recording: someText },
  ...{ ancestors: z.array(text).exactOptional(), settledFrom: someInstant },
  drift: z.object({ version: text, checked: text }).exactOptional(),
  ...{ isSeen: flag, isSeenByFocus: mark, isSinceLook: mark, isKept: mark },
  session,
})

/** `DoorStatus` of host/host-door.ts. */
const door = z.object({ url: text, readOnly: flag, on: z.array(text).exactOptional(), problem: someText })

const process = z.object({ pid: z.int(), start: someText })

export const wire = {
  ...remoteShapes,
  state,
  health,
  healthBy,
  news,
  sign,
  exit,
  session,
  liveSession,
  door,
  greeting: z.object({ pid: z.int(), version: text, protocol: someNumber }),
  status: z.object({
    ...{ pid: z.int(), version: text, protocol: number },
    startedAt: text,
    sessions: number,
    hooks: z.object({
      received: number,
      refused: number,
      unauthorised: number,
      unplaced: number,
      probe: someText,
    }),
    ...{ port: someNumber, portProblem: someText, pageNotices: flag.exactOptional() },
    serve: door.exactOptional(),
  }),
  sessions: z.array(liveSession),
  change: z.union([
    z.object({ type: z.literal('snapshot'), sessions: z.array(liveSession) }),
    z.object({ type: z.literal('changed'), session: liveSession }),
    z.object({ type: z.literal('gone'), id: text, why: someText, shownAs: someText }),
  ]),
  asked: z.object({ request: askedRequest.exactOptional() }),
  replied: z.object({ is: z.enum(['confirmed', 'unconfirmed', 'gone']) }),
  event: shapeOf<TraceEvent>({ line: number, at: number, code: word<TraceEvent['code']>(), data: text }),
  published: z.object({ owner: process, process, loop: someText, session: liveSession }),
  pastState: z.object({
    ...{ name: someText, pid: someNumber, pane: someText, place: someText, window: someText },
    ...{ terminal: someText, title: someText, prompt: someText, owner: someText },
    state: word<Kind>(),
    doing: z.literal('background').exactOptional(),
    ...{ for: someText, after: someText, code: someNumber, signal: someText },
    ...{ crashed: mark, lost: someText },
    health: word<Health['level']>().exactOptional(),
    ...{ turn: number, turnOver: mark },
    ...{ question: someText, error: someText, message: someText, note: someText, cost: someNumber },
    isMore: mark,
  }),
  ...respawnShapes,
}

export type Wire = { readonly [Name in keyof typeof wire]: z.infer<(typeof wire)[Name]> }

/** The schemas as JSON Schema by name: what `wire.json` holds. */
export function wireSchemas(): unknown {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries<z.ZodType>(wire)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: id => `#/${id}`, io: 'input' })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  )
}
