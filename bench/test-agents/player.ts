/** An agent of the play and its person, who answers dialogs by `lull answer` alone. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../day/actor.ts'
import { isMainRequest, type ModelEvent, now } from '../lab/truth.ts'
import { run } from '../live/processes.ts'
import { facts, type PlayedCli } from './facts.ts'

export type Answer = {
  readonly agent: string
  readonly what: string
  readonly choice: string
  readonly isRight: boolean
  readonly ms: number
  /** What `lull answer` said, and the screen where that had not the effect that it should. */
  readonly said: string
  readonly screen?: string
}

type Effect = (since: number) => Promise<boolean>

export type Player = {
  readonly cli: PlayedCli
  readonly actor: Actor
  readonly facts: (typeof facts)[PlayedCli]
  readonly answers: readonly Answer[]
  /** @throws Error where the answer had not the effect that it should */
  answer(what: string, choice: string, effect: Effect): Promise<void>
  hasMade(file: string): Promise<boolean>
  /** The model hears of this answer, and no longer of all options alike. */
  isTold(option: string, since: number): Promise<boolean>
  isAsked(since: number): Promise<boolean>
  shows(what: RegExp): Promise<boolean>
  dialogOfSubagent(): Promise<void>
  /** Lets it ask for what it does, or not, where it does not ask anyway. */
  asksNow(really: boolean): Promise<void>
  /** Presses a key until the screen shows something. */
  cycle(key: string, until: RegExp): Promise<void>
  sees(type: 'dialog'): void
}

export const playedBy = (cli: PlayedCli) => facts[cli]

/** What was allowed has happened by then, ms. */
const effectMs = 6000

/** Between keys that a person presses one after the other, ms. */
const betweenKeys = 400

/** @param env what lull runs with */
export function newPlayer(actor: Actor, env: NodeJS.ProcessEnv): Player {
  const { name, place } = actor.role
  const cli = actor.role.cli as PlayedCli
  const answers: Answer[] = []
  const seen = (fits: (event: ModelEvent) => boolean, since: number): Promise<boolean> =>
    actor.next(fits, effectMs, since).then(
      () => true,
      () => false,
    )
  const sees = (type: 'dialog' | 'answering' | 'granted'): void => actor.mark({ type, at: now() })
  const cycle = async (key: string, until: RegExp): Promise<void> => {
    const { terminal } = actor.opened()
    for (let presses = 0; presses < 8; presses++) {
      if (until.test(await terminal.screen())) return
      await terminal.press(key)
      await pause(betweenKeys)
    }
    throw new Error(`${key} does not lead to ${until}:\n${await terminal.screen()}`)
  }
  return {
    cli,
    actor,
    facts: facts[cli],
    answers,
    sees,
    cycle,
    async asksNow(really) {
      const { asking } = facts[cli]
      if (asking) await cycle(asking.key, really ? asking.on : asking.off)
    },
    isAsked: since => seen(isMainRequest, since),
    shows: what =>
      actor
        .opened()
        .terminal.waitFor(what, effectMs)
        .then(
          () => true,
          () => false,
        ),
    isTold(option, since) {
      const other = option === 'SQLite' ? 'Postgres' : 'SQLite'
      return seen(event => isMainRequest(event) && counts(event, option) > counts(event, other), since)
    },
    async hasMade(file) {
      for (const end = performance.now() + effectMs; performance.now() < end; await pause(100)) {
        if (existsSync(path.join(place.work, file))) return true
      }
      return false
    },
    async dialogOfSubagent() {
      await actor.dialog()
    },
    async answer(what, choice, effect) {
      const { pane, socket, screen } = actor.opened().terminal
      const since = now()
      sees('answering')
      const { code, stdout, stderr } = await run(['answer', `tmux:${pane}`, choice, '--socket', socket], env)
      const ms = now() - since
      sees(code === 0 ? 'granted' : 'dialog')
      const isRight = code === 0 && (await effect(since))
      const said = `exit ${code}: ${stdout}${stderr}`.trim()
      answers.push({
        agent: name,
        what,
        choice,
        isRight,
        ms,
        said,
        ...(isRight ? {} : { screen: await screen() }),
      })
      if (!isRight) throw new Error(`lull answer ${choice} (${what}) had not its effect: ${said}`)
    },
  }
}

const counts = ({ request }: ModelEvent, word: string): number =>
  JSON.stringify(request.body).split(word).length
