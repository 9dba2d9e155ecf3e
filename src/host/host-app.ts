/** What a host answers on its socket: the sessions, their changes, their raw events. Lines of JSON, one value each. */
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { sentenceFor } from '../core/error-sentence.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { unsentNoticeShape } from '../shapes/notice-shape.ts'
import { epochAt } from '../shapes/wire-instants.ts'
import type { HostDoor } from './host-door.ts'
import { changeMessage, type HostStatus, sessionsMessage } from './messages.ts'

export type HostPorts = {
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly sessions: SessionSource
  status(): Promise<HostStatus>
  stop(): void
  readonly door?: HostDoor
}

/** An empty line: so that who listens knows that the host lives, though nothing changes. */
const beatMs = 1500

const replyTo = z.object({ request: z.string().max(100), option: z.number().int().min(0).max(1000) })

const ids = z.object({ ids: z.array(z.string().max(100)).max(10_000) })

export function createApp({ clock, sessions, status, stop, door }: HostPorts): Hono {
  const epoch = () => epochAt(clock.wall(), clock.now())
  const app = new Hono()
  app.onError((error, c) => c.text(`${sentenceFor(error) ?? error.message}\n`, 500))

  app.get('/v1/status', async c => c.json(await status()))

  app.get('/v1/sessions', async c => c.json(sessionsMessage(await sessions.list(), epoch())))

  app.get('/v1/changes', c =>
    stream(c, async out => {
      const changes = await sessions.changes()
      const beat = setInterval(() => void out.write('\n'), beatMs)
      out.onAbort(() => {
        clearInterval(beat)
        void changes.return?.()
      })
      for await (const change of changes)
        await out.write(`${JSON.stringify(changeMessage(change, epoch()))}\n`)
      clearInterval(beat)
    }),
  )

  app.get('/v1/events/:id', c =>
    stream(c, async out => {
      const from = Number(c.req.query('from') ?? 0)
      const events = await sessions.events(c.req.param('id'), Number.isFinite(from) ? from : 0)
      out.onAbort(() => void events.return?.())
      // So that whoever asked knows that it is registered.
      await out.write('\n')
      for await (const event of events) await out.write(`${JSON.stringify(event)}\n`)
    }),
  )

  app.get('/v1/requests/:session', async c => {
    const request = await sessions.requests?.asked(c.req.param('session'))
    return c.json(request ? { request } : {})
  })

  app.post('/v1/requests/:session', async c => {
    const body = replyTo.safeParse(await c.req.json().catch(() => undefined))
    if (!body.success) return c.text('wanted: {"request": "…", "option": 0}\n', 400)
    const { request, option } = body.data
    const is = (await sessions.requests?.reply(c.req.param('session'), request, option)) ?? 'gone'
    return c.json({ is })
  })

  app.post('/v1/seen', async c => {
    const body = ids.safeParse(await c.req.json().catch(() => undefined))
    if (!body.success) return c.text('wanted: {"ids": ["…"]}\n', 400)
    await sessions.markSeen(body.data.ids)
    return c.body(null, 204)
  })

  app.post('/v1/serve', async c => {
    if (!door) return c.text('this host has no API\n', 501)
    await door.update()
    return c.json(door.status() ?? {})
  })

  app.post('/v1/notice', async c => {
    const body = unsentNoticeShape.safeParse(await c.req.json().catch(() => undefined))
    if (!body.success) return c.text('wanted: a notice for open pages\n', 400)
    return c.json({ shown: (await door?.show(body.data)) ?? false })
  })

  app.post('/v1/stop', c => {
    setImmediate(stop)
    return c.body(null, 204)
  })

  return app
}
