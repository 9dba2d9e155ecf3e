/** Reads what the panes of agents show: titles, screens, and whether an open dialog is still there. */

import type { Clock } from '../../../core/clock.ts'
import type { Session } from '../../../core/session.ts'
import type { Instant } from '../../../core/state.ts'
import { readShown } from '../../../track/decode-screen.ts'
import type { RawInput } from '../../../track/raw-input.ts'
import type { RulesNow } from '../../screens/rules-now.ts'
import { promptMs, type TypedPrompt, typedInto } from '../../typed-file.ts'
import type { AgentsEvent, FollowedAgent, FoundAgent } from '../agents-state.ts'
import { paneScreen, type ScreenPlace, screenPlaceOf } from '../pane-screen.ts'
import type { DialogLook } from '../pane-step.ts'
import { type PaneInFront, panesInFront } from './panes-in-front.ts'
export type ScreenLook = {
  readonly moved: string
  readonly movedAt: Instant
  readonly lookedAt: Instant
  readonly count: number
  /** The text of that screen. */
  readonly shown?: string
}

/** tmux reports the second of a pane's last output. ms */
const afterMovedMs = 2500
/**
 * And so it has printed nothing for more than a second: frames of a screen that works lay up to 1.0 s apart
 * (src/track/decode-screen.ts). ms
 */
const stillMs = 2000
/** A screen counts for 15 s (src/track/decode-screen.ts). ms */
const againMs = 5000

/** @returns what is known from then on, and whether to look */
export function stepScreenLook(
  before: ScreenLook | undefined,
  moved: string,
  now: Instant,
): { readonly look: ScreenLook; readonly isDue: boolean } {
  const hasMoved = before?.moved !== moved
  const movedAt = hasMoved ? now : before.movedAt
  const isDue = hasMoved || now - movedAt < afterMovedMs || now - before.lookedAt >= againMs
  const { lookedAt = now, count = 0 } = before ?? {}
  const look = { ...before, moved, movedAt, lookedAt: isDue ? now : lookedAt, count: count + (isDue ? 1 : 0) }
  return { look, isDue }
}

type ShownScreen = {
  readonly id: string
  readonly place: ScreenPlace
  readonly rows: readonly string[]
  readonly title: string
  /** It has printed nothing for more than a second. */
  readonly isStill: boolean
  /** As at the last look. */
  readonly isSame: boolean
}

/**
 * @param looks what is known of each session's pane; changed here
 * @param wall ms since the epoch
 */
async function screensShown(
  panes: readonly PaneInFront[],
  looks: Map<string, ScreenLook>,
  now: Instant,
  wall: number,
): Promise<readonly ShownScreen[]> {
  const inFront = new Set(panes.map(({ id }) => id))
  for (const id of looks.keys()) if (!inFront.has(id)) looks.delete(id)
  const due = panes.filter(({ id, moved }) => {
    const { look, isDue } = stepScreenLook(looks.get(id), moved, now)
    looks.set(id, look)
    return isDue
  })
  const shown = await Promise.all(
    due.map(async ({ id, place, title, printedAt }) => {
      const rows = await paneScreen(place)
      if (rows === undefined) return []
      const [known, now] = [looks.get(id), [title, ...rows].join('\n')]
      if (known) looks.set(id, { ...known, shown: now })
      return [
        { id, place, rows, title, isStill: wall - printedAt * 1000 >= stillMs, isSame: known?.shown === now },
      ]
    }),
  )
  return shown.flat()
}

/** A dialog is reported, and this agent's log never reports a refusal; hooks are lost while no host runs. */
const isAsking = ({ process }: FoundAgent, session: Session | undefined): boolean => {
  const [asked] = session?.verdict.because ?? []
  const isWaiting = session?.verdict.state.kind === 'waiting'
  return process.agent.dialog !== undefined && isWaiting && asked?.type === 'news'
}

