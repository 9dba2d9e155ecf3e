/** Whether the history of a night tells the right thing of each of its scenes, and what was typed is what the model was asked. Pure. */
import type { StoredEntry } from '../../src/history/entry.ts'
import type { ModelEvent } from '../lab/truth.ts'
import { numberOf } from './night-model.ts'
import type { Mark } from './night-person.ts'
import { type NightCli, promptsIn, type Scene } from './scenes.ts'

export type Night = {
  readonly cli: NightCli
  readonly scenes: readonly Scene[]
  readonly entries: readonly StoredEntry[]
  readonly events: readonly ModelEvent[]
  readonly marks: readonly Mark[]
  /** When a limit of the provider stood. */
  readonly limits: readonly { readonly from: number; readonly to: number }[]
  readonly isBlind: boolean
}

export type SceneResult = {
  readonly name: string
  readonly times: number
  readonly right: number
  readonly told: readonly string[]
  readonly wrong: readonly string[]
}

type Span = { readonly from: number; readonly to: number }
type Sent = Span & { readonly number: number; readonly scene: string }

const dataOf = ({ data }: StoredEntry): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}

const isKind = (kind: string) => (entry: StoredEntry) => entry.kind === `respawn.${kind}`

/** Whatever was typed and entered: from the moment at which it was begun. `number` is 0 of keys and commands. */
function typedIn(entries: readonly StoredEntry[]): readonly (Sent & { readonly step: number })[] {
  return entries.flatMap((entry, index) => {
    if (!isKind('sent')(entry)) return []
    const { step, text } = dataOf(entry)
    const from = entries.slice(0, index).findLast(isKind('sending'))?.at ?? entry.at
    const [prompt] = promptsIn(String(text ?? ''))
    return [
      { from, to: entry.at, step: Number(step), number: prompt?.number ?? 0, scene: prompt?.scene ?? '' },
    ]
  })
}

const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

/** From the first that the model was asked of a prompt to the last that it answered; of a subagent each request by itself. */
function turnsOf(events: readonly ModelEvent[]): readonly (Span & { readonly number: number | undefined })[] {
  const spans = new Map<string, Span & { readonly number: number | undefined }>()
  for (const { at, request } of events.filter(({ request: { kind } }) => kind === 'main')) {
    const number = numberOf(request)
    const key = number === undefined ? `request ${request.id}` : `${number}`
    spans.set(key, { number, from: spans.get(key)?.from ?? at, to: at })
  }
  return [...spans.values()]
}

/** From a call that is asked for first until the model hears of it again; of a plan that ends a turn, until it was answered. */
function dialogsOf({ events, marks }: Night): readonly Span[] {
  const main = events.filter(({ request: { kind } }) => kind === 'main')
  return main.flatMap((event, index) => {
    if (event.type !== 'end' || event.request.step > 1) return []
    const name = event.request.directive?.name
    const asks = !event.endsTurn && (name === 'touch' || name === 'ask' || name === 'plan')
    const proposes = event.endsTurn && name === 'plan' && event.request.step === 0
    if (!asks && !proposes) return []
    const next = main
      .slice(index + 1)
      .find(({ type, request }) => type === 'request' && numberOf(request) === numberOf(event.request))
    const answered = marks.find(({ at, did }) => did === 'answered' && at > event.at)
    const to = asks ? next?.at : answered?.at
    return to === undefined ? [] : [{ from: event.at, to }]
  })
}

export type Typing = {
  readonly typed: number
  readonly asked: number
  readonly doubles: number
  readonly unasked: number
  readonly untold: number
  readonly whileWorking: number
  readonly intoDialogs: number
}

export function typingOf(night: Night): Typing {
  const typed = typedIn(night.entries)
  const numbers = typed.flatMap(({ number }) => (number > 0 ? [number] : []))
  const asked = new Set<number>()
  const double = new Set<number>(numbers.filter((number, index) => numbers.indexOf(number) !== index))
  for (const { type, request } of night.events) {
    if (type !== 'request' || request.kind !== 'main') continue
    const said = request.turns.flatMap(({ role, text }) => (role === 'user' ? promptsIn(text) : []))
    for (const { number } of said) asked.add(number)
    for (const { number } of said)
      if (said.filter(one => one.number === number).length > 1) double.add(number)
  }
  const turns = turnsOf(night.events)
  const dialogs = dialogsOf(night)
  return {
    typed: numbers.length,
    asked: asked.size,
    doubles: double.size,
    unasked: numbers.filter(number => !asked.has(number)).length,
    untold: [...asked].filter(number => !numbers.includes(number)).length,
    whileWorking: typed.filter(one =>
      turns.some(turn => turn.number !== one.number && overlaps(one, turn) && turn.from <= one.from),
    ).length,
    intoDialogs: typed.filter(one => dialogs.some(dialog => overlaps(one, dialog) && dialog.from <= one.from))
      .length,
  }
}

