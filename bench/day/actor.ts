/** One agent of the day: a real CLI, a model of its own, and the hands of its person. It keeps account of what it did. */
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { type Model, type ModelOptions, startModel } from '../lab/model.ts'
import type { Place } from '../lab/place.ts'
import { type OpenAgent, type Options, openAgent } from '../lab/run.ts'
import { isMainRequest, type ModelEvent, now } from '../lab/truth.ts'
import { type Ended, run as lull } from '../live/processes.ts'
import { below, runsCommand, signal } from './below.ts'
import { type Launcher, launchers, lifeVariable, processesOf } from './launchers.ts'
import { clear, resume, resumedScreen } from './resume.ts'
import { type SharedModel, signed } from './shared-model.ts'
import { type Mark, settle } from './truth.ts'
import type { Stay, Whereabouts } from './watcher.ts'

type Plain = 'started' | 'ready' | 'quitting' | 'killed' | 'stopped' | 'continued' | 'lost' | 'dialog'

export type Role = {
  readonly name: string
  readonly cli: LabCli
  readonly hooks: boolean
  readonly place: Place
  /** What lull runs with. */
  readonly env: NodeJS.ProcessEnv
  /** Its model, where it has none of its own. */
  readonly shared?: SharedModel
  /** Before its first start: installs the hooks. */
  readonly before?: Options['before']
}

type StartHow = {
  readonly resume?: boolean
  /** How it comes to run (default: by a shell in tmux). */
  readonly by?: Launcher
  /** Returns at its first sign of life, so that something can be done before it can be typed to. */
  readonly soon?: boolean
}

export type Actor = {
  readonly role: Role
  readonly marks: readonly Mark[]
  readonly events: readonly ModelEvent[]
  /** Where it has run: by these it is told among the sessions. */
  stays(end: number): readonly Stay[]
  situation(name: string): void
  /** It can't be said any more what it does, until it is started again. */
  lost(): void
  start(how?: StartHow): Promise<void>
  rest(seconds: number): Promise<void>
  /** A prompt as it is typed: with what it is known by. */
  typed(prompt: string): string
  /** Sends a prompt and waits until the model is asked. */
  begin(prompt: string): Promise<void>
  /** Until the model has given the last answer of the prompt that was sent last. */
  ends(seconds?: number): Promise<void>
  turn(prompt: string): Promise<void>
  queue(prompt: string): Promise<void>
  dialog(): Promise<void>
  grant(): Promise<void>
  refuse(): Promise<void>
  question(): Promise<void>
  answer(): Promise<void>
  /** A dialog that was not answered is refused. */
  leaveDialog(): Promise<void>
  interrupt(): Promise<void>
  draft(text: string): Promise<void>
  clearDraft(): Promise<void>
  /** @param command as this CLI has it */
  compact(command?: string): Promise<void>
  /** Begins a new conversation in the same process. */
  clear(): Promise<void>
  /** A command of the person's own, in its shell, until what it prints shows. */
  command(command: string, prints: RegExp): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  stop(): void
  continue(): void
  kill(): Promise<void>
  quit(): Promise<void>
  /** Ends it; its model's log stays. */
  leave(): Promise<void>
  close(): Promise<void>
  /** `lull COMMAND` on this agent. */
  lull(command: string, ...words: readonly string[]): Promise<Ended>
  /** For what is done with it beyond this. */
  opened(): OpenAgent
  next: Model['next']
  mark(mark: Mark): void
}

const patience = 30_000

/** Asks the program for its dialog's end again after so long, ms. */
const again = 1500

const directiveOf = (prompt: string): string =>
  prompt.match(/\[\[[a-z]+(?::[\s\S]*?)?\]\](?!\])/g)?.at(-1) ?? ''

const run = promisify(execFile)