/** None of who does not ask, and of a pane that can't be looked at. */
async function dialogsShown(
  agents: readonly FoundAgent[],
  panes: readonly PaneInFront[],
  { sessionOf, rulesOf }: PaneLooker,
): Promise<readonly (DialogLook & { readonly id: string })[]> {
  const asking = agents.filter(agent => isAsking(agent, sessionOf(agent.id)))
  const shown = await Promise.all(
    asking.map(async ({ id, process: { agent }, surroundings }) => {
      const place = screenPlaceOf(surroundings) ?? panes.find(pane => pane.id === id)?.place
      const rows = place && (await paneScreen(place))
      if (rows === undefined) return []
      const { rules } = await rulesOf(agent.name)
      const isAtComposer = readShown(rules, { rows }).state === 'idle'
      return { id, isShown: agent.dialog?.test(rows.join('\n')) === true, isAtComposer }
    }),
  )
  return shown.flat()
}

export type PaneLooker = {
  readonly clock: Clock
  /** What has been looked at so far. */
  readonly screens: Map<string, ScreenLook>
  agents(): readonly FollowedAgent[]
  rulesOf(agent: string): Promise<RulesNow>
  sessionOf(id: string): Session | undefined
  /** Its terminal's output, titles included, is streamed. */
  isStreamed(id: string): boolean
  /** What people call them, and who has them before them. */
  shown(panes: readonly PaneInFront[]): void
  feed(event: AgentsEvent): void
}

/** What is still counts at the second look that shows it: that need not wait for the next search. ms */
const secondLookMs = 250

export async function lookAtPanes(looker: PaneLooker, isSecond = false): Promise<void> {
  const { clock, screens, agents, isStreamed, feed } = looker
  const panes = await panesInFront(agents(), clock.wall())
  looker.shown(panes)
  const titled = new Set(agents().flatMap(({ id, process }) => (process.agent.paneTitle ? [id] : [])))
  for (const { id, title } of panes) if (titled.has(id) && !isStreamed(id)) feed({ type: 'title', id, title })
  const looks = await screensShown(panes, screens, clock.now(), clock.wall())
  const typedOf = looks.length > 0 ? typedInto() : () => undefined
  for (const look of looks) {
    const { id, place, rows, title, isSame } = look
    const name = agents().find(agent => agent.id === id)?.process.agent.name
    if (name === undefined) continue
    const { rules, isOwn } = await looker.rulesOf(name)
    const isStill = look.isStill ? { isStill: true } : {}
    const screen = { rows, ...(title === '' ? {} : { title }), ...typedLately(typedOf(place), clock.now()) }
    const read = isOwn ? { read: readShown(rules, screen) } : {}
    // A person's own rules may have changed since.
    const input: RawInput =
      isSame && !isOwn
        ? { type: 'same screen', ...isStill }
        : { type: 'screen', ...screen, ...isStill, ...read }
    feed({ type: 'input', id, inputs: [input] })
  }
  if (!isSecond) await lookAtDialogs(looker, panes)
  const isOpen = agents().some(
    ({ title, id }) => (title?.state !== undefined && !title.isReported) || isNew(screens.get(id)),
  )
  if (isOpen && !isSecond) clock.at(clock.now() + secondLookMs, () => void lookAtPanes(looker, true))
}

const typedLately = (typed: TypedPrompt | undefined, now: Instant) =>
  typed?.prompt !== undefined && now < typed.at + promptMs && now >= typed.at
    ? { typed: { at: typed.at, prompt: typed.prompt } }
    : {}

/** A command that looks once looks twice where a dialog may have gone before: what follows rests on it. */
async function lookAtDialogs(looker: PaneLooker, panes: readonly PaneInFront[]): Promise<void> {
  const { clock, agents, feed } = looker
  const look = async () => {
    for (const dialog of await dialogsShown(agents(), panes, looker)) feed({ type: 'dialog', ...dialog })
  }
  await look()
  if (!agents().some(({ dialog }) => dialog?.isUnseen)) return
  await new Promise<void>(resolve => clock.at(clock.now() + secondLookMs, resolve))
  await look()
}

/** The next look shows whether it stays. */
const isNew = (look: ScreenLook | undefined): boolean => look?.count === 1
