/**
 * What processes of lull send each other and keep in files, as zod schemas that the compiler checks against the types of
 * the core. `wire.ts` checks values without zod, which takes 40 ms to load: it reads `wire.json`, which is made of this.
 */
import { z } from 'zod'
import { ends, waits } from '../core/explain/explain.ts'
import { weight } from '../core/state.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { coreShapes, level, shapeOf, word } from './core-shapes.ts'
import { someInstant } from './instant-shape.ts'
import { askedRequest, remoteShapes } from './remote-shapes.ts'
import { respawnShapes } from './respawn-shapes.ts'

const [text, number, flag] = [z.string(), z.number(), z.boolean()]
const [someText, someNumber, mark] = [
  text.exactOptional(),
  number.exactOptional(),
  z.literal(true).exactOptional(),
]

/** `LiveSession` of `sessions/session-source.ts`. */
const liveSession = z.object({
  ...{ id: text, host: someText, agent: text, name: someText, pid: z.int(), cwd: someText, branch: someText },
  ...{ pane: someText, tmux: someText, place: someText, window: someText, terminal: someText },
  ...{ title: someText, transcript: someText, status: someText },
  hooks: word({ heard: true, blind: true, unknown: true }),
  ...{ note: someText, owner: someText, stands: someText, recording: someText },
  ...{ ancestors: z.array(text).exactOptional(), settledFrom: someInstant },
  drift: z.object({ version: text, checked: text }).exactOptional(),
  ...{ isSeen: flag, isSeenByFocus: mark, isSinceLook: mark, isKept: mark },
  session: coreShapes.session,
})

/** `DoorStatus` of host/host-door.ts. */
const door = z.object({ url: text, readOnly: flag, on: z.array(text).exactOptional(), problem: someText })

const process = z.object({ pid: z.int(), start: someText })

export const wire = {
  ...remoteShapes,
  ...coreShapes,
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
  event: shapeOf<TraceEvent>({
    line: number,
    at: number,
    code: text as unknown as z.ZodType<TraceEvent['code']>,
    data: text,
  }),
  published: z.object({ owner: process, process, loop: someText, session: liveSession }),
  pastState: z.object({
    ...{ name: someText, pid: someNumber, pane: someText, place: someText, window: someText },
    ...{ terminal: someText, title: someText, prompt: someText, owner: someText },
    state: word(weight),
    doing: z.literal('background').exactOptional(),
    ...{ for: word(waits).exactOptional(), after: word(ends).exactOptional() },
    ...{ code: someNumber, signal: someText },
    ...{ crashed: mark, lost: someText },
    health: level.exactOptional(),
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
