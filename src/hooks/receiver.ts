/** Where hooks arrive: `POST /hooks/AGENT`, answered before anything is made of them, so that no agent waits. */
import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isRecord, longestLine } from '../core/trace/trace.ts'
import { type HookReport, readHookReport } from './hook-report.ts'

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
 */
export function createReceiver(
  onHook: (report: HookReport) => void,
  token: string | undefined,
  complain: (sentence: string) => void,
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

  routes.post(
    '/hooks/:agent',
    bodyLimit({
      maxSize: longestLine,
      onError: c => c.text(refuse(`a hook larger than ${longestLine / 1024 / 1024} MB was not taken`), 413),
    }),
    async c => {
      const { agent } = c.req.param()
      const words = {
        agent,
        event: c.req.query('event'),
        pid: c.req.header('lull-pid'),
        pane: c.req.header('lull-pane'),
        via: c.req.header('lull-via'),
      }
      const read = readHookReport(words, await c.req.text())
      if ('refused' in read) return c.text(refuse(`a hook was not taken: ${read.refused}`), 400)
      if (read.report.event === probeEvent) {
        counts.probe = probeOf(read.report.payload)
        return c.body(null, 204)
      }
      counts.received++
      setImmediate(() => onHook(read.report))
      return c.body(null, 204)
    },
  )

  return { routes, counts }
}

const probeOf = (payload: unknown): string =>
  isRecord(payload) && typeof payload.probe === 'string' ? payload.probe.slice(0, 100) : ''

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
