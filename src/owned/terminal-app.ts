/** What the terminal server answers on its socket. */
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { sentenceFor } from '../core/error-sentence.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import { areShown } from '../core/text/row-pattern.ts'
import type { HeldTerminal } from './held-terminal.ts'
import type { HeldTerminals } from './held-terminals.ts'
import type { ServerStatus } from './terminal-messages.ts'

export type TerminalPorts = {
  readonly terminals: HeldTerminals
  status(): ServerStatus
  stop(): void
}

const size = { columns: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) }
/** What a key is meant for, and until when, ms since the epoch. An older lull names no rows, and no time. */
const meant = { pid: z.int(), shown: z.array(z.string()).default([]), by: z.number().default(Infinity) }
const shapes = {
  open: z.object({
    name: z.string(),
    words: z.array(z.string()).min(1),
    cwd: z.string(),
    env: z.record(z.string(), z.string()),
    ...size,
  }),
  type: z.object({ ...meant, base64: z.string(), isPaste: z.boolean() }),
  press: z.object({ ...meant, key: z.string().max(100) }),
  resize: z.object(size),
  close: z.object({ isForced: z.boolean() }),
}

/** Who listens and does not read is let go. */
const mostUnread = 8 * 1024 * 1024

async function isFor(terminal: HeldTerminal, { pid, shown, by }: Meant): Promise<boolean> {
  const screen = shown.length === 0 ? [] : await terminal.lines('screen', false)
  return areShown(shown, screen) && terminal.describe().pid === pid && Date.now() <= by
}

type Meant = { readonly pid: number; readonly shown: readonly string[]; readonly by: number }

export function terminalApp({ terminals, status, stop }: TerminalPorts): Hono {
  const app = new Hono()
  app.onError((error, c) => {
    if (!isLullError(error)) return c.text(`${sentenceFor(error) ?? error.message}\n`, 500)
    return c.json({ code: error.code, message: error.message, facts: error.facts }, 422)
  })
  const held = (name: string): HeldTerminal => terminals.get(name)

  app.get('/v1/status', c => c.json(status()))
  app.get('/v1/terminals', c => c.json(terminals.list()))
  app.post('/v1/terminals', async c => c.json(await terminals.open(read(shapes.open, await c.req.json()))))
  app.get('/v1/terminals/:name', c => c.json(held(c.req.param('name')).describe()))
  app.get('/v1/terminals/:name/screen', async c =>
    c.json(await held(c.req.param('name')).screen(countOf(c.req.query('lines')))),
  )
  app.get('/v1/terminals/:name/lines', async c => {
    const most = c.req.query('lines') === 'screen' ? 'screen' : countOf(c.req.query('lines'))
    return c.json(await held(c.req.param('name')).lines(most, c.req.query('raw') === 'true'))
  })
  app.post('/v1/terminals/:name/type', async c => {
    const { base64, isPaste, ...meant } = read(shapes.type, await c.req.json())
    const terminal = held(c.req.param('name'))
    return c.json({
      isTyped: (await isFor(terminal, meant)) && terminal.type(Buffer.from(base64, 'base64'), isPaste),
    })
  })
  app.post('/v1/terminals/:name/press', async c => {
    const { key, ...meant } = read(shapes.press, await c.req.json())
    const terminal = held(c.req.param('name'))
    return c.json({ isTyped: (await isFor(terminal, meant)) && terminal.press(key) })
  })
  app.post('/v1/terminals/:name/resize', async c => {
    held(c.req.param('name')).resize(read(shapes.resize, await c.req.json()))
    return c.body(null, 204)
  })
  app.post('/v1/terminals/:name/close', async c =>
    c.json(await terminals.close(c.req.param('name'), read(shapes.close, await c.req.json()).isForced)),
  )
  app.post('/v1/terminals/:name/forget', c => {
    terminals.forgetClosed(c.req.param('name'))
    return c.body(null, 204)
  })
  app.get('/v1/terminals/:name/output', c => {
    const terminal = held(c.req.param('name'))
    return stream(c, async out => {
      let unread = 0
      const isOver = new Promise<void>(resolve => {
        const leave = terminal.listen(piece => {
          unread += piece.length
          if (unread > mostUnread) return leaveNow()
          void out.write(piece).then(() => {
            unread -= piece.length
          }, leaveNow)
        })
        const leaveNow = () => {
          leave()
          resolve()
        }
        out.onAbort(leaveNow)
        // What was printed last is still to be written.
        void terminal.ended.then(() => setTimeout(leaveNow, lastOutputMs))
      })
      // Whoever asked knows by it that it is registered, and from where on it hears.
      await out.write(`${terminal.describe().count}\n`)
      await isOver
    })
  })
  app.post('/v1/stop', c => {
    setImmediate(stop)
    return c.body(null, 204)
  })
  return app
}

/** ms */
const lastOutputMs = 50

function read<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LullError(
    'USAGE',
    `what was asked has not the shape that is wanted: ${z.prettifyError(parsed.error)}`,
  )
}

const mostLines = 10_000
const countOf = (text: string | undefined): number => Math.min(mostLines, Math.max(1, Number(text) || 100))
