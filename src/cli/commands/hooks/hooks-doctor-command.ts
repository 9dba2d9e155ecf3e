/** `lull hooks doctor`: sends a test hook along the real path, and reports what keeps hooks from arriving. */

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { exitCode } from '../../../core/exit-codes.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { hookCommand } from '../../../hooks/hook-command.ts'
import { type HostNote, notedHosts } from '../../../hooks/host-notes.ts'
import { findCli } from '../../../hooks/install/cli-program.ts'
import {
  brokenSettings,
  type ForwarderState,
  type HookInspection,
  inspectForwarder,
  inspectHooks,
  installedHooks,
  senderOnPath,
} from '../../../hooks/install/inspect.ts'
import type { InstallPlace } from '../../../hooks/install/settings-path.ts'
import { probeEvent } from '../../../hooks/receiver.ts'
import { hostStatus, runningHost } from '../../../host/host-client.ts'
import { startHost } from '../../../host/start-host.ts'
import {
  type AgentName,
  connect,
  type Places,
  placesOf,
  whyRefused,
  whyRuntimeRefused,
} from '../../../index.ts'
import { homeFolder } from '../../../sessions/caller-context.ts'
import { hookFacts } from '../../../sessions/hints/hook-facts.ts'
import { type NoHooksCause, whyNoHooks } from '../../../sessions/hints/no-hooks-step.ts'
import { nameOf } from '../../../sessions/session-names.ts'
import type { LiveSession } from '../../../sessions/session-source.ts'
import { jsonLine, lines, print } from '../../ui/print.ts'
import { hookedAgent } from './hooks-install-command.ts'

type Flags = { readonly cli?: string; readonly json?: boolean }

type Finding = {
  readonly level: 'ok' | 'note' | 'wrong'
  readonly what: string
  /** What would be right. */
  readonly cure?: string
  /** One word for why a session's hooks do not arrive. */
  readonly cause?: NoHooksCause
}

export async function doctorCommand(named: string | undefined, flags: Flags): Promise<void> {
  const name = named === undefined ? undefined : hookedAgent(named).name
  const where: InstallPlace = { places: placesOf(), env: process.env, cwd: process.cwd() }
  const installed = installedHooks(where).filter(({ agent }) => name === undefined || agent === name)
  const [first] = installed
  const broken = brokenSettings(where).filter(({ agent }) => name === undefined || agent === name)
  const findings: Finding[] = [
    ...broken.map(({ problem }): Finding => ({ level: 'wrong', what: problem ?? '' })),
    ...(await aboutFiles(name, installed, where, flags.cli)),
  ]
  const refused = whyRuntimeRefused(where.places)
  if (refused !== undefined) findings.push({ level: 'wrong', what: refused })
  else {
    const unsafe = whyRefused(where.places.data)
    if (unsafe !== undefined) findings.push({ level: 'wrong', what: `the forwarder’s folder: ${unsafe}` })
    else if (first) findings.push(...(await aboutTheWay(where, first.agent)))
    findings.push(...(await aboutSessions(name, installed, where.places)))
  }
  if (flags.json) print(jsonLine({ findings }))
  else print(lines(...findings.map(line)))
  if (findings.some(({ level }) => level === 'wrong')) process.exitCode = exitCode.failed
}

const marks: Readonly<Record<Finding['level'], string>> = { ok: '✓', note: '·', wrong: '✗' }

const line = ({ level, what, cure }: Finding): string =>
  oneLine(`${marks[level]} ${what}${cure === undefined ? '' : `: ${cure}`}`, 1000)

async function aboutFiles(
  name: AgentName | undefined,
  installed: readonly HookInspection[],
  where: InstallPlace,
  cli: string | undefined,
): Promise<Finding[]> {
  if (installed.length === 0) {
    const who = name ?? 'any agent'
    return [
      {
        level: name === undefined ? 'note' : 'wrong',
        what: `no hooks are installed for ${who}`,
        cure: `lull hooks install ${name ?? 'AGENT'}`,
      },
    ]
  }
  const findings: Finding[] = []
  for (const { agent, scope } of installed) {
    const hooked = hookedAgent(agent)
    const program = await findCli(hooked, { env: where.env, given: cli })
    if (program?.behind !== undefined)
      findings.push({
        level: 'ok',
        what: `${agent}: ${program.path} is a wrapper, and starts ${program.behind}`,
      })
    findings.push(...aboutFile(inspectHooks(hooked, scope, where, program), program?.version))
  }
  return findings
}

function aboutFile(
  { agent, scope, file, inPlace, missing, stale, unknown, taken, untrusted, problem, off }: HookInspection,
  version: string | undefined,
): Finding[] {
  const again = `lull hooks install ${agent}${scope === 'project' ? ' --project' : ''}`
  const versioned = version === undefined ? agent : `${agent} ${version}`
  if (problem !== undefined) return [{ level: 'wrong', what: problem }]
  const found: Finding[] = [
    { level: 'ok', what: `${versioned}: hooks for ${inPlace.length} events in ${file}` },
  ]
  const add = (level: Finding['level'], events: readonly string[], what: string, cure: string) => {
    if (events.length > 0) found.push({ level, what: `${versioned}: ${what}: ${events.join(', ')}`, cure })
  }
  add('wrong', stale, 'hooks of an older lull, or with another path', again)
  add('note', missing, 'the installed version knows more events', again)
  add('wrong', unknown, 'the installed version does not know these (was it downgraded?)', again)
  add('wrong', untrusted, 'these hooks are not trusted yet', 'start the agent and trust them')
  add('note', taken, 'another program has the place of the hook', `it was left alone; see ${file}`)
  if (off !== undefined)
    found.push({ level: 'wrong', what: `${versioned}: ${off}`, cure: 'no hook runs until you change that' })
  return found
}

