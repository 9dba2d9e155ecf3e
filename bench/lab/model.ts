/**
 * A scripted model on loopback. Agent CLIs talk to it instead of their provider; what it did stands in `events`, and a
 * bench compares it with what lull said.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { anthropic } from './anthropic.ts'
import { augment } from './augment.ts'
import { callFor } from './calls.ts'
import { chat } from './chat.ts'
import { directiveIn, type Step, stepOf } from './directive.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import { type ModelRequest, newTruth, now, type Truth } from './truth.ts'
import { object, type Reply, stallWords, string, type Wire } from './wire.ts'

export type Model = Pick<Truth, 'events' | 'next'> & {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string
  /** Ends everything that is still under way. */
  close(): Promise<void>
}

export type ModelOptions = {
  /** Decides each main request's answer; `undefined` leaves it to the prompt's directive. */
  readonly script?: (request: ModelRequest) => Step | undefined
}

const wires: readonly { readonly path: RegExp; readonly wire: Wire }[] = [
  { path: /\/v1\/messages$/, wire: anthropic },
  { path: /\/v1\/responses$/, wire: responses },
  { path: /\/v1\/chat\/completions$/, wire: chat },
  { path: /:(stream)?generateContent$/i, wire: gemini },
  { path: /\/chat-stream$/, wire: augment },
]

export async function startModel(options: ModelOptions = {}): Promise<Model> {
  const truth = newTruth()
  const numbered = numbering()
  const server = createServer((from, to) => {
    const path = new URL(from.url ?? '/', 'http://model').pathname
    const json = (status: number, body: object): void => {
      to.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    readJson(from)
      .then(body => {
        const wire = from.method === 'POST' ? wires.find(entry => entry.path.test(path))?.wire : undefined
        if (wire) return answer(wire, numbered(wire, { ...body, ...namedIn(path) }, from), to, truth, options)
        if (/\/count_tokens$/.test(path)) return json(200, { input_tokens: 1200 })
        if (/:countTokens$/.test(path)) return json(200, { totalTokens: 1200 })
        if (/\/models$/.test(path)) return json(200, { object: 'list', data: [], models: [] })
        return json(404, { error: { type: 'not_found_error', message: `nothing is at ${path}` } })
      })
      // The client has gone, or the script threw, which the truth tells whoever waits.
      .catch(() => to.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events: truth.events,
    next: truth.next,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

type Body = Readonly<Record<string, unknown>>

/** Gemini names the model, and whether the answer is a stream, in the path; Augment's path says that it is one. */
function namedIn(path: string): Body {
  const named = /([^/]+):(stream)?generateContent$/i.exec(path)
  if (named) return { model: named[1], stream: named[2] !== undefined }
  return /\/chat-stream$/.test(path) ? { stream: true } : {}
}

/** Reads requests and counts them. */
function numbering(): (wire: Wire, body: Body, from: IncomingMessage) => ModelRequest {
  let requests = 0
  let mains = 0
  return (wire, body, { headers }) => {
    const { turns, tools } = wire.read(body)
    const kind = tools.length === 0 ? 'side' : 'main'
    const nth = kind === 'main' ? ++mains : 0
    const asked = directiveIn(turns)
    return {
      id: ++requests,
      wire: wire.name,
      kind,
      nth,
      model: string(body.model),
      turns,
      tools,
      body,
      headers,
      ...asked,
    }
  }
}

async function answer(
  wire: Wire,
  request: ModelRequest,
  to: ServerResponse,
  truth: Truth,
  { script }: ModelOptions,
): Promise<void> {
  const gone = new AbortController()
  let isOver = false
  const finish = (last: string): void => {
    isOver = true
    to.end(last)
  }
  truth.record({ type: 'request', at: now(), request })
  to.on('close', () => {
    if (!isOver) truth.record({ type: 'abort', at: now(), request })
    gone.abort()
  })

  const step = stepFor(request, script, truth)
  if ('delay' in step && step.delay) await pause(step.delay, undefined, { signal: gone.signal })
  if ('status' in step) {
    const after = step.retryAfter === undefined ? {} : { 'retry-after': String(step.retryAfter) }
    to.writeHead(step.status, { 'content-type': 'application/json', ...after })
    finish(JSON.stringify(step.body ?? wire.error(step.status)))
    return truth.record({ type: 'error', status: step.status, at: now(), request })
  }

  const reply = replyTo(request, step)
  const endsTurn = request.kind === 'main' && !reply.call
  const isStream = request.body.stream === true
  to.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  to.flushHeaders()
  if ('stall' in step && step.stall === 'headers') return
  truth.record({ type: 'first-byte', at: now(), request })
  const last = isStream
    ? await stream(wire.frames(reply), to, gone.signal)
    : JSON.stringify(wire.whole(reply))
  if (last === 'stall') return
  finish(last)
  truth.record({ type: 'end', endsTurn, at: now(), request })
}

/** Writes the frames up to a pause at once. Returns what is left to write at the end, or that there is no end. */
async function stream(frames: ReturnType<Wire['frames']>, to: ServerResponse, gone: AbortSignal) {
  let pending = ''
  for (const frame of frames) {
    if (typeof frame === 'string' && frame !== 'stall') {
      pending += frame
      continue
    }
    to.write(pending)
    pending = ''
    if (frame === 'stall') return 'stall'
    await pause(frame.pause, undefined, { signal: gone })
  }
  return pending
}

function stepFor(request: ModelRequest, script: ModelOptions['script'], truth: Truth): Step {
  if (request.kind === 'side') return { say: 'A scripted title' }
  try {
    return script?.(request) ?? stepOf(request.directive, request.step)
  } catch (error) {
    truth.fail(error)
    throw error
  }
}

/** A wish for which the CLI offers no tool ends the turn with a message that says so. */
function replyTo(request: ModelRequest, step: Exclude<Step, { status: number }>): Reply {
  const { model } = request
  if ('stall' in step) return { model, text: stallWords, call: undefined, over: 0, stalls: true }
  if (!('call' in step))
    return { model, text: step.say, call: undefined, over: step.over ?? 0, stalls: false }
  const call = callFor(step.call, request.tools)
  const names = request.tools.map(tool => tool.name).join(', ')
  const text = call ? (step.say ?? '') : `There is no tool for ${step.call.tool} among ${names}.`
  return { model, text, call, over: 0, stalls: false }
}

async function readJson(from: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of from) chunks.push(chunk as Buffer)
  try {
    return object(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'))
  } catch {
    return {}
  }
}
