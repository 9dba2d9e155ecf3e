/** Runs a CLI of the lab: in a terminal, or headless. A place of its own each time, and nothing of it is left behind. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { environmentOf, labAgent } from './agents.ts'
import type { LabAgent } from './lab-agent.ts'
import type { Model } from './model.ts'
import { newPlace, type Place } from './place.ts'
import { startTerminal, type Terminal } from './terminal.ts'
import { isMainRequest, type ModelEvent, now } from './truth.ts'

export type Options = {
  readonly model: Model
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /**
   * Somebody else's, who removes it. What lies there of the CLI's files already stays as it is: an agent that is started
   * again, or a second one.
   */
  readonly place?: Place
  /** Started by a shell, as people do: the terminal's process is the shell. */
  readonly inShell?: boolean
  /** The command that starts it in the end: a launcher, another terminal inside this one. */
  readonly launch?: (command: readonly string[], env: Readonly<Record<string, string>>) => readonly string[]
  /** Lets hooks run that nobody has reviewed. */
  readonly trustsHooks?: boolean
  /** What its screen shows when it can be typed to, where that is not as after any start: it resumes. */
  readonly ready?: RegExp
  /** Before the CLI starts, when its files stand: install hooks, change its settings. */
  readonly before?: (
    place: Place,
    env: Readonly<Record<string, string>>,
    agent: LabAgent,
  ) => void | Promise<void>
}

export type OpenAgent = {
  readonly agent: LabAgent
  readonly place: Place
  readonly env: Readonly<Record<string, string>>
  readonly terminal: Terminal
  /**
   * Types a prompt, waits until it stands in the composer, submits it.
   * @returns the instant at which Enter was pressed, ms since the epoch
   */
  submit(prompt: string): Promise<number>
  /** Submits, and waits for the model's first main request of the turn. */
  begin(prompt: string): Promise<{ readonly pressed: number; readonly request: ModelEvent }>
  /** Until the dialog of a permission stands on the screen. */
  asked(): Promise<void>
  /** Presses again where a dialog still stands: Claude Code's takes no keys for its first 0.2 s. */
  approve(): Promise<void>
  press(key: keyof LabAgent['keys']): Promise<void>
  close(): Promise<void>
}

/** For a start; a machine that starts ten at once takes its time, ms. */
const patience = 60_000

/** A second press within the CLI's own window counts as the same gesture (Ctrl-C twice quits), a faster one as one key. */
const betweenKeys = 300

/** A TUI takes characters that come at once for a paste, and an Enter right after them for a line of it. */
const afterPaste = 200

async function prepare(name: LabCli, place: Place, { model, before, env = {} }: Options) {
  const agent = labAgent(name, place, model.url)
  const environment = { ...environmentOf(agent, place), ...env }
  for (const [file, content] of Object.entries(agent.files))
    if (!existsSync(path.join(place.home, file))) place.put(file, content)
  await before?.(place, environment, agent)
  return { agent, env: environment }
}

/** Starts a CLI in a terminal and waits until it can be typed to. */
export async function openAgent(name: LabCli, options: Options): Promise<OpenAgent> {
  const place = options.place ?? newPlace()
  let terminal: Terminal | undefined
  const close = async () => {
    await terminal?.close()
    if (!options.place) await place.remove()
  }
  try {
    const { agent, env } = await prepare(name, place, options)
    const trust = options.trustsHooks ? agent.trustsHooks : []
    const own = [...agent.command, ...trust, ...(options.flags ?? [])]
    const words = options.launch?.(own, env) ?? own
    // With a command behind it, so that the shell stays.
    const command = options.inShell ? ['/bin/sh', '-c', '"$@"; :', 'sh', ...words] : words
    terminal = await startTerminal({ command, cwd: place.work, env })
    await terminal.waitFor(options.ready ?? agent.screen.ready, patience)
    return { agent, place, env, terminal, close, ...hands(agent, terminal, options.model) }
  } catch (error) {
    await close()
    throw error
  }
}

/** Composers break lines, and some have no-break spaces. */
const squeeze = (text: string) => text.replace(/\s/g, '')

function hands(agent: LabAgent, terminal: Terminal, model: Model) {
  const press = async (name: keyof LabAgent['keys']): Promise<void> => {
    for (const [index, key] of agent.keys[name].entries()) {
      if (index > 0) await pause(betweenKeys)
      await terminal.press(key)
    }
  }
  const submit = async (prompt: string): Promise<number> => {
    const end = squeeze(prompt).slice(-30)
    const count = (screen: string) => squeeze(screen).split(end).length
    const before = count(await terminal.screen())
    await terminal.type(prompt)
    await terminal.waitFor(screen => count(screen) > before)
    await pause(afterPaste)
    const pressed = now()
    await press('submit')
    return pressed
  }
  const dialog = agent.screen.permission
  const asked = async (): Promise<void> => {
    if (!dialog) throw new Error(`${agent.name} asks for no permissions`)
    await terminal.waitFor(dialog)
  }
  const approve = async (): Promise<void> => {
    const isGone = (screen: string) => !dialog?.test(screen)
    await asked()
    for (let tries = 0; tries < 5; tries++) {
      await press('approve')
      const gone = await terminal.waitFor(isGone, 1000).catch(() => undefined)
      if (gone !== undefined) return
    }
    throw new Error(`the dialog was not answered:\n${await terminal.screen()}`)
  }
  const begin = async (prompt: string) => {
    const pressed = await submit(prompt)
    return { pressed, request: await model.next(isMainRequest, 30_000, pressed) }
  }
  return { press, submit, begin, asked, approve }
}

export type HeadlessRun = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a prompt without a terminal, to its end. */
export async function runHeadless(name: LabCli, prompt: string, options: Options): Promise<HeadlessRun> {
  const place = newPlace()
  try {
    const { agent, env } = await prepare(name, place, options)
    const [command = '', ...args] = [...agent.command, ...agent.headless(prompt), ...(options.flags ?? [])]
    const child = spawn(command, args, { cwd: place.work, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    return { code, stdout, stderr }
  } finally {
    await place.remove()
  }
}
