/** Two hundred processes, fifty of them agents: real processes, real transcripts, real hooks. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { forwarderText } from '../../src/hooks/forwarder.ts'

export type StandIn = {
  readonly agent: 'claude' | 'codex' | 'gemini'
  readonly pid: number
  readonly transcript: string
  /** A prompt is taken: its line, and its hook where hooks are installed. */
  prompt(): void
  /** The turn ends. */
  finish(): void
}

export type Crowd = {
  readonly home: string
  /** What a lull of this crowd runs with. */
  readonly env: NodeJS.ProcessEnv
  readonly agents: readonly StandIn[]
  /** Processes that are no agents. */
  readonly others: readonly number[]
  startAgents(count: number): readonly StandIn[]
  startOthers(count: number): void
  close(): void
}

const script = path.join(import.meta.dirname, 'stand-in.sh')

/** Processes that look a little like agents, and are none: a shell that waits, called by these words. */
const others: readonly (readonly [string, ...string[]])[] = [
  ['sleep'],
  ['vim', 'claude.md'],
  ['tail', '-s', '/home/dev/.claude/projects/x/y.jsonl'],
  ['bash', '-c', 'read -r _; claude --version'],
  ['claude', 'mcp', 'serve'],
  ['codex', 'app-server', '--listen', 'unix://'],
  ['node', 'server.js', '/usr/bin/claude'],
  ['claudette'],
]

/** @param webhook who is told of each turn that ends, of each dialog and each failure */
export function gather(webhook: string): Crowd {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-crowd-')))
  const config = path.join(home, '.config/lull')
  mkdirSync(config, { recursive: true, mode: 0o700 })
  writeFileSync(path.join(config, 'notify.yaml'), rulesTo(webhook), { mode: 0o600 })
  const runtime = path.join(home, 'run')
  const forwarder = path.join(home, 'hook')
  writeFileSync(forwarder, forwarderText({ socket: path.join(runtime, 'host.sock') }))
  chmodSync(forwarder, 0o755)
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, LULL_RUNTIME_DIR: runtime, XDG_STATE_HOME: path.join(home, 'state') }
  const children: ChildProcess[] = []
  const agents: StandIn[] = []
  const bystanders: number[] = []

  function startAgent(number: number): StandIn {
    const agent = (['claude', 'claude', 'codex', 'gemini'] as const)[number % 4] ?? 'claude'
    const cwd = path.join(home, `project-${number}`)
    mkdirSync(cwd, { recursive: true })
    const child = spawn('/bin/sh', [script], {
      argv0: agent,
      cwd,
      env: { ...env, FORWARDER: forwarder, AGENT: agent },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    children.push(child)
    const order = (text: string) => child.stdin?.write(`${text}\n`)
    return { agent, pid: child.pid as number, ...voices[agent](home, cwd, number, order) }
  }

  return {
    home,
    env,
    agents,
    others: bystanders,
    startAgents(count) {
      const started = Array.from({ length: count }, (_, i) => startAgent(agents.length + i))
      agents.push(...started)
      return started
    },
    startOthers(count) {
      for (let i = 0; i < count; i++) {
        const [argv0, ...args] = others[i % others.length] as (typeof others)[number]
        // The first word is the script that the shell runs, where it is no option of the shell's.
        if (args[0] && !args[0].startsWith('-')) writeFileSync(path.join(home, args[0]), 'read -r _\n')
        const child = spawn('/bin/sh', args, { argv0, env, cwd: home, stdio: ['pipe', 'ignore', 'inherit'] })
        children.push(child)
        bystanders.push(child.pid as number)
      }
    },
    close() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const rulesTo = (webhook: string): string => `to:
  here: { webhook: '${webhook}' }
rules:
  - when: [waiting, done, failed, stuck, exited]
    after: 0s
    lasted: 0s
`

type Voice = (
  home: string,
  cwd: string,
  number: number,
  order: (text: string) => void,
) => Pick<StandIn, 'transcript' | 'prompt' | 'finish'>

const stamp = (): string => new Date().toISOString()
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Claude tells by hooks and transcript; Codex and Gemini by their files alone. */
const voices: Readonly<Record<StandIn['agent'], Voice>> = {
  claude(home, cwd, number, order) {
    const session = idOf(number)
    const folder = path.join(home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
    mkdirSync(folder, { recursive: true })
    const file = path.join(folder, `${session}.jsonl`)
    let turn = 0
    const common = () => ({ session_id: session, prompt_id: `p${turn}`, transcript_path: file, cwd })
    const hook = (event: string, more: object) =>
      order(`hook ${JSON.stringify({ hook_event_name: event, ...common(), ...more })}`)
    const line = (row: object) =>
      order(`line ${file} ${JSON.stringify({ cwd, sessionId: session, timestamp: stamp(), ...row })}`)
    return {
      transcript: file,
      prompt() {
        turn++
        line({ type: 'user', message: { role: 'user', content: 'go on' } })
        hook('UserPromptSubmit', { prompt: `go on ${turn}` })
      },
      finish() {
        const message = {
          role: 'assistant',
          stop_reason: 'end_turn',
          content: [{ type: 'text', text: 'done' }],
        }
        line({ type: 'assistant', message })
        hook('Stop', { last_assistant_message: 'done' })
      },
    }
  },
  codex(home, cwd, number, order) {
    const folder = path.join(home, '.codex/sessions/2026/01/01')
    mkdirSync(folder, { recursive: true })
    const file = path.join(folder, `rollout-2026-01-01T00-00-00-${idOf(number)}.jsonl`)
    const row = (type: string, payload: object) => `${JSON.stringify({ timestamp: stamp(), type, payload })}`
    let turn = 0
    return {
      transcript: file,
      prompt() {
        turn++
        if (turn === 1) order(`line ${file} ${row('session_meta', { id: idOf(number), cwd })}`)
        order(`line ${file} ${row('event_msg', { type: 'task_started', turn_id: `t${turn}` })}`)
      },
      finish() {
        order(
          `line ${file} ${row('event_msg', { type: 'task_complete', turn_id: `t${turn}`, last_agent_message: 'done' })}`,
        )
      },
    }
  },
  gemini(home, cwd, number, order) {
    const folder = path.join(home, '.gemini/tmp', path.basename(cwd), 'chats')
    mkdirSync(folder, { recursive: true })
    const file = path.join(folder, `session-${number}.jsonl`)
    const row = (more: object) => JSON.stringify({ timestamp: stamp(), ...more })
    return {
      transcript: file,
      prompt: () => order(`line ${file} ${row({ id: `u${number}`, type: 'user', cwd, content: 'go on' })}`),
      finish: () => order(`line ${file} ${row({ id: `g${number}`, type: 'gemini', content: 'done' })}`),
    }
  },
}
