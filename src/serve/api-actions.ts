/**
 * Actions that clients ask for: each is done once, and stands in the history with who asked. One whose record has a begin
 * without an end may or may not have been done: a client that asks again is told so, and nothing is done a second time.
 */
import { randomUUID } from 'node:crypto'
import { redact } from '../core/redact/redact.ts'
import { isRecord } from '../core/trace/trace.ts'
import type { Entry, JsonValue, StoredEntry } from '../history/entry.ts'
import type { History } from '../history/open-history.ts'
import { hashOf } from './tokens.ts'

const begunKind = 'api.begun'
const doneKind = 'api.done'
const refusedKind = 'api.refused'

export type ApiAction = {
  /** `send`, `answer`, … */
  readonly what: string
  /** The name of the token. */
  readonly by: string
  readonly session?: string | undefined
  readonly agent?: string | undefined
  readonly cwd?: string | undefined
  /** What the history shows of it. */
  readonly text: string
  /** The client's own key. It means nothing to another token, of the same name too. @param token its hash */
  readonly key?: { readonly token: string; readonly text: string } | undefined
  /** What another action has not: its path and body. */
  readonly request: string
}

/** What is answered, and with which status. */
export type Reply = {
  readonly status: number
  readonly body: { readonly [field: string]: JsonValue | undefined }
}

export class ActionRefusal extends Error {
  readonly code: 'NOT_RECORDED' | 'ACTION_UNKNOWN' | 'KEY_REUSED'
  readonly status: 409 | 503
  constructor(code: ActionRefusal['code'], message: string) {
    super(message)
    this.code = code
    this.status = code === 'NOT_RECORDED' ? 503 : 409
  }
}

/** So many keys are remembered without the history, which drops old entries by a clock that may be set. */
const mostKeys = 1000

/** @param history undefined where it can't be opened: then no action is done */
export function actionBook(history: () => History | undefined, now: () => number) {
  const known = new Map<string, { readonly request: string; readonly reply: Promise<Reply> }>()

  function record(entry: Omit<Entry, 'at'>): void {
    const opened = history()
    const why = opened ? opened.tryAdd({ at: now(), ...entry }) : 'there is no history'
    if (why !== undefined)
      throw new ActionRefusal('NOT_RECORDED', `nothing was done, since it can't be recorded: ${why}`)
  }

  function replyBefore(run: string, request: string): Reply | undefined {
    const filter = { run, kinds: [begunKind, doneKind, refusedKind], most: 3 }
    const entries = history()?.entries(filter) ?? []
    const begun = entries.find(({ kind }) => kind === begunKind)
    if (!begun) return undefined
    if (textIn(begun, 'request') !== request) throw keyReused()
    const done = entries.find(({ kind }) => kind !== begunKind)
    const reply = done && isRecord(done.data) ? done.data.reply : undefined
    if (isRecord(reply) && typeof reply.status === 'number' && isRecord(reply.body))
      return reply as unknown as Reply
    throw new ActionRefusal(
      'ACTION_UNKNOWN',
      'whether this was done is not known, since the host, or its API, ended meanwhile: look at the session before you ask again with another key',
    )
  }

  async function doOnce(
    run: string,
    action: ApiAction,
    request: string,
    act: () => Promise<Reply>,
  ): Promise<Reply> {
    const { what, by, text, session, agent, cwd } = action
    const about = { run, session, agent, cwd } as Omit<Entry, 'at' | 'kind'>
    const title = `${what} by ${by}`
    record({ ...about, kind: begunKind, data: { title, why: text, what, by, request } })
    const { status, body } = await act()
    const reply: Reply = { status, body: { action: run, ...body } }
    const [kind, why] = status < 300 ? [doneKind, text] : [refusedKind, `${text}: ${refusalIn(body)}`]
    const again = action.key === undefined ? {} : { reply: keptReply(reply) }
    // It is done: that it can't be recorded any more must not tell the client that it is not.
    history()?.tryAdd({ ...about, at: now(), kind, data: { title, why, what, by, ...again } })
    return reply
  }

  /** One that is under way by then has its begin in the history: asked for again, it is refused as unknown. */
  function forgetOldest(): void {
    const [oldest] = known.keys()
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest)
  }

  return {
    /**
     * @param act does it, and gives its reply; what it throws is the caller's
     * @throws {ActionRefusal} where it may not be done, or nobody knows whether it was
     */
    async run(action: ApiAction, act: () => Promise<Reply>): Promise<Reply> {
      // The hash of a short text alone could be guessed; its key is the client's secret.
      const request = hashOf(`${action.key?.text ?? randomUUID()}\n${action.request}`)
      if (action.key === undefined) return doOnce(randomUUID(), action, request, act)
      const run = hashOf(`${action.key.token}\n${action.key.text}`).slice(0, 32)
      const same = known.get(run)
      if (same) {
        if (same.request !== request) throw keyReused()
        return same.reply
      }
      const before = replyBefore(run, request)
      if (before) return before
      const reply = doOnce(run, action, request, act)
      known.set(run, { request, reply })
      reply.then(forgetOldest, () => known.delete(run))
      return reply
    },
  }
}

export type ActionBook = ReturnType<typeof actionBook>

const keyReused = (): ActionRefusal =>
  new ActionRefusal('KEY_REUSED', 'this Idempotency-Key was given with another request: use a new one')

const refusalIn = (body: Reply['body']): string =>
  isRecord(body.error) && typeof body.error.message === 'string' ? body.error.message : 'refused'

/** What a terminal shows is kept nowhere, nor keys that were typed, nor a link that whoever has it may use. */
const unkeptFields: ReadonlySet<string> = new Set([
  ...['screen', 'new', 'next', 'shown', 'promptLine', 'evidence'],
  ...['pressed', 'link', 'qr'],
])
/** Of a field, as JSON: more is a text that somebody wrote. */
const mostKept = 4096

/** A reply as a repeated request gets it from the history: without what the terminal shows, and without secrets. */
function keptReply({ status, body }: Reply): Reply {
  const fields = Object.entries(body).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === undefined || unkeptFields.has(name)) return []
    if (name === 'error') return [[name, keptError(value)]]
    return JSON.stringify(value).length > mostKept ? [] : [[name, value]]
  })
  const kept: Reply['body'] = JSON.parse(redact(JSON.stringify(Object.fromEntries(fields))))
  return { status, body: { ...kept, action: body.action } }
}

/** Its facts may be a dialog with all of its rows. */
const keptError = (error: JsonValue): JsonValue =>
  isRecord(error)
    ? { code: error.code as JsonValue, message: String(error.message).slice(0, mostKept) }
    : null

function textIn({ data }: StoredEntry, field: string): string | undefined {
  const text = isRecord(data) ? data[field] : undefined
  return typeof text === 'string' ? text : undefined
}
