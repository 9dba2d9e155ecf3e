/** Modules of our own that OpenCode and pi load: they have no hook commands, but call functions. */
import { fileMark } from './hook-command.ts'

export type ModuleOptions = {
  /** The host's socket where `LULL_RUNTIME_DIR` says nothing else. */
  readonly socket: string
  readonly events: readonly string[]
}

export function moduleText(module: 'opencode' | 'pi', options: ModuleOptions): string {
  return module === 'opencode' ? opencodePlugin(options) : piExtension(options)
}

/**
 * Sends reports one after the other, so that they arrive in their order, and never makes the agent wait: where nobody
 * listens a report is dropped, and so are the oldest where they come faster than they go. `later` gives the payload.
 */
const sending = (agent: string, socket: string): string => `// ${fileMark}. Changes are lost at its next run.
import http from 'node:http'

const runtime = process.env.LULL_RUNTIME_DIR
const socketPath = runtime ? runtime + '/host.sock' : ${JSON.stringify(socket)}
const headers = { 'content-type': 'application/json', 'lull-pid': String(process.pid) }
if (process.env.TMUX_PANE) headers['lull-pane'] = process.env.TMUX_PANE

const waiting = []
let isSending = false

function report(event, payload) {
  try {
    const body = JSON.stringify(payload)
    if (body === undefined || body.length > 1000000) return
    waiting.push([event, body])
    if (waiting.length > 200) waiting.shift()
    if (!isSending) send()
  } catch {}
}

function send() {
  const next = waiting.shift()
  isSending = next !== undefined
  if (!next) return
  let isDone = false
  const done = () => {
    if (!isDone) isDone = true, send()
  }
  try {
    const path = '/hooks/${agent}?event=' + encodeURIComponent(next[0])
    const request = http.request({ socketPath, path, method: 'POST', headers, timeout: 1000 }, answer => {
      answer.on('error', done).on('end', done).resume()
    })
    request.on('error', done).on('close', done).on('timeout', () => request.destroy())
    request.end(next[1])
  } catch {
    done()
  }
}
`

const opencodePlugin = ({ socket, events }: ModuleOptions): string => `${sending('opencode', socket)}
const events = new Set(${JSON.stringify(events)})

export const Lull = async () => ({
  event: async ({ event }) => {
    if (events.has(event?.type)) report(event.type, event.properties ?? {})
  },
  'chat.message': async input => report('chat.message', { sessionID: input?.sessionID }),
  'tool.execute.before': async ({ tool, sessionID, callID }) =>
    report('tool.execute.before', { tool, sessionID, callID }),
  'tool.execute.after': async ({ tool, sessionID, callID }) =>
    report('tool.execute.after', { tool, sessionID, callID }),
})
`

const piExtension = ({ socket, events }: ModuleOptions): string => `${sending('pi', socket)}
// Of a message, what tells how it ended and its last words.
function brief({ role, stopReason, errorMessage, model, usage, content }) {
  const text = Array.isArray(content) ? content.findLast(block => block?.type === 'text')?.text : content
  const last = typeof text === 'string' ? [{ type: 'text', text: text.slice(-4000) }] : []
  return { role, stopReason, errorMessage, model, usage, content: last }
}

export default function (pi) {
  for (const name of ${JSON.stringify(events)}) {
    pi.on(name, (event, context) => {
      if (name === 'session_start') {
        const id = context?.sessionManager?.getSessionId?.()
        if (id) report('session', { id, cwd: context.cwd })
      }
      const { reason, toolName, message } = event ?? {}
      report(name, { reason, toolName, ...(message ? { message: brief(message) } : {}) })
    })
  }
}
`
