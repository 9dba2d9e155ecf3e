/**
 * `npm run fleet:demo [-- --once]`: a fleet on one machine. A real NATS server with keys; three machines, each in a process namespace
 * of its own with a real agent on a scripted model; and one that looks, whose page it opens. Ctrl-C ends all of it. `--once` prints
 * what `lull ps --fleet` shows, and ends. Exits 0 with the reason where something that it needs is not installed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { natsServers } from '../scripts/nats-servers.ts'
import { isInLab, type LabCli } from '../scripts/setup-lab.ts'
import { keyFolder } from '../src/fleet/nats/key-folder.ts'
import type { MachineOptions, MachineReply } from './fleet/demo-machine.ts'
import { freePort } from './free-port.ts'

const words = process.argv.slice(2)
const isOnce = words.includes('--once')
const odd = words.find(word => word !== '--once')
if (odd !== undefined) {
  process.stderr.write(
    `fleet-demo: ${odd} is no flag of it; npm run fleet:demo -- --once shows the fleet and ends\n`,
  )
  process.exit(2)
}

/** What each agent is asked, and what its row then says. That it is idle would not do: it is so at its first prompt, too. */
const cast = {
  red: {
    cli: 'claude',
    hooks: true,
    prompt: 'Publish the release [[touch:published]]',
    shown: 'waiting/permission',
  },
  blue: { cli: 'codex', hooks: true, prompt: 'Write the manual [[long:900]]', shown: 'working' },
  green: { cli: 'opencode', hooks: false, prompt: 'Say hello [[short]]', shown: 'done' },
} as const satisfies Record<string, MachineOptions['agent'] & { readonly shown: string }>

/** For the agents to be shown as they are, once they are. ms */
const patience = 60_000

const say = (line: string): void => void process.stderr.write(`fleet-demo: ${line}\n`)

function skip(why: string): never {
  say(`nothing is shown: ${why}`)
  process.exit(0)
}

const server = natsServers().at(-1)
if (spawnSync('tmux', ['-V']).status !== 0) skip('tmux is not installed, and the agents run in it')
if (!server) skip('nats-server is not installed: npm run setup-bench -- --tests installs it')
const missing = Object.values(cast).flatMap(({ cli }): LabCli[] => (isInLab(cli) ? [] : [cli]))
if (missing.length > 0)
  skip(`${missing.join(' and ')} must be in the lab: npm run lab -- ${missing.join(' ')} installs it`)

/** A namespace ends with all that runs in it. */
const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
const namespace = ['unshare', ...user, '--pid', '--fork', '--mount-proc', '--kill-child']
const isApart = spawnSync(namespace[0] as string, [...namespace.slice(1), 'true']).status === 0
if (!isApart)
  say('no process namespaces can be made here (unshare, as root): each machine shows the agents of all')

const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-fleet-')))
const started: ChildProcess[] = []
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
const stopped = once(stop.signal, 'abort')

try {
  await Promise.race([play(), stopped])
  if (!isOnce) await stopped
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
} finally {
  await Promise.all(started.map(end))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function play(): Promise<void> {
  const keys = keyFolder(path.join(folder, 'keys'), process.env)
  keys.init()
  const names = Object.keys(cast) as (keyof typeof cast)[]
  const creds = new Map([
    ...names.map(name => [name, keys.add(name, ['host'])] as const),
    ['page', keys.add('page', ['operator'])] as const,
  ])
  const url = await startServer(keys.configFile)
  say(`NATS server ${server?.version} at ${url}; three machines begin`)
  const machine = (name: string, agent?: MachineOptions['agent']) =>
    startMachine({ name, url, creds: creds.get(name as 'page') ?? '', ...(agent ? { agent } : {}) })
  // Who looks makes the list of hosts at the server.
  const look = await machine('page')
  await Promise.all(names.map(name => machine(name, cast[name])))
  process.stdout.write(await shown(look))
  if (isOnce) return
  const port = await freePort()
  const served = await look(['serve', '--on', 'fleet', '--port', `${port}`, '--open'])
  process.stdout.write(`\n${served.stdout}`)
  say('Ctrl-C ends all')
}

/** On a loopback port, with the users of the fleet. */
async function startServer(users: string): Promise<string> {
  const port = await freePort()
  const file = path.join(folder, 'hub.conf')
  const lines = [
    `listen: 127.0.0.1:${port}`,
    `jetstream { store_dir: "${folder}/store" }`,
    `include "${path.relative(folder, users)}"`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  started.push(spawn(server?.file ?? '', ['-c', file], { stdio: 'ignore', detached: true }))
  return `nats://127.0.0.1:${port}`
}

type Ask = (words: readonly string[]) => Promise<MachineReply>

/** In a session of its own: Ctrl-C is not for it. */
async function startMachine(options: MachineOptions): Promise<Ask> {
  stop.signal.throwIfAborted()
  const home = path.join(folder, options.name)
  mkdirSync(home)
  const program = [
    process.execPath,
    path.join(import.meta.dirname, 'fleet/demo-machine.ts'),
    JSON.stringify(options),
  ]
  const [command = '', ...args] = isApart ? [...namespace, ...program] : program
  const child = spawn(command, args, {
    env: { ...process.env, TMPDIR: home },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  })
  started.push(child)
  const over = new AbortController()
  child.once('exit', code => over.abort(new Error(`${options.name} ended with ${code}`)))
  const reply = async (): Promise<MachineReply> => {
    const [answer] = await once(child, 'message', { signal: over.signal })
    return answer as MachineReply
  }
  await reply()
  return async given => {
    const answer = reply()
    child.send(given)
    return answer
  }
}

/** The list itself that shows each agent as it is: the next one may be of a moment of doubt. */
async function shown(look: Ask): Promise<string> {
  const deadline = performance.now() + patience
  for (;;) {
    const { stdout, stderr } = await look(['ps', '--fleet'])
    const rows = stdout.split('\n')
    const isShown = Object.entries(cast).every(([name, { shown }]) =>
      rows.some(row => row.includes(`@${name}`) && row.includes(shown)),
    )
    if (isShown) return stdout
    if (performance.now() > deadline)
      throw new Error(`the agents are not shown as they are: ${stdout}${stderr}`)
    await pause(200)
  }
}

/** A machine puts its own things in order once nobody gives it orders; what does not end in time is killed. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  else child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}
