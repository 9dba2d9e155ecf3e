/** The API: each request passes the gate, then its operation. The OpenAPI document is made of the same rows. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { oneLine } from '../core/text/printable.ts'
import type { ApiPorts } from './api-ports.ts'
import { addPage } from './browser/page-files.ts'
import { addPairing } from './browser/pairing.ts'
import { errorBody, failureReply } from './error-reply.ts'
import { passGate } from './gate.ts'
import { styleSource } from './html-page.ts'
import { issueSentence } from './issue-sentence.ts'
import { answerPath } from './links/answer-links.ts'
import { addAnswerPages } from './links/answer-page.ts'
import { metricsText } from './metrics-text.ts'
import { addActionOperations } from './operations/action-operations.ts'
import { actionAdder } from './operations/add-action.ts'
import { addFollowOperations } from './operations/follow-operations.ts'
import { addHookOperations } from './operations/hook-operations.ts'
import type { ApiContext, ApiEnv } from './operations/operation.ts'
import { addProcessOperations } from './operations/process-operations.ts'
import { addReadOperations } from './operations/read-operations.ts'
import { addRecordingOperations } from './operations/recording-operations.ts'
import { addSteering } from './operations/steer-operations.ts'
import { addTokenOperations } from './operations/token-operations.ts'
import { baseUrl } from './settings.ts'

/** So many requests with a wrong token are answered each minute; one with a valid token always is. */
const mostFailures = 100
const minuteMs = 60_000

function failureCount() {
  let [count, since] = [0, -Infinity]
  return {
    isTooMany(now: number): boolean {
      if (now >= since + minuteMs) [count, since] = [0, now]
      return ++count > mostFailures
    },
  }
}

/** A prompt may be long; a diff of the agent's own is not sent here. */
const mostBody = 1024 * 1024
/** Who pairs has shown no token yet: little of it is kept until it is whole. */
const mostForm = 1024

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'self'; frame-ancestors 'none'`,
  // Who opened the page in a window could lead it elsewhere while its reader is about to tap.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer` a browser sends `Origin: null` with the form of /pair, which the gate refuses.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export function createApi(ports: ApiPorts): OpenAPIHono<ApiEnv> {
  const { settings, hosts, tokens, complain, clock, linkCommand } = ports
  const app = new OpenAPIHono<ApiEnv>({
    defaultHook(result, c) {
      if (result.success) return undefined
      return c.json(errorBody('BAD_REQUEST', issueSentence(result.error.issues)), 400)
    },
  })
  const refused = (c: ApiContext, status: number, code: string, message: string): Response =>
    c.json(errorBody(code, message, status === 401 ? { linkCommand } : {}), status as 400)

  const failures = failureCount()
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value)
    const request = { method: c.req.method, path: c.req.path, headers: (name: string) => c.req.header(name) }
    const passed = passGate(request, settings, hosts, tokens.find)
    if ('refused' in passed) {
      const { status, code, message } = passed.refused
      complain(`the API refused a request: ${code}`, 'requests')
      if (status === 401 && failures.isTooMany(clock.now()))
        return refused(c, 429, 'TOO_MANY', 'too many requests with a wrong token: try again in a minute')
      if (status === 401) c.header('www-authenticate', 'Bearer realm="lull"')
      return refused(c, status, code, message)
    }
    if (ports.boxes) c.set('boxes', ports.boxes)
    if (passed.token) {
      c.set('token', passed.token)
      tokens.noteSeen(passed.token, clock.wall())
    }
    return next()
  })
  const limited = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: c => c.json(errorBody('TOO_LARGE', `a body may have ${maxSize / 1024} kB`), 413),
    })
  app.use('/pair', limited(mostForm))
  app.use(`${answerPath}*`, limited(mostForm))
  app.use(limited(mostBody))
  app.onError((error, c) => {
    const { status, body } = failureReply(error, complain)
    return c.json(body, status as 400)
  })
  app.notFound(c => notServed(app, c))

  app.get('/healthz', c => c.text('ok\n'))
  addPage(app)
  addPairing(app, ports)
  if (!settings.readOnly) addAnswerPages(app, ports)
  addReadOperations(app, ports)
  addProcessOperations(app, ports)
  addRecordingOperations(app, ports)
  addFollowOperations(app, ports)
  const action = actionAdder(app, ports)
  addActionOperations(action, ports)
  addSteering(app, action, ports)
  addTokenOperations(app, action, ports)
  addHookOperations(app, ports)
  addDocuments(app, ports)
  return app
}

function notServed(app: OpenAPIHono<ApiEnv>, c: ApiContext): Response {
  const methods = methodsOf(app, c.req.path)
  // A path of that form may name nothing: a file of the page from before an update.
  if (methods.length === 0 || methods.includes(c.req.method))
    return c.json(errorBody('NO_PATH', 'the API has no such path: /openapi.json lists them'), 404)
  c.header('allow', methods.join(', '))
  return c.json(
    errorBody('WRONG_METHOD', `this path takes ${methods.join(' and ')}, not ${oneLine(c.req.method, 20)}`),
    405,
  )
}

/** By which a path is served. */
function methodsOf({ routes }: OpenAPIHono<ApiEnv>, path: string): readonly string[] {
  const words = path.split('/')
  const isServed = (route: string): boolean => {
    const parts = route.split('/')
    return (
      parts.length === words.length && parts.every((part, at) => part.startsWith(':') || part === words[at])
    )
  }
  const served = routes.filter(route => route.method !== 'ALL' && isServed(route.path))
  return [...new Set(served.map(({ method }) => method))]
}

/** What is answered as plain text. */
const plainTexts = [
  {
    ...{ path: '/healthz', operationId: 'getHealth', media: 'text/plain' },
    summary: 'Whether the API answers; needs no token',
  },
  {
    ...{ path: '/metrics', operationId: 'getMetrics', media: 'text/plain; version=0.0.4' },
    summary: 'Counts for Prometheus',
    security: [{ token: [] }],
  },
]

/** What is made of the operations, and of the counts. */
function addDocuments(app: OpenAPIHono<ApiEnv>, ports: ApiPorts): void {
  app.get('/metrics', async c =>
    c.text(
      metricsText(
        // A box is scraped by itself.
        (await ports.lull.sessions()).filter(({ host }) => host === undefined),
        await ports.status(),
        { streams: ports.open.count('streams'), waits: ports.open.count('waits') },
        ports.clock.wall(),
      ),
      200,
      { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    ),
  )
  for (const { media, ...row } of plainTexts)
    app.openAPIRegistry.registerPath({
      ...{ method: 'get', ...row },
      responses: { 200: { description: row.summary, content: { [media]: { schema: { type: 'string' } } } } },
    })
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  app.get('/openapi.json', c =>
    c.json(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'lull',
          version: ports.version,
          description: 'Whether coding agents and terminals work, are idle, wait for a person or are stuck.',
          license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
        },
        servers: [{ url: baseUrl(ports.settings) }],
      }),
    ),
  )
}
