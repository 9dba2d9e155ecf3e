/** What the core knows of a session, as zod schemas that the compiler checks against its types: part of `wire-shapes.ts`. */
import { z } from 'zod'
import { type Background, countsAsWork, type Wake } from '../core/evidence/background.ts'
import {
  channel,
  type Exit,
  type Facts,
  type HealthSignal,
  type Lane,
  type LanePattern,
  type Limit,
  type News,
  type Sign,
  type Source,
  tierRank,
} from '../core/evidence/signal.ts'
import type { Turn, Turns } from '../core/evidence/turns.ts'
import { doings, ends, waits } from '../core/explain/explain.ts'
import { causes } from '../core/explain/explain-health.ts'
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
import { type InstantSchema, instant, maybeInstant } from './instant-shape.ts'

type Given<T, Key extends keyof T> = Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
type SchemaOf<T> = typeof unit extends keyof NonNullable<T> ? InstantSchema<T> : z.ZodType<T>

/** A schema for each field of a type, of the field's own type. */
export type Fields<T> = { readonly [Key in keyof T]-?: SchemaOf<Given<T, Key>> }

/** Those of a type that are instants: none of them may be left out. */
type Instants<T> = {
  [Key in keyof T]-?: typeof unit extends keyof NonNullable<T[Key]> ? Key : never
}[keyof T]

/** An object that accepts further fields, as a later version may send them. */
export const shapeOf = <T>(fields: Fields<T>): z.ZodType<T> => z.object(fields) as unknown as z.ZodType<T>

/** An object of which readers use these fields only. */
export const partOf = <T>(fields: Partial<Fields<T>> & Pick<Fields<T>, Instants<T>>): z.ZodType<T> =>
  shapeOf(fields as Fields<T>)

/**
 * A string of a set that may grow in a later version: any is accepted, and `knownPart` of `wire.ts` keeps those of today.
 * @param table has all words of the set
 */
export const word = <T extends string>(table: Readonly<Record<T, unknown>>): z.ZodType<T> =>
  z.string().meta({ words: Object.keys(table) }) as unknown as z.ZodType<T>

const [text, number, flag] = [z.string(), z.number(), z.boolean()]
const [someText, someNumber] = [text.exactOptional(), number.exactOptional()]

const is = <K extends Kind>(kind: K) => ({ kind: z.literal(kind) })
const state: z.ZodType<State> = z.union([
  z.object({ ...is('working'), doing: word(doings).exactOptional() }),
  z.object({ ...is('waiting'), for: word(waits) }),
  z.object({
    ...is('idle'),
    at: word({ composer: true, shell: true, repl: true }).exactOptional(),
    after: word(ends).exactOptional(),
  }),
  z.object({ ...is('exited'), code: someNumber, signal: someText }),
  z.object(is('starting')),
  z.object(is('unknown')),
])

export const level = word<Health['level']>({
  ...{ healthy: true, suspicious: true, likely_stuck: true, confirmed_stuck: true },
})
const certainty = word<Health['certainty']>({ low: true, medium: true, high: true, certain: true })
const health = shapeOf<Health>({ level, certainty, cause: word<Cause>(causes).optional() })

const limit = shapeOf<Limit>({ until: maybeInstant })

const source = word(channel)
const kinds = z.array(word(weight))

const healthBy = shapeOf<HealthSignal>({
  type: z.literal('health'),
  ...{ source, owner: text, what: text, advice: text.optional(), health },
  ...{ isHalted: flag.optional(), hold: number.optional(), alive: flag },
  since: instant,
  seen: instant,
})

const claim = { source, what: text, state }
const news = shapeOf<News>({
  type: z.literal('news'),
  ...claim,
  lane: text as unknown as z.ZodType<Lane>,
  ...{ turn: text.optional(), allows: kinds.optional(), onlyFrom: kinds.optional() },
  ...{ starts: flag.optional(), reopens: flag.optional(), asks: flag.optional() },
  outlasts: z.array(source).optional(),
  background: word(countsAsWork).optional(),
  ends: z.array(text as unknown as z.ZodType<LanePattern>).optional(),
  hold: number.optional(),
  limit: limit.optional(),
  at: instant,
  seen: instant,
})
const sign = shapeOf<Sign>({
  type: z.literal('sign'),
  ...claim,
  tier: word(tierRank),
  ...{ excludes: kinds, lag: number },
  ...{ settles: number.optional(), mayBeUpFrom: maybeInstant, hold: number.optional() },
  isSinceLook: z.literal(true).optional(),
  since: instant,
  seen: instant,
  alive: flag,
})
const exit = shapeOf<Exit>({
  type: z.literal('exit'),
  source,
  what: text,
  code: number.optional(),
  signal: text.optional(),
  at: instant,
})

const verdict = shapeOf<Verdict>({
  state,
  health,
  healthBy: healthBy.optional(),
  confidence: number.min(0).max(1),
  turn: number,
  turnOver: flag,
  asks: flag.optional(),
  limit: limit.optional(),
  since: instant,
  rule: word<Verdict['rule']>({
    ...{ exit: true, news: true, agreed: true, sign: true, busier: true, overturned: true },
    ...{ contradicted: true, halted: true, doubt: true, nothing: true },
  }),
  because: z.array(z.union([news, sign, exit])),
  recheckAt: maybeInstant,
})

const wakeKind = word<Wake['kind']>({ cron: true, wakeup: true, monitor: true, goal: true })

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
  background: z.array(shapeOf<Background>({ kind: word(countsAsWork), what: text.optional() })).optional(),
  wakes: z.array(shapeOf<Wake>({ kind: wakeKind, what: text.optional(), at: maybeInstant })).optional(),
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

const bySource = <T>(one: z.ZodType<T>): z.ZodType<{ readonly [S in Source]?: T }> =>
  z.record(text, one) as unknown as z.ZodType<{ readonly [S in Source]?: T }>

const session = partOf<Session>({
  now: instant,
  turns: shapeOf<Turns>({
    ...{ count: number, closed: z.array(text), isStartReported: flag, endedUnnamed: flag },
    overtaken: text.optional(),
    toldBy: bySource(number),
    lastStart: instant,
    lastEnd: instant,
    open: shapeOf<Turn>({ id: text.optional(), startedAt: instant }).optional(),
  }),
  lanes: z.record(text, shapeOf<Claim>({ news, by: z.array(source) })),
  pastDialogs: z.array(shapeOf<PastDialog>({ lane: text, endedAt: instant })),
  signs: z.record(
    text,
    shapeOf<TrackedStatus>({
      ...{ sign, stepsOwed: number, onProbation: flag, isCounted: flag, busySince: maybeInstant },
    }),
  ),
  healthByOwner: z.record(text, healthBy),
  kindByNews: shapeOf<KindByNews>({ kind: word(weight), since: instant, waitedUntil: maybeInstant }),
  presses: z.array(shapeOf<Press>({ at: instant, is: word({ prompt: true, answer: true }).optional() })),
  answers: bySource(shapeOf<AnsweredPress>({ press: maybeInstant, took: number, turn: text.optional() })),
  facts,
  tokensAt: maybeInstant,
  toolAt: maybeInstant,
  promptAt: maybeInstant,
  exit: exit.optional(),
  before: verdict,
  verdict,
})

export const coreShapes = { state, health, healthBy, news, sign, exit, session }
