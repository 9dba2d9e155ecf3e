/**
 * What arrives about a session, before it is interpreted: a line of a trace once it is parsed, or what arrives live and
 * was parsed where it came in.
 */
import type { HookInput, LineInput, StatusInput } from '../agents/kit/agent.ts'
import type { ReadScreen } from '../agents/screen/state-words.ts'
import type { Instant } from '../core/state.ts'
import { type Complaint, isRecord, parseJson, type TraceCode, type TraceEvent } from '../core/trace/trace.ts'

export type RawInput =
  /** `agent`: the agent of the hook, if recorded. */
  | ({ readonly type: 'hook'; readonly agent?: string } & HookInput)
  | ({ readonly type: 'line' } & LineInput)
  | ({ readonly type: 'status' } & StatusInput)
  /** The title of a terminal, from a look at it. */
  | { readonly type: 'title'; readonly title: string }
  /** What a terminal shows, the top row first, and its title; looked at. */
  | {
      readonly type: 'screen'
      readonly rows: readonly string[]
      readonly title?: string
      /** It has not moved for seconds. */
      readonly isStill?: boolean
      /** The prompt that lull has typed there lately; `at` tells two alike apart. */
      readonly typed?: { readonly at: Instant; readonly prompt: string }
      /** What a person's own rules made of it, where there are some: a trace is judged by them wherever it is replayed. */
      readonly read?: ReadScreen
    }
  /** Looked at again, it shows what it showed. */
  | { readonly type: 'same screen'; readonly isStill?: boolean }
  | { readonly type: 'exit'; readonly cause?: string; readonly code?: number; readonly signal?: string }
  | { readonly type: 'output' | 'key' | 'report'; readonly data: string }

type Refused = Pick<Complaint, 'reason'>

/** An event of a trace, parsed; nothing where its code holds no evidence (`v`, `r`, `m`), or its data none. */
export function parseInput({ code, data }: TraceEvent): RawInput | Refused | undefined {
  switch (code) {
    case 'o':
      return { type: 'output', data }
    case 'i':
      return { type: 'key', data }
    case 'p':
      return { type: 'report', data }
    case 'h':
      return parseHook(parseJson(data))
    case 't':
      return parseLine(parseJson(data))
    case 'f':
      return parseStatus(parseJson(data))
    case 'x':
      return parseExit(parseJson(data))
    default:
      return undefined
  }
}

const refused = (reason: string): Refused => ({ reason })

function parseHook(row: unknown): RawInput | Refused {
  if (!isRecord(row) || typeof row.event !== 'string') return refused('a hook without an event')
  const { agent, event, payload, via } = row
  return {
    type: 'hook',
    event,
    payload,
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(typeof via === 'string' ? { via } : {}),
  }
}

function parseLine(row: unknown): RawInput | Refused {
  if (!isRecord(row) || typeof row.line !== 'string') return refused('a transcript event without a line')
  return { type: 'line', path: typeof row.path === 'string' ? row.path : '', line: row.line }
}

function parseStatus(row: unknown): RawInput | Refused | undefined {
  if (isRecord(row) && Array.isArray(row.rows)) return parseScreen(row.rows, row)
  if (isRecord(row) && row.isSame === true)
    return { type: 'same screen', ...(row.isStill === true ? { isStill: true } : {}) }
  if (isRecord(row) && typeof row.title === 'string') return { type: 'title', title: row.title }
  if (!isRecord(row) || typeof row.path !== 'string') return refused('a status event without a path')
  const { path, content } = row
  return typeof content === 'string' || content === null ? { type: 'status', path, content } : undefined
}

/** No terminal is larger. */
const mostRows = 1000

function parseScreen(
  rows: readonly unknown[],
  { title, isStill, typed, read }: Readonly<Record<string, unknown>>,
): RawInput | Refused {
  if (rows.length > mostRows || !rows.every(row => typeof row === 'string'))
    return refused('a screen whose rows are no texts')
  return {
    type: 'screen',
    rows,
    ...(typeof title === 'string' ? { title } : {}),
    ...(isStill === true ? { isStill } : {}),
    ...(isRecord(typed) ? typedOf(typed) : {}),
    ...(isRecord(read) ? readOf(read) : {}),
  }
}

const typedOf = ({ at, prompt }: Readonly<Record<string, unknown>>) =>
  typeof at === 'number' && typeof prompt === 'string' ? { typed: { at, prompt } } : {}

/** Traces of lull 0.1 call the state `says`. */
function readOf({ says, state = says, rule, row, isMenu }: Readonly<Record<string, unknown>>): {
  readonly read?: ReadScreen
} {
  if (typeof state !== 'string') return {}
  return {
    read: {
      state,
      ...(typeof rule === 'string' ? { rule } : {}),
      ...(typeof row === 'string' ? { row } : {}),
      ...(isMenu === true ? { isMenu } : {}),
    },
  }
}

function parseExit(row: unknown): RawInput | Refused {
  if (!isRecord(row)) return refused('an exit that is not an object')
  const { cause, code, signal } = row
  return {
    type: 'exit',
    ...(typeof cause === 'string' ? { cause } : {}),
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof signal === 'string' ? { signal } : {}),
  }
}

const codes = {
  hook: 'h',
  line: 't',
  status: 'f',
  title: 'f',
  screen: 'f',
  'same screen': 'f',
  exit: 'x',
  output: 'o',
  key: 'i',
  report: 'p',
} as const satisfies Record<RawInput['type'], TraceCode>

/** The input as an event of a trace holds it. */
export function eventOf(input: RawInput): Pick<TraceEvent, 'code' | 'data'> {
  const { type, ...row } = input
  if (type === 'same screen') return { code: codes[type], data: JSON.stringify({ isSame: true, ...row }) }
  return { code: codes[type], data: 'data' in row ? row.data : JSON.stringify(row) }
}
