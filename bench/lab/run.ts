/** Runs a CLI of the lab: in a terminal, or headless. A place of its own each time, and nothing of it is left behind. */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { environmentOf, type LabAgent, labAgent } from './agents.ts'
import type { Model } from './model.ts'
import { newPlace, type Place } from './place.ts'
import { startTerminal, type Terminal } from './terminal.ts'
import { isMainRequest, type ModelEvent, now } from './truth.ts'

export type Options = {
  readonly model: Model
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
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
  /** Presses again where a dialog still stands: Claude Code's takes no keys for its first 0.2 s. */
  approve(): Promise<void>
  press(key: keyof LabAgent['keys']): Promise<void>
  close(): Promise<void>
}

/** A second press within the CLI's own window counts as the same gesture (Ctrl-C twice quits), a faster one as one key. */
const betweenKeys = 300

/** A TUI takes characters that come at once for a paste, and an Enter right after them for a line of it. */
const afterPaste = 200

async function prepare(name: LabCli, place: Place, { model, before, env = {} }: Options) {
  const agent = labAgent(name, place, model.url)
  const environment = { ...environmentOf(agent, place), ...env }
  for (const [file, content] of Object.entries(agent.files)) place.put(file, content)
  await before?.(place, environment, agent)
  return { agent, env: environment }
}

/** Starts a CLI in a terminal and waits until it can be typed to. */
export async function openAgent(name: LabCli, options: Options): Promise<OpenAgent> {
  const place = newPlace()
  let terminal: Terminal | undefined
  const close = async () => {
    await terminal?.close()
    await place.remove()
  }
  try {
    const { agent, env } = await prepare(name, place, options)
    const command = [...agent.command, ...(options.flags ?? [])]
    terminal = await startTerminal({ command, cwd: place.work, env })
    await terminal.waitFor(agent.screen.ready)
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
  const approve = async (): Promise<void> => {
    const isGone = (screen: string) => !agent.screen.permission.test(screen)
    await terminal.waitFor(agent.screen.permission)
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
  return { press, submit, begin, approve }
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
