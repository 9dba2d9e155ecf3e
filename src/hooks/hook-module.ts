/** A module of our own that an agent loads, where it has no hook commands but calls functions. */
import type { HookedPlan } from '../agents/kit/hook-plan.ts'
import { probeVariable } from '../os/proc/command-line.ts'
import { fileMark, heldSilence } from './hook-command.ts'

export type ModuleOptions = {
  /** The host's socket at the time of the installation: tried first unless `LULL_RUNTIME_DIR` is set. */
  readonly socket: string
  /** Where hosts note that they run, also those in other runtime folders. */
  readonly notes?: string
  readonly events: readonly string[]
}

/** The module of an agent by its plan; empty if the agent loads none. */
export function moduleText(
  { name, hooks: { format } }: HookedPlan,
  { socket, notes = '', events }: ModuleOptions,
): string {
  return format.kind === 'module' ? sending(name, socket, notes) + format.body(events) : ''
}

/**
 * Sends reports one after the other, so that they arrive in their order, and never makes the agent wait: where nobody
 * listens a report is dropped, and so are the oldest where they come faster than they go. One with `answer` is held by the
 * host, as a forwarder's is (forwarder.ts): the next are sent meanwhile.
 */
const sending = (
  agent: string,
  socket: string,
  notes: string,
): string => `// ${fileMark}. Changes are lost at its next run.
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import http from 'node:http'
import { basename, dirname, isAbsolute, join } from 'node:path'

const { HOME, LULL_RUNTIME_DIR, XDG_STATE_HOME } = process.env
const stateFolder = XDG_STATE_HOME || (HOME ? join(HOME, '.local/state') : '')
// Where a host may be: as the environment says, where it was when this was installed, and where hosts note that they run.
const sockets = [...(LULL_RUNTIME_DIR ? [join(LULL_RUNTIME_DIR, 'host.sock')] : []), ${JSON.stringify(socket)}]
const noteFolders = [${JSON.stringify(notes)}, stateFolder && join(stateFolder, 'lull/hosts')].filter(Boolean)
const headers = { 'content-type': 'application/json', 'lull-pid': String(process.pid) }
if (process.env.TMUX_PANE) headers['lull-pane'] = process.env.TMUX_PANE

const waiting = []
let isSending = false

// \`answer\` is called with what the host answers, if it does.
function report(event, payload, answer) {
  try {
    // What lull itself asks something is nobody's session.
    if (process.env.${probeVariable}) return
    const body = JSON.stringify(payload)
    if (body === undefined || body.length > 1000000) return
    waiting.push([event, body, answer])
    if (waiting.length > 200) waiting.shift()
    if (!isSending) send()
  } catch {}
}

// The beginning of a text, and of the texts of a tool's input: a whole file may stand there.
function begun(value) {
  if (typeof value === 'string') return value.slice(0, 500)
  if (typeof value !== 'object' || value === null) return undefined
  const texts = Object.entries(value).filter(([, text]) => typeof text === 'string')
  return Object.fromEntries(texts.map(([name, text]) => [name, text.slice(0, 500)]))
}

// The socket, if it is this user's and nobody else could listen there: its folder is this user's and no link, each folder
// above it is this user's or the system's, and others may write in none of them, unless one above is sticky.
function ownSocket(installedPath) {
  const named = dirname(installedPath)
  if (!isAbsolute(named) || lstatSync(named).isSymbolicLink()) return undefined
  const folder = realpathSync(named)
  const [own, system] = [process.getuid(), lstatSync('/').uid]
  const socket = join(folder, basename(installedPath))
  if (lstatSync(folder).uid !== own || lstatSync(socket).uid !== own) return undefined
  for (let at = folder; ; at = dirname(at)) {
    const { uid, gid, mode } = lstatSync(at)
    if (uid !== own && uid !== 0 && uid !== system) return undefined
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)
    const isSticky = (mode & 0o1000) !== 0
    if (isOpen && (at === folder || !isSticky)) return undefined
    if (at === '/') return socket
  }
}

function attempt(act) {
  try {
    return act()
  } catch {}
}

// A small file of this user's and nothing else: whatever stands there, nobody waits for it.
function readOwn(file) {
  const stat = lstatSync(file)
  return stat.isFile() && stat.uid === process.getuid() && stat.size < 5000 ? readFileSync(file, 'utf8') : undefined
}

// Whether the process of its lock lives: a pid alone may be another's by now.
function isLiving(socket) {
  const { pid, start } = attempt(() => JSON.parse(readOwn(join(dirname(socket), 'host.lock')))) ?? {}
  if (!pid || !start) return true
  const stat = attempt(() => readFileSync('/proc/' + Number(pid) + '/stat', 'latin1')) ?? ''
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === start
}

function* noted() {
  for (const folder of noteFolders)
    for (const name of attempt(() => readdirSync(folder)) ?? []) {
      const at = attempt(() => readOwn(join(folder, name)))
      if (at) yield join(at.trimEnd(), 'host.sock')
    }
}

// The first host that lives; else one whose process can't be seen from here (in a container).
function findHost() {
  let silent
  for (const paths of [sockets, noted()])
    for (const path of paths) {
      const socket = attempt(() => ownSocket(path))
      if (socket && isLiving(socket)) return socket
      silent ??= socket
    }
  return silent
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
    const socketPath = findHost()
    if (!socketPath) return done()
    const [event, body, answer] = next
    const path = '/hooks/${agent}?event=' + encodeURIComponent(event)
    const how = answer ? { headers: { ...headers, 'lull-hold': 'yes' }, timeout: ${1000 * heldSilence} } : { headers, timeout: 1000 }
    const request = http.request({ socketPath, path, method: 'POST', agent: false, ...how }, response => {
      if (!answer || response.statusCode !== 200) return response.on('error', done).on('end', done).resume()
      done()
      let text = ''
      response.setEncoding('utf8').on('data', piece => (text += piece)).on('error', () => {})
      response.on('end', () => attempt(() => answer(JSON.parse(text.trim().split('\\n').at(-1)))))
    })
    request.on('error', done).on('close', done).on('timeout', () => request.destroy())
    request.end(body)
  } catch {
    done()
  }
}
`