const forwarderWords: Readonly<Record<Exclude<ForwarderState, 'current'>, string>> = {
  old: 'belongs to an older lull',
  missing: 'is missing',
  'not executable': 'may not be executed',
  'not ours': 'is not lull’s',
}

/** The forwarder, what it sends with, the host; and a probe over all of them. */
async function aboutTheWay(where: InstallPlace, agent: AgentName): Promise<Finding[]> {
  const { places } = where
  const findings: Finding[] = []
  const state = inspectForwarder(where)
  if (state !== 'current') {
    const cure = `lull hooks install ${agent} writes it again`
    findings.push({
      level: 'wrong',
      what: `the forwarder ${places.forwarder} ${forwarderWords[state]}`,
      cure,
    })
  }
  const sender = senderOnPath(where.env)
  if (sender === undefined)
    findings.push({
      level: 'wrong',
      what: 'neither curl nor nc is installed',
      cure: 'hooks cannot send anything; install curl',
    })
  const wasRunning = (await runningHost(places)) !== undefined
  const host = await startHost(places).catch((error: Error) => error)
  if (host instanceof Error) return [...findings, { level: 'wrong', what: host.message }]
  const { received, refused, unauthorised, unplaced } = host.hooks
  findings.push({
    level: 'ok',
    what: `the host ${wasRunning ? 'runs' : 'was started'} (pid ${host.pid}): ${received} hooks received, ${refused} refused, ${unplaced} without a running agent`,
  })
  if (unauthorised > 0) {
    findings.push({
      level: 'wrong',
      what: `${unauthorised} hooks had a wrong token`,
      cure: `see ${places.state}/token`,
    })
  }
  if (unplaced > 0) {
    findings.push({
      level: 'note',
      what: `${unplaced} ${unplaced === 1 ? 'hook' : 'hooks'} belonged to no running agent, so lull ignored ${unplaced === 1 ? 'it' : 'them'}`,
      cure: `for agents and events, see ${places.state}/host.log`,
    })
  }
  findings.push(...aboutOtherHosts(places), await probe(where, agent))
  return findings
}

/** Runs the exact command from the agent's settings. */
async function probe({ places }: InstallPlace, agent: AgentName): Promise<Finding> {
  const id = randomUUID()
  const began = performance.now()
  const child = spawn('/bin/sh', ['-c', hookCommand(places.forwarder, agent, probeEvent)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', piece => {
      printed += piece
    })
  }
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify({ probe: id }))
  const [code] = (await once(child, 'close')) as [number | null]
  const took = performance.now() - began
  const { hooks } = await hostStatus(places.socket)
  if (code !== 0 || printed !== '')
    return { level: 'wrong', what: `the forwarder ended with ${code} and printed "${oneLine(printed, 100)}"` }
  if (hooks.probe === id)
    return { level: 'ok', what: `a probe hook arrived through the forwarder in ${took.toFixed(0)} ms` }
  for (const { pid, runtime } of othersThan(places)) {
    const status = await hostStatus(path.join(runtime, 'host.sock')).catch(() => undefined)
    if (status?.hooks.probe !== id) continue
    const cure = `stop this host with lull host stop, or use the other with LULL_RUNTIME_DIR=${runtime} lull ps`
    return {
      level: 'wrong',
      what: `a probe hook reached another host of yours, in ${runtime} (pid ${pid})`,
      cure,
    }
  }
  return { level: 'wrong', what: 'a probe hook did not arrive', cure: `it was sent to ${places.socket}` }
}

/** Only where this user alone could listen. */
const othersThan = (places: Places): readonly HostNote[] =>
  notedHosts(places).filter(({ runtime }) => runtime !== places.runtime && whyRefused(runtime) === undefined)

function aboutOtherHosts(places: Places): Finding[] {
  return othersThan(places).map(({ pid, runtime }) => ({
    level: 'note',
    what: `another host of yours runs in ${runtime} (pid ${pid})`,
    cure: `agents with that LULL_RUNTIME_DIR send their hooks there; to see them: LULL_RUNTIME_DIR=${runtime} lull ps`,
  }))
}

async function aboutSessions(
  name: AgentName | undefined,
  installed: readonly HookInspection[],
  places: Places,
): Promise<Finding[]> {
  const named = new Set<string>(installed.map(({ agent }) => agent))
  await using lull = await connect()
  const concerned = (await lull.sessions()).filter(
    ({ agent, session }) => (name === agent || named.has(agent)) && session.verdict.state.kind !== 'exited',
  )
  const found: Finding[] = []
  for (const session of concerned) found.push(...(await aboutSession(session, places)))
  return found
}

async function aboutSession(session: LiveSession, places: Places): Promise<Finding[]> {
  const who = nameOf(session, homeFolder())
  const { degraded } = session.session.facts
  if (degraded !== undefined)
    return [{ level: 'wrong', what: `${who}: some files could not be read: ${degraded}` }]
  if (session.hooks === 'heard') return [{ level: 'ok', what: `${who}: hooks arrive` }]
  const facts = await hookFacts(session, places, Date.now())
  if (!facts) return []
  const { level, what, cure, cause } = whyNoHooks(facts)
  const blind = session.hooks === 'blind' && cause !== 'not known' ? ' is hook-blind' : ''
  return [{ level, what: `${who}${blind}: ${what}`, cause, ...(cure === undefined ? {} : { cure }) }]
}
