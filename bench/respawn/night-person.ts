/** The person of the night: answers what is theirs, breaks turns off, and once in a while something falls over. Sees the screen and the model alone. */
import { setTimeout as pause } from 'node:timers/promises'
import { below, signal } from '../day/below.ts'
import { type ModelEvent, now } from '../lab/truth.ts'
import { type NightModel, numberOf } from './night-model.ts'
import type { Stage } from './night-stage.ts'
import { type NightCli, promptsIn, type Scene } from './scenes.ts'

/** What the person did, and when: ms since the epoch. */
export type Mark = {
  readonly at: number
  readonly did: 'answered' | 'interrupted' | 'resumed' | 'killed' | 'hooks off' | 'quit'
  readonly number?: number
  readonly kind?: string
}

type Dialog = {
  readonly kind: 'permission' | 'question' | 'plan'
  readonly shows: RegExp
  /** The option, by its row; else a key. */
  readonly option?: RegExp
  readonly key: string
}

/** The second answer of a question: a stray Enter would give the first. */
const dialogs: Readonly<Record<NightCli, readonly Dialog[]>> = {
  claude: [
    { kind: 'question', shows: /2\. SQLite/, key: '2' },
    {
      kind: 'plan',
      shows: /Exit plan mode\?|Would you like to proceed\?/,
      // The others go on in a mode that asks for nothing.
      option: /(\d)\. Yes, [^\n]*(?:manually|default)/,
      key: '1',
    },
    { kind: 'permission', shows: /Do you want to proceed\?/, key: 'Enter' },
  ],
  codex: [
    { kind: 'question', shows: /2\. SQLite/, key: '2' },
    { kind: 'plan', shows: /Implement this plan\?/, key: 'Enter' },
    { kind: 'permission', shows: /Would you like to run the following command\?/, key: 'y' },
  ],
}

/** They take their time before they answer, and before they break off what runs, ms. */
const beforeAnswer = 4000
// A crash of which no hook and no line was heard yet is none that anybody can tell.
const beforeBreak = { interrupts: 4000, kills: 12_000 }
/** How long a broken turn stays broken off: nothing may be typed meanwhile. */
const awayMs = 12_000
const lookMs = 400

export async function playPerson(
  cli: NightCli,
  stage: Stage,
  model: NightModel,
  scenes: readonly Scene[],
  {
    session,
    ms,
    isBlind,
    isOver,
  }: {
    readonly session: () => Promise<string | undefined>
    readonly ms: number
    readonly isBlind: boolean
    readonly isOver: () => boolean
  },
): Promise<readonly Mark[]> {
  const marks: Mark[] = []
  const { terminal, lull } = stage
  const begun = now()
  const done = new Set<number>()
  let tries = 0
  let resumeAt: number | undefined
  let seen: { readonly dialog: Dialog; readonly since: number } | undefined
  const did = (mark: Omit<Mark, 'at'>): number => marks.push({ at: now(), ...mark })
  const control = async (what: 'pause' | 'resume') => lull('respawn', what, (await session()) ?? '')

  async function answer(): Promise<void> {
    const screen = await terminal.screen()
    // Prose may look like any of them.
    const asked = sceneOf(model.events.findLast(isNumbered))
    const asks = scenes.find(({ name }) => name === asked)?.asks
    const dialog = dialogs[cli].find(({ kind, shows }) => kind === asks && shows.test(screen))
    if (!dialog) seen = undefined
    else if (seen?.dialog !== dialog) seen = { dialog, since: now() }
    else if (now() - seen.since >= beforeAnswer) {
      did({ did: 'answered', kind: dialog.kind, ...numbered(model.events.findLast(isNumbered)) })
      await terminal.press(dialog.option?.exec(screen)?.[1] ?? dialog.key)
      // A dialog takes no keys in its first moment, and goes away a while after its answer.
      await pause(1500)
      seen = undefined
    }
  }

  async function breakOff(): Promise<void> {
    const last = model.events.findLast(isNumbered)
    if (last?.type !== 'request' && last?.type !== 'first-byte') return
    const { number } = numbered(last)
    const of = scenes.find(({ name }) => name === sceneOf(last))
    if (!of?.person || number === undefined || done.has(number) || now() - last.at < beforeBreak[of.person])
      return
    done.add(number)
    // What was broken off is typed again, and let be that time.
    if (tries++ % 2 === 1) return
    if (of.person === 'interrupts') {
      did({ did: 'interrupted', number })
      await terminal.press('Escape')
      resumeAt = now() + awayMs
    } else {
      did({ did: 'killed', number })
      for (const pid of below(terminal.pid)) signal(pid, 'SIGKILL')
    }
  }

  while (!isOver() && now() - begun < ms) {
    await pause(lookMs)
    await answer()
    await breakOff()
    if (resumeAt !== undefined && now() >= resumeAt) {
      resumeAt = undefined
      did({ did: 'resumed' })
      await control('resume')
    }
    if (!isBlind && now() - begun > ms / 2 && !marks.some(mark => mark.did === 'hooks off')) {
      did({ did: 'hooks off' })
      await lull('hooks', 'uninstall', cli)
    }
  }
  if (isOver()) return marks
  // What runs is let run, and then it is left as people leave it.
  await control('pause')
  for (const end = now() + 60_000; now() < end && isBusy(model.events); ) {
    await answer()
    await pause(lookMs)
  }
  did({ did: 'quit' })
  for (let tries = 0; tries < 5 && !isOver(); tries++) {
    await terminal.press('C-u')
    await terminal.type('/exit')
    await pause(1500)
    await terminal.press('Enter')
    for (const end = now() + 10_000; now() < end && !isOver(); ) await pause(lookMs)
  }
  return marks
}

const isNumbered = ({ request }: ModelEvent): boolean =>
  request.kind === 'main' && numberOf(request) !== undefined

const numbered = (event: ModelEvent | undefined): { readonly number?: number } => {
  const number = event && numberOf(event.request)
  return number === undefined ? {} : { number }
}

const sceneOf = (event: ModelEvent | undefined): string | undefined =>
  event?.request.turns.flatMap(({ role, text }) => (role === 'user' ? promptsIn(text) : [])).at(-1)?.scene

/** The model is asked, or asked for a tool, and has not given its last answer. */
function isBusy(events: readonly ModelEvent[]): boolean {
  const last = events.findLast(({ request }) => request.kind === 'main')
  return (
    last !== undefined &&
    !(last.type === 'end' && last.endsTurn) &&
    last.type !== 'abort' &&
    last.type !== 'error'
  )
}
