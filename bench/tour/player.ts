/** Plays the steps of the tour: two real CLIs and a shell in tmux, and beside them a shell in which their person types lull's commands. */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { below, signal } from '../day/below.ts'
import { environmentOf, labAgent } from '../lab/agents.ts'
import type { Step } from '../lab/directive.ts'
import type { LabAgent } from '../lab/lab-agent.ts'
import { type Model, startModel } from '../lab/model.ts'
import { newPlace } from '../lab/place.ts'
import { startTerminal } from '../lab/terminal.ts'
import { isMainRequest, type ModelRequest, now } from '../lab/truth.ts'
import { type Act, answers, files, type TourStep, type Window } from './steps.ts'

const run = promisify(execFile)
const lullBin = path.resolve(import.meta.dirname, '../../bin/lull.js')

/** The longest that anything takes, ms. */
const patience = 90_000

/** How often the screen is read while waiting, ms. */
const glance = 100

/** Codex shows its folder at the end of its footer once it can be typed to. */
const ready = { web: /\? for shortcuts/, api: /› [^\n]*\n[\s\S]*·[^\n]*\/api/ }

const cliOf = { web: 'claude', api: 'codex' } as const

type Played = { readonly printed: string; readonly code: number }

export type Player = {
  readonly home: string
  play(step: TourStep): Promise<Played>
  /** Of the sessions, those that began first before the others. */
  ids(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The answer to the last prompt that the tour knows, by how often the model has spoken since. */
function answerTo({ turns }: Pick<ModelRequest, 'turns'>): Step | undefined {
  const index = turns.findLastIndex(({ role, text }) => role === 'user' && promptIn(text) !== undefined)
  const prompt = promptIn(turns[index]?.text ?? '')
  if (prompt === undefined) return undefined
  const spoken = turns.slice(index + 1).filter(({ role }) => role === 'assistant').length
  return answers[prompt]?.[spoken]
}

const promptIn = (text: string): string | undefined =>
  Object.keys(answers).find(prompt => text.includes(prompt))

export async function startPlayer(): Promise<Player> {
  const model = await startModel({ script: answerTo })
  const { home, agents, env, remove } = furnish(model)
  const shell = ['/bin/bash', '--noprofile', '--norc', '-i']
  const terminal = await startTerminal({ command: shell, cwd: home, env })
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-u', '-S', terminal.socket, ...args], { env })).stdout.trimEnd()
  await tmux('rename-session', 'day')
  await tmux('rename-window', 'lull')
  for (const [name, folder] of [
    ['web', 'web'],
    ['api', 'api'],
    ['build', 'web'],
  ] as const)
    await tmux('new-window', '-d', '-e', 'PS1=$ ', '-n', name, '-c', path.join(home, folder), '--', ...shell)

  // Somebody looks at it, as `lull go` wants it.
  const client = spawn('tmux', ['-S', terminal.socket, '-C', 'attach-session', '-t', 'day'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const screen = (window: Window, ...more: readonly string[]) =>
    tmux('capture-pane', '-p', '-J', '-t', `day:${window}`, ...more)
  const type = async (window: Window, text: string): Promise<void> => {
    await tmux('send-keys', '-t', `day:${window}`, '-l', '--', text)
  }
  const press = async (window: Window, key: string): Promise<void> => {
    await tmux('send-keys', '-t', `day:${window}`, '--', key)
  }
  const shows = async (window: Window, match: RegExp): Promise<string> => {
    const deadline = performance.now() + patience
    for (;;) {
      const text = await screen(window, '-S', '-')
      if (match.test(text)) return text
      if (performance.now() > deadline) throw new Error(`${window} did not show ${match}:\n${text}`)
      await pause(glance)
    }
  }
  const hands = { type, press, shows, tmux }
  return {
    home,
    async play(step) {
      for (const act of step.before ?? []) await perform(act, { ...hands, agents, model, env })
      return await typed(step, hands)
    },
    ids: async () =>
      (await sessionsOf(env)).toSorted((a, b) => Number(a.pid) - Number(b.pid)).map(({ id }) => String(id)),
    async close() {
      await run(process.execPath, [lullBin, 'host', 'stop'], { env }).catch(() => undefined)
      client.stdin.end()
      await terminal.close()
      await model.close()
      await remove()
    },
  }
}

/** A home with both CLIs, lull, two folders to work in, and nothing of who plays the tour. */
function furnish(model: Model) {
  const place = newPlace()
  const { home } = place
  const agents = {
    web: labAgent('claude', { ...place, work: path.join(home, 'web') }, model.url),
    api: labAgent('codex', { ...place, work: path.join(home, 'api') }, model.url),
  }
  const contents = { ...agents.web.files, ...agents.api.files, ...files }
  for (const [file, content] of Object.entries(contents)) place.put(file, content)
  const bin = path.join(home, '.local/bin')
  mkdirSync(bin, { recursive: true })
  for (const { name, command } of Object.values(agents))
    symlinkSync(command[0] as string, path.join(bin, name))
  chmodSync(place.put('.local/bin/lull', `#!/bin/sh\nexec ${process.execPath} ${lullBin} "$@"\n`), 0o755)
  const common = environmentOf(agents.web, place)
  const env: Record<string, string> = {
    ...environmentOf(agents.api, place),
    ...common,
    PATH: `${bin}:${common.PATH}`,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    TERM: 'xterm-256color',
    NO_COLOR: '1',
    // By its number each prompt is told from the one before.
    PS1: '[\\#:$?] $ ',
  }
  return { home, agents, env, remove: () => place.remove() }
}

type Hands = {
  type(window: Window, text: string): Promise<void>
  press(window: Window, key: string): Promise<void>
  /** The first screen that matches, with what has scrolled away. */
  shows(window: Window, match: RegExp): Promise<string>
  tmux(...args: readonly string[]): Promise<string>
}

const prompt = /\[(\d+):(\d+)\] \$ ?$/

/** Types a command into the person's shell. What it prints stands between the prompt that it was typed at and the next. */
async function typed({ command, screen }: TourStep, { type, press, shows, tmux }: Hands): Promise<Played> {
  await type('lull', 'clear')
  await press('lull', 'Enter')
  const [, number = ''] = prompt.exec((await shows('lull', /^\[\d+:\d+\] \$\s*$/)).trimEnd()) ?? []
  await tmux('clear-history', '-t', 'day:lull')
  await type('lull', command)
  await press('lull', 'Enter')
  const shown = screen && (await shows('lull', screen))
  if (screen) await press('lull', 'q')
  const next = Number(number) + 1
  const all = (await shows('lull', new RegExp(`\\[${next}:\\d+\\] \\$\\s*$`))).trimEnd()
  const [last, , code] = prompt.exec(all) ?? ['', '', '-1']
  const [, ...rows] = all.slice(0, all.length - last.length).split('\n')
  return { printed: shown ?? rows.join('\n'), code: Number(code) }
}

type Cast = Hands & {
  readonly agents: Readonly<Record<'web' | 'api', LabAgent>>
  readonly model: Model
  readonly env: Readonly<Record<string, string>>
}

async function perform(act: Act, { type, press, shows, tmux, agents, model, env }: Cast): Promise<void> {
  if ('start' in act) {
    const { trustsHooks } = agents[act.start]
    await type(act.start, [cliOf[act.start], ...trustsHooks].join(' '))
    await press(act.start, 'Enter')
    await shows(act.start, ready[act.start])
  } else if ('prompt' in act) {
    await type(act.prompt, act.text)
    await shows(act.prompt, new RegExp(act.text.replaceAll(' ', '\\s')))
    // An Enter right behind a paste is a line of it.
    await pause(300)
    const since = now()
    await press(act.prompt, 'Enter')
    await model.next(isMainRequest, patience, since)
  } else if ('put' in act) {
    writeFileSync(path.join(env.HOME as string, act.put), '')
  } else if ('kill' in act) {
    const shell = Number(await tmux('display-message', '-p', '-t', `day:${act.kill}`, '#{pane_pid}'))
    for (const pid of below(shell)) signal(pid, 'SIGKILL')
  } else await until(act, env)
}

type Session = Readonly<Record<string, unknown>>

async function sessionsOf(env: Cast['env']): Promise<readonly Session[]> {
  const { stdout } = await run(process.execPath, [lullBin, 'ps', '--json'], { env })
  return (JSON.parse(stdout) as { readonly sessions: readonly Session[] }).sessions
}

type Until = Extract<Act, { readonly until: unknown }>

async function until({ until: name, state, doing }: Until, env: Cast['env']): Promise<void> {
  const deadline = performance.now() + patience
  for (;;) {
    const sessions = await sessionsOf(env)
    const session = sessions.find(({ agent }) => agent === cliOf[name])
    if (session?.state === state && (doing === undefined || session.doing === doing)) return
    if (performance.now() > deadline)
      throw new Error(`${name} did not come to ${state}:\n${JSON.stringify(sessions)}`)
    await pause(glance)
  }
}