/** What is wrong with the night as a whole. */
export function wrongOf(night: Night, typing: Typing): string[] {
  const { entries, marks } = night
  const count = (kind: string) => entries.filter(isKind(kind)).length
  const wrong: string[] = []
  for (const name of ['doubles', 'unasked', 'untold', 'whileWorking', 'intoDialogs'] as const)
    if (typing[name] > 0) wrong.push(`${name}: ${typing[name]}`)
  const kills = marks.filter(({ did }) => did === 'killed').length
  if (count('relaunch') !== kills) wrong.push(`${count('relaunch')} relaunches of ${kills} crashes`)
  const stopped = entries.findLast(isKind('stopped'))
  const outcome = stopped && dataOf(stopped).outcome
  if (outcome !== 'exited') wrong.push(`it stopped: ${String(outcome)}`)
  for (const kind of ['no_turn', 'failed', 'warning', 'stuck']) {
    const whys = entries.filter(isKind(kind)).map(entry => String(dataOf(entry).why))
    if (whys.length > 0) wrong.push(`${kind}: ${whys.join(' | ')}`)
  }
  return wrong
}

/** Each time that a scene was typed, until the next prompt: what its history tells. */
export function scenesResults(night: Night): readonly SceneResult[] {
  const prompts = typedIn(night.entries).filter(({ number }) => number > 0)
  return night.scenes.map(scene => {
    const times = prompts.flatMap((sent, index) => {
      if (sent.scene !== scene.name) return []
      const end = prompts[index + 1]?.from ?? Infinity
      // The person's own leaving cuts the last one short.
      const isCut = end === Infinity || night.marks.some(({ did, at }) => did === 'quit' && at < end)
      return isCut ? [] : [wrongIn(night, scene, sent, end)]
    })
    const wrong = times.flat()
    const told = new Set(
      prompts.flatMap((sent, index) =>
        sent.scene === scene.name ? deedsIn(night, sent, prompts[index + 1]?.from ?? Infinity) : [],
      ),
    )
    return {
      name: scene.name,
      times: times.length,
      right: times.filter(one => one.length === 0).length,
      told: [...told],
      wrong,
    }
  })
}

const within = (entries: readonly StoredEntry[], from: number, to: number) =>
  entries.filter(({ at }) => at > from && at < to)

/** A turn may be seen before it is told that its prompt was typed. */
function deedsIn({ entries }: Night, sent: Sent, end: number): readonly string[] {
  return within(entries, sent.from, end).flatMap(entry => {
    const { for: asks, after, by } = dataOf(entry)
    switch (entry.kind) {
      case 'respawn.blocked':
        return [`blocked: ${String(asks)}`]
      case 'respawn.turn_ended':
        return [`turn ended: ${String(after)}`]
      case 'respawn.paused':
        return [`paused: ${String(by)}`]
      case 'respawn.limited':
      case 'respawn.resumed':
      case 'respawn.relaunch':
      case 'respawn.judged':
      case 'respawn.refused':
        return [entry.kind.slice('respawn.'.length)]
      default:
        return []
    }
  })
}

function wrongIn(night: Night, scene: Scene, sent: Sent, end: number): string[] {
  const deeds = deedsIn(night, sent, end)
  const has = (deed: string) => deeds.includes(deed)
  const wrong: string[] = []
  const want = (holds: boolean, what: string) => {
    if (!holds) wrong.push(`#${sent.number} ${what} (${deeds.join(', ') || 'nothing'})`)
  }
  const mark = (did: Mark['did']) =>
    night.marks.find(one => one.did === did && one.at > sent.from && one.at < end)
  const asks = deeds.filter(deed => deed.startsWith('blocked'))
  if (scene.asks) {
    want(has(`blocked: ${scene.asks}`), `a ${scene.asks} was not told`)
    want(
      asks.every(deed => deed === `blocked: ${scene.asks}`),
      'something else was told',
    )
    want(mark('answered')?.kind === scene.asks, 'its person was not asked')
  } else want(asks.length === 0, 'a dialog was told where there is none')
  const killed = mark('killed')
  const interrupted = mark('interrupted')
  if (killed) want(has('relaunch'), 'it was not started again')
  else want(!has('relaunch'), 'it was started again')
  if (interrupted) {
    const resumed = mark('resumed')
    want(has('paused: interrupted'), 'its person’s Esc did not pause it')
    want(
      resumed !== undefined &&
        within(night.entries, interrupted.at, resumed.at).every(entry => !isKind('sending')(entry)),
      'it typed while it was paused',
    )
  } // Codex begins a turn of its own with a plan that was accepted: somebody else's, to lull.
  else if (scene.asks !== 'plan') want(!deeds.some(deed => deed.startsWith('paused')), 'it paused')
  const limit = night.limits.find(({ from }) => from > sent.from && from < end)
  if (limit) {
    want(has('limited'), 'the limit was not told')
    want(end >= limit.to, 'it went on while the limit stood')
    want(
      within(night.entries, limit.from, limit.to).every(entry => !isKind('sending')(entry)),
      'it typed while the limit stood',
    )
  }
  if (!killed && !interrupted && !limit)
    want(
      has('turn ended: turn') ||
        ((night.isBlind || scene.beside !== undefined) && has('turn ended: unknown')),
      'the end of its turn was not told',
    )
  if (scene.beside !== undefined && scene.besideUntold?.[night.cli] === undefined) {
    const began = night.events.find(
      ({ type, request }) => type === 'end' && numberOf(request) === sent.number,
    )
    const next = night.entries.find(entry => isKind('sending')(entry) && entry.at > sent.to)
    want(
      began === undefined || next === undefined || next.at >= began.at + 1000 * scene.beside,
      'it went on while work went on in the background',
    )
  }
  return wrong
}
