/** A browser's token: a one-time code of a link (`lull serve token add NAME --qr`) becomes a cookie that no script reads. */
import os from 'node:os'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { setCookie } from 'hono/cookie'
import type { ApiPorts } from '../api-ports.ts'
import { cookieNameOf } from '../gate.ts'
import { html, htmlPage } from '../html-page.ts'
import type { ApiEnv } from '../operations/operation.ts'
import { redeemCode } from '../tokens.ts'

/** s: browsers keep a cookie for 400 days at most. */
const cookieAge = 400 * 24 * 3600

export function addPairing(
  app: OpenAPIHono<ApiEnv>,
  { places, clock, settings, linkCommand }: ApiPorts,
): void {
  // The code is used by a click and not by the link itself: what looks at links ahead of the person would use it up.
  app.get('/pair', c => {
    const code = c.req.query('code') ?? ''
    if (!/^[\w-]{1,64}$/.test(code)) return c.html(htmlPage('<p>This link is not whole.</p>'), 400)
    return c.html(
      htmlPage(
        `<form method="post" action="/pair"><input type="hidden" name="code" value="${code}"><p>Let this browser use lull on ${html(os.hostname())}? With a token that may act, it can answer agents and start programs.</p><button>Yes</button></form>`,
      ),
    )
  })

  app.post('/pair', async c => {
    // A form of another page can't be sent here: the gate has checked its origin, and a form always has one.
    if (c.req.header('origin') === undefined)
      return c.html(htmlPage('<p>Open the link in a browser.</p>'), 403)
    const { code } = await c.req.parseBody()
    const secret =
      typeof code === 'string'
        ? await redeemCode(places, code, { now: clock.now(), wall: clock.wall() })
        : undefined
    if (secret === undefined)
      return c.html(
        htmlPage(
          `<p>This link was used or is older than a minute. <code>${html(linkCommand)}</code> makes another.</p>`,
        ),
        403,
      )
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
