/**
 * Receives hooks: `POST /hooks/AGENT`. It answers before it processes a hook, so that no agent waits, but for those of which the
 * agent takes an answer.
 */
import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type AgentName, agentNames, isAgentName } from '../agents/agent-names.ts'
import type { Agent, HookInput } from '../agents/kit/agent.ts'
import { namedEvent } from '../agents/kit/hook-payload.ts'
import { tooLargeToHold } from '../agents/kit/hook-request.ts'
import { agents } from '../agents/registry.ts'
import { isRecord, longestLine, parseJson } from '../core/trace/trace.ts'
import { readArguments } from '../os/proc/command-line.ts'
import { ancestors } from '../os/proc/stat.ts'
import { type HeldHook, heldReply } from './held-hook.ts'

/** A hook as it arrived: its agent, its payload, and the process that sent it. */
export type HookReport = HookInput & {
  readonly agent: AgentName
  /** The agent's process, or one below it; none where nobody knows (HTTP). */
  readonly sender?: Sender
  readonly pane?: string
}

export type Sender = {
  /** The process itself, its parent, and so on. */
  readonly pids: readonly number[]
  /** An ancestor is a server of the agent: it runs the turns of several sessions, only one of which started it. */
  readonly isShared: boolean
}

type Words = {
  readonly agent: string
  readonly event?: string | undefined
  readonly pid?: string | undefined
  readonly pane?: string | undefined
  readonly via?: string | undefined
}

/** A hook that can't be read is refused with a sentence. */
export type ReadHookReport = { readonly report: HookReport } | { readonly refused: string }

const longestName = 100

/** Reads what a forwarder sends: words of its request, and the payload as the agent wrote it. */
export function readHookReport({ agent, event, pid, pane, via }: Words, body: string): ReadHookReport {
  if (!isAgentName(agent)) {
    return { refused: `no such agent: ${agent.slice(0, 40)}; known are ${agentNames.join(', ')}` }
  }
  const payload = body.trim() === '' ? {} : parseJson(body)
  if (!isRecord(payload)) return { refused: 'the payload is no JSON object, or one of too many fields' }
  const named = event ?? namedEvent(payload)
  if (typeof named !== 'string' || named === '' || named.length > longestName) {
    return { refused: 'neither the request nor the payload names the event' }
  }
  const sender =
    pid !== undefined && /^\d{1,10}$/.test(pid) ? senderOf(Number(pid), agents[agent]) : undefined
  return {
    report: {
      agent,
      event: named,
      payload,
      ...(sender ? { sender } : {}),
      ...(pane !== undefined && /^%\d{1,9}$/.test(pane) ? { pane } : {}),
      ...(via === undefined ? {} : { via: via.slice(0, 20) }),
    },
  }
}

/** The agent, its shell, the forwarder; and one more, for a wrapper. */
const mostSteps = 4

/** A pid is another process's only after thousands of others: ms */
const knownForMs = 500
let known: { readonly since: number; readonly senders: Map<string, Sender> } | undefined

/**
 * To be asked while the process lives: a hook's shell is gone a moment after its answer. An agent at work sends one hook after the
 * other, and who is above it stays.
 */
export function senderOf(pid: number, agent: Agent): Sender | undefined {
  const now = performance.now()
  if (!known || now - known.since > knownForMs) known = { since: now, senders: new Map() }
  const key = `${pid} ${agent.name}`
  const sender = known.senders.get(key) ?? climb(pid, agent)
  if (sender) known.senders.set(key, sender)
  return sender
}

function climb(pid: number, agent: Agent): Sender | undefined {
  const pids: number[] = []
  for (const above of ancestors(pid, mostSteps)) {
    if (isServer(above, agent)) return { pids, isShared: true }
    pids.push(above)
  }
  return pids.length === 0 ? undefined : { pids, isShared: false }
}

function isServer(pid: number, { process: { server } }: Agent): boolean {
  if (server === undefined) return false
  return readArguments(pid).slice(1, 4).includes(server)
}

export type HookCounts = {
  /** Taken and handed on. */
  received: number
  /** Not readable: too large, no JSON, an unknown agent. */
  refused: number
  /** With a wrong token, or none. */
  unauthorised: number
  /** What the last probe held: the doctor sends one to see that it arrives. */
  probe?: string
}

/** The event of a probe. No agent has one of this name. */
export const probeEvent = 'lull-probe'

export type Receiver = { readonly routes: Hono; readonly counts: HookCounts }

/**
 * @param onHook called once for each hook, in the order of their arrival, after the answer
 * @param token what a request over TCP must carry (`Authorization: Bearer …`); none on a socket that only its owner may open
 * @param complain called with each refusal, for the log
 * @param hold called instead of `onHook` with a hook whose agent takes an answer; none where it asks nothing that can be answered
 */
export function createReceiver(
  onHook: (report: HookReport) => void,
  token: string | undefined,
  complain: (sentence: string) => void,
  hold?: (report: HookReport) => HeldHook | undefined,
): Receiver {
  const counts: HookCounts = { received: 0, refused: 0, unauthorised: 0 }
  const routes = new Hono()

  routes.use('/hooks/*', async (c, next) => {
    if (token === undefined || isBearer(c.req.header('authorization'), token)) return next()
    counts.unauthorised++
    complain('a hook came with a wrong token, or none')
    return c.text('wrong token: `lull hooks install` writes the right one\n', 401)
  })

  const refuse = (sentence: string): string => {
    counts.refused++
    complain(sentence)
    return `${sentence}\n`
  }

  const limitBody = bodyLimit({
    maxSize: longestLine,
    onError: c => c.text(refuse(`a hook larger than ${longestLine / 1024 / 1024} MB was not taken`), 413),
  })

  function holds({ agent, event, payload }: HookReport, length: number): typeof hold {
    const why = hold && tooLargeToHold(payload, length)
    if (why === undefined) return hold
    complain(`a hook is not held, so keys answer it: ${event} of ${agent} has ${why}`)
    return undefined
  }

  routes.post(
    '/hooks/:agent',
    // For a body of a known length, which Node's parser enforces, hono's limit would set up a web stream: a fifth of a hook's cost.
    (c, next) => (isShort(c.req.raw.headers) ? next() : limitBody(c, next)),
    async c => {
      const { agent } = c.req.param()
      const words = {
        agent,
        event: c.req.query('event'),
        pid: c.req.header('lull-pid'),
        pane: c.req.header('lull-pane'),
        via: c.req.header('lull-via'),
      }
      const body = await c.req.text()
      const read = readHookReport(words, body)
      if ('refused' in read) return c.text(refuse(`a hook was not taken: ${read.refused}`), 400)
      if (read.report.event === probeEvent) {
        counts.probe = probeOf(read.report.payload)
        return c.body(null, 204)
      }
      counts.received++
      const held = c.req.header('lull-hold') === undefined ? undefined : holds(read.report, body.length)
      if (!held) setImmediate(() => onHook(read.report))
      const kept = held?.(read.report)
      return kept ? heldReply(c, kept) : c.body(null, 204)
    },
  )

  return { routes, counts }
}

const isShort = (headers: Headers): boolean =>
  !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? Infinity) <= longestLine

const probeOf = (payload: unknown): string =>
  isRecord(payload) && typeof payload.probe === 'string' ? payload.probe.slice(0, 100) : ''

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
