/** The devices and programs that may use the API: who they are, and what their commands do with them. No secret is shown but a new link. */
import { randomUUID } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { deviceLinkFields, revokedFields, tokensShape } from '../../shapes/api-shapes.ts'
import { testNoticeId } from '../../shapes/test-notice.ts'
import { isoOf } from '../../shapes/verdict-json.ts'
import { type ApiPorts, endRevoked } from '../api-ports.ts'
import { newDeviceLink, qrRows } from '../browser/device-link.ts'
import { codeMs, listTokens, revokeToken, scopes } from '../tokens.ts'
import type { AddAction } from './add-action.ts'
import { type ApiEnv, addOperation } from './operation.ts'

export function addTokenOperations(app: OpenAPIHono<ApiEnv>, action: AddAction, ports: ApiPorts): void {
  const { places, settings, clock } = ports

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/v1/tokens', operationId: 'listTokens' },
      summary: 'The devices and programs that may use the API; needs a token of scope act',
      answer: tokensShape,
    },
    async ({ token: { name: by, scope, hash } }) => {
      if (scope !== 'act')
        throw new LullError(
          'READ_ONLY',
          `token ${by} may read; the list of tokens needs one with --scope act`,
        )
      return {
        tokens: listTokens(places).map(one => ({
          ...{ name: one.name, scope: one.scope, created: isoOf(one.createdAt) },
          ...defined({ by: one.by }),
          ...(one.seenAt === undefined ? {} : { seenAt: isoOf(one.seenAt) }),
          isThis: one.hash === hash,
        })),
      }
    },
  )

  action(
    {
      what: 'revokeToken',
      path: '/v1/tokens/{name}/revoke',
      summary: 'The token and those that it let in are valid no more; their streams and waits end',
      body: z.strictObject({}),
      text: (_body, name) => name,
      effect: revokedFields,
    },
    async ({ name }) => {
      const also = await revokeToken(places, name)
      endRevoked(ports.open, ports.tokens)
      return { confirmed: true, name, also }
    },
  )

  action(
    {
      what: 'testNotice',
      path: '/v1/notices/test',
      summary:
        'Sends a notice to all open event streams, as a destination of notify.yaml with page: true does',
      body: z.strictObject({}),
      text: () => '',
    },
    async () => {
      const id = testNoticeId(randomUUID())
      const notice = { id, title: 'lull: a test', text: 'A session that needs you looks like this.' }
      const at = isoOf(clock.wall())
      const rest = { urgent: false, withdrawn: false, count: 0 }
      return { confirmed: ports.feed.show({ ...notice, ...rest, at }) }
    },
  )

  action(
    {
      what: 'linkDevice',
      path: '/v1/tokens/link',
      summary:
        'Makes a link by which one browser gets a token of this name and scope: it works once, for a minute',
      body: z.strictObject({ name: z.string().max(100), scope: z.enum(scopes) }),
      text: ({ name, scope }) => `${name}, ${scope}`,
      effect: deviceLinkFields,
    },
    async ({ body, token: { name: by } }) => {
      const link = await newDeviceLink(places, settings, { ...body, by }, clock.now())
      return { confirmed: true, link, until: isoOf(clock.wall() + codeMs), qr: qrRows(link) }
    },
  )
}