export async function newActor(role: Role): Promise<Actor> {
  const marks: Mark[] = []
  const mark = (type: Plain, at = now()): void => {
    marks.push({ type, at })
  }
  let refused = 0
  const script: NonNullable<ModelOptions['script']> = ({ directive }) => {
    if (directive?.name !== 'limit') return undefined
    return ++refused > Number(directive.argument) ? { say: 'It is done after all.' } : undefined
  }
  const model = role.shared?.of(role.name, script) ?? (await startModel({ script }))
  const typed = (prompt: string): string => (role.shared ? signed(prompt, role.name) : prompt)
  let open: OpenAgent | undefined
  let isFirst = true
  let [life, by]: [string, Launcher | undefined] = ['', undefined]
  const stays: ({ readonly from: number } & Whereabouts)[] = []
  const opened = (): OpenAgent => {
    if (!open) throw new Error(`${role.name} does not run`)
    return open
  }
  /** One that is resumed may go on to ask what it asked when it was killed. */
  const isAsked = async (): Promise<boolean> => {
    const { agent, terminal } = opened()
    return agent.screen.permission?.test(await terminal.screen()) ?? false
  }
  /** Without the shell above it; a terminal of lull's own has it elsewhere. */
  const processes = (): Iterable<number> => (by === 'own' ? processesOf(life) : below(opened().terminal.pid))
  const end = async (): Promise<void> => {
    if (open && by === 'own') for (const pid of processes()) signal(pid, 'SIGKILL')
    await open?.close()
    open = undefined
  }
  const actor: Pick<
    Actor,
    'leaveDialog' | 'start' | 'kill' | 'quit' | 'stop' | 'continue' | 'leave' | 'close' | 'stays'
  > = {
    stays: last => stays.map((stay, index) => ({ ...stay, to: stays[index + 1]?.from ?? last })),
    async start(how = {}) {
      await end()
      const begins = now()
      mark('started', begins)
      const { before } = role
      const ready = how.soon ? /\S/ : how.resume ? resumedScreen[role.cli] : undefined
      life = `${role.name}-${stays.length}`
      by = how.by
      open = await openAgent(role.cli, {
        model,
        place: role.place,
        inShell: true,
        env: { [lifeVariable]: life },
        ...(by ? { launch: launchers[by](life, role.env) } : {}),
        flags: (how.resume ? resume[role.cli] : undefined) ?? [],
        trustsHooks: role.hooks,
        ...(ready ? { ready } : {}),
        ...(before && isFirst ? { before } : {}),
      })
      isFirst = false
      const { socket, pane } = open.terminal
      stays.push({ from: begins, ...(by === 'own' ? { pids: processesOf(life) } : { socket, pane }) })
      if (!how.soon) mark((await isAsked()) ? 'dialog' : 'ready')
    },
    async kill() {
      const pids = processes()
      mark('killed')
      for (const pid of pids) signal(pid, 'SIGKILL')
      await end()
    },
    async leaveDialog() {
      if (!open || marks.findLast(({ type }) => type !== 'situation')?.type !== 'dialog') return
      await open.terminal.press('Escape')
      marks.push({ type: 'refused', at: now() })
    },
    async quit() {
      mark('quitting')
      await opened().press('quit')
      await opened().terminal.ended(patience)
      mark('killed')
      await end()
    },
    stop() {
      mark('stopped')
      for (const pid of processes()) signal(pid, 'SIGSTOP')
    },
    continue() {
      for (const pid of processes()) signal(pid, 'SIGCONT')
      mark('continued')
    },
    leave: end,
    async close() {
      await end()
      await model.close()
    },
  }
  return {
    role,
    marks,
    get events() {
      return model.events
    },
    typed,
    situation: name => marks.push({ type: 'situation', at: now(), name }),
    lost: () => mark('lost'),
    rest: async seconds => {
      await pause(1000 * seconds)
    },
    opened,
    async lull(command, ...words) {
      const { socket, pane } = opened().terminal
      const [address, ...at] = by === 'own' ? [life] : [`tmux:${pane}`, '--socket', socket]
      return await lull([command, address as string, ...words, ...at], role.env)
    },
    next: model.next,
    mark: next => marks.push(next),
    ...actor,
    ...turnsOf(opened, typed, model, marks, role.place, () => {
      refused = 0
    }),
    ...answersOf(opened, model, marks),
    ...screenOf(opened),
  }
}

