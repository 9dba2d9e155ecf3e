/** A browser's token: a one-time code of a link (`lull serve token add NAME --qr`) becomes a cookie that no script reads. */
import os from 'node:os'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { getCookie, setCookie } from 'hono/cookie'
import type { ApiPorts } from '../api-ports.ts'
import { cookieNameOf } from '../gate.ts'
import { html, htmlPage } from '../html-page.ts'
import type { ApiContext, ApiEnv } from '../operations/operation.ts'
import { dropCode, findCode, redeemCode } from '../tokens.ts'

/** s: browsers keep a cookie for 400 days at most. */
const cookieAge = 400 * 24 * 3600

export function addPairing(
  app: OpenAPIHono<ApiEnv>,
  { places, clock, settings, tokens, linkCommand }: ApiPorts,
): void {
  /** Of a browser that was let in before, the page is a tap away. */
  function usedUp(c: ApiContext): Response | Promise<Response> {
    const secret = getCookie(c, cookieNameOf(settings))
    const isIn = secret !== undefined && tokens.find(secret) !== undefined
    return c.html(
      htmlPage(
        `<p>This link was used or is older than a minute. <code>${html(linkCommand)}</code> makes another.</p>${isIn ? '<p>This browser was let in before: <a href="/">open the page</a>.</p>' : ''}`,
      ),
      403,
    )
  }

  // The code is used by a click and not by the link itself: what looks at links ahead of the person would use it up.
  app.get('/pair', c => {
    const code = c.req.query('code') ?? ''
    if (!/^[\w-]{1,64}$/.test(code)) return c.html(htmlPage('<p>This link is not whole.</p>'), 400)
    const pass = findCode(places, code, clock.now())
    if (!pass) return usedUp(c)
    const may =
      settings.readOnly || pass.scope === 'read'
        ? 'It may then read: sessions, their screens and past. It can answer and type nothing.'
        : 'It may then read and act: answer agents, type into terminals and start programs.'
    return c.html(
      htmlPage(
        `<form method="post" action="/pair"><input type="hidden" name="code" value="${code}"><h1>lull on ${html(os.hostname())}</h1><p>Let this browser in as ${html(pass.name)}? ${may}</p><button>Yes</button> <button name="answer" value="no">No</button></form>`,
      ),
    )
  })

  app.post('/pair', async c => {
    // A form of another page can't be sent here: the gate has checked its origin, and a form always has one.
    if (c.req.header('origin') === undefined)
      return c.html(htmlPage('<p>Open the link in a browser.</p>'), 403)
    const { code, answer } = await c.req.parseBody()
    if (answer === 'no') {
      if (typeof code === 'string') await dropCode(places, code)
      return c.html(htmlPage('<p>This browser was not let in, and the link works no more.</p>'))
    }
    const secret =
      typeof code === 'string'
        ? await redeemCode(places, code, { now: clock.now(), wall: clock.wall() })
        : undefined
    if (secret === undefined) return usedUp(c)
    const secure = settings.cert !== undefined || settings.proxy !== undefined
    setCookie(c, cookieNameOf(settings), secret, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      secure,
      maxAge: cookieAge,
    })
    return c.redirect('/', 303)
  })
}
