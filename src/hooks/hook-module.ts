/** A module of our own that an agent loads, where it has no hook commands but calls functions. */
import type { Agent } from '../agents/kit/agent.ts'
import { fileMark } from './hook-command.ts'

export type ModuleOptions = {
  /** The host's socket where `LULL_RUNTIME_DIR` says nothing else. */
  readonly socket: string
  readonly events: readonly string[]
}

/** The module of an agent whose plan says how it calls; empty where it loads none. */
export function moduleText({ name, hooks: { format } }: Agent, { socket, events }: ModuleOptions): string {
  return format.kind === 'module' ? sending(name, socket) + format.body(events) : ''
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