function turnsOf(
  opened: () => OpenAgent,
  typed: (prompt: string) => string,
  model: Model,
  marks: Mark[],
  place: Place,
  reset: () => void,
) {
  let last = { at: 0, directive: '' }
  const begin = async (prompt: string): Promise<void> => {
    reset()
    const at = await opened().submit(typed(prompt))
    last = { at, directive: directiveOf(prompt) }
    marks.push({ type: 'prompted', at, directive: last.directive })
    await model.next(isMainRequest, patience, at)
  }
  const ends = async (seconds = 30): Promise<void> => {
    const { at, directive } = last
    const isEnd = (event: ModelEvent) => {
      if (event.type !== 'end' || !event.endsTurn) return false
      const { name, argument } = event.request.directive ?? {}
      return directive === `[[${name}${argument === undefined ? '' : `:${argument}`}]]`
    }
    await model.next(isEnd, 1000 * seconds, at)
  }
  /** Some leave a command running that they were interrupted in, and show it as one in the background. */
  const outlives = async (directive: string): Promise<void> => {
    // A server of several clients may run it, which another one of them has started (Codex).
    const runs = () => place.processes().some(pid => runsCommand(pid, directive))
    await pause(0.9 * settle.interrupted)
    if (!runs()) return
    marks.push({ type: 'outlived', at: now() })
    while (runs()) await pause(again)
    marks.push({ type: 'outrun', at: now() })
  }
  return {
    begin,
    ends,
    async turn(prompt: string) {
      await begin(prompt)
      await ends()
    },
    async queue(prompt: string) {
      const at = await opened().submit(typed(prompt))
      last = { at, directive: directiveOf(prompt) }
      marks.push({ type: 'queued', at, directive: last.directive })
    },
    async compact(command = '/compact') {
      await opened().terminal.type(command)
      await pause(1000)
      const at = now()
      await opened().press('submit')
      marks.push({ type: 'compacting', at })
      const summary = await model.next(event => event.type === 'end', 8000, at).catch(() => undefined)
      marks.push({ type: 'compacted', at: summary?.at ?? at })
    },
    async clear() {
      const { agent, terminal } = opened()
      await terminal.type(clear[agent.name])
      await pause(1000)
      await opened().press('submit')
      await terminal.waitFor(screen => !screen.includes('[['), patience)
    },
    async command(command: string, prints: RegExp) {
      const { terminal } = opened()
      // Most change what they are typed into at this key.
      await terminal.type('!')
      await pause(500)
      await terminal.type(command)
      await pause(1000)
      marks.push({ type: 'commanding', at: now() })
      await opened().press('submit')
      await terminal.waitFor(prints, patience)
      marks.push({ type: 'commanded', at: now() })
    },
    async interrupt() {
      await opened().press('interrupt')
      marks.push({ type: 'interrupted', at: now() })
      void outlives(last.directive)
    },
  }
}

function answersOf(opened: () => OpenAgent, model: Model, marks: Mark[]) {
  /** Presses until what was asked for has happened: dialogs take no keys for their first moment. */
  const insist = async (
    type: 'granted' | 'refused',
    press: () => Promise<void>,
    done: () => Promise<unknown>,
  ) => {
    for (let tries = 0; tries < 5; tries++) {
      const at = now()
      await press()
      if (await done()) {
        marks.push({ type, at })
        return
      }
    }
    throw new Error(`the dialog was not answered:\n${await opened().terminal.screen()}`)
  }
  const isGone = () => {
    const { agent, terminal } = opened()
    return terminal
      .waitFor(screen => !agent.screen.permission?.test(screen), again)
      .then(() => true)
      .catch(() => false)
  }
  return {
    async dialog() {
      await opened().asked()
      marks.push({ type: 'dialog', at: now() })
    },
    grant: () => insist('granted', () => opened().press('approve'), isGone),
    refuse: () => insist('refused', () => opened().terminal.press('Escape'), isGone),
    async question() {
      await opened().terminal.waitFor(screen => /Postgres/.test(screen) && /SQLite/.test(screen))
      marks.push({ type: 'dialog', at: now() })
    },
    async answer() {
      const from = now()
      const isAsked = () =>
        model
          .next(isMainRequest, again, from)
          .then(() => true)
          .catch(() => false)
      await insist('granted', () => opened().terminal.press('Enter'), isAsked)
    },
  }
}

function screenOf(opened: () => OpenAgent) {
  return {
    draft: (text: string) => opened().terminal.type(text),
    clearDraft: () => opened().terminal.press('C-u'),
    async resize(columns: number, rows: number) {
      const { socket, pane } = opened().terminal
      await run('tmux', ['-S', socket, 'resize-window', '-t', pane, '-x', `${columns}`, '-y', `${rows}`])
    },
  }
}
