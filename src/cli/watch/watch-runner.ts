/** `lull watch` in a terminal: sessions, keys and the mouse in, pictures and actions out. What is decided is in the steps. */

import { defined } from '../../core/defined.ts'
import { type Lull, realClock } from '../../index.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import type { LiveChange, LiveSession } from '../../sessions/session-source.ts'
import { hintOf } from '../ui/hint.ts'
import { takeTerminal } from './full-screen-terminal.ts'
import type { TerminalInput } from './terminal-input-step.ts'
import { type Scene, shownRows } from './watch-scene.ts'
import { type Picture, pictureOf } from './watch-screen.ts'
import { firstView, selectedOf, take, type WatchEffect, type WatchView, withoutAsked } from './watch-step.ts'

/** Ages are shown in seconds. */
const ageMs = 1000
/** A picture is drawn at most this often: an agent that streams changes faster than anyone reads. */
const drawMs = 40
/** A key that was meant for a dialog which has just gone by itself means nothing else: ms */
const deafMs = 1000

export async function watchScreen(lull: Lull, changes: () => AsyncIterable<LiveChange>): Promise<void> {
  const [clock, home, isColoured] = [realClock(), homeFolder(), !process.env.NO_COLOR]
  const kept = await keptSessions(lull)
  const past = keptPast()
  let view = firstView
  let message: string | undefined
  let picture: Picture | undefined
  let due: NodeJS.Timeout | undefined
  let deafUntil = -Infinity
  const { promise: over, resolve: quit } = Promise.withResolvers<void>()

  const scene = (): Scene => {
    const now = clock.now()
    return { ...kept.shown(), view, now, epoch: clock.wall() - now, home, ...defined({ message }) }
  }
  const draw = () => {
    due = undefined
    picture = pictureOf(withPast(scene(), past, drawSoon), terminal.size(), isColoured)
    view = { ...view, firstRow: picture.firstRow, scroll: picture.scroll }
    terminal.draw(picture.lines.map(({ text }) => text))
  }
  const drawSoon = () => {
    due ??= setTimeout(draw, drawMs)
  }
  const say = (text: string) => {
    message = text || undefined
    drawSoon()
  }
  const terminal = takeTerminal({
    resize: () => drawSoon(),
    input(input) {
      if (performance.now() < deafUntil && !isLeaving(input)) return
      message = undefined
      const taken = take(view, input, idsOf(scene()), targetAt(picture, input))
      view = taken.view
      if (taken.effect) void act(taken.effect).catch((error: Error) => say(error.message))
      draw()
    },
  })

  async function act(effect: WatchEffect): Promise<void> {
    if (effect.type === 'quit') return quit()
    if (effect.type === 'suspend') return terminal.lend(suspend)
    const session = kept.get(effect.id)
    if (!session) return
    const { carryOut } = await import('./watch-actions.ts')
    const isAnswered = () => effect.type === 'answer' && view.asked?.id === session.id
    const { asked, ...done } = await carryOut(effect, session, { lull, home, lend: terminal.lend }).finally(
      () => {
        if (isAnswered()) view = withoutAsked(view)
      },
    )
    // Whoever went on meanwhile is not held up.
    if (asked && selectedOf(view, idsOf(scene())) === session.id) view = { ...view, asked, scroll: 0 }
    say(done.message)
  }

  async function follow(): Promise<void> {
    for await (const change of changes()) {
      if (hasStoppedAsking(view, kept.get, change)) {
        view = withoutAsked(view)
        deafUntil = performance.now() + deafMs
        message = 'it does not ask any more: nothing was pressed'
      }
      if (change.type === 'changed') past.forget(change.session.id)
      await kept.take(change, drawSoon)
    }
  }

  process.stdin.once('end', () => quit())
  using _ages = every(ageMs, () => kept.shown().sessions.length > 0 && draw())
  try {
    draw()
    await Promise.race([follow(), over])
  } finally {
    clearTimeout(due)
    terminal.close()
  }
}

const isLeaving = (input: TerminalInput): boolean => input.type === 'key' && input.key === 'ctrl-c'

const every = (ms: number, act: () => void): Disposable => {
  const timer = setInterval(act, ms)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** What became of the selected session, where that is shown. */
function withPast(shown: Scene, past: ReturnType<typeof keptPast>, onRead: () => void): Scene {
  const id = shown.view.panel === 'history' ? selectedOf(shown.view, idsOf(shown)) : undefined
  const was = id === undefined ? undefined : past.of(id, onRead)
  return was ? { ...shown, past: was } : shown
}

const targetAt = (picture: Picture | undefined, input: TerminalInput) =>
  'y' in input ? picture?.lines[input.y]?.target : undefined

const idsOf = (shown: Scene): readonly string[] => shownRows(shown).map(({ id }) => id)

/** The latest sessions, their source, and the hint on unknown ones. */
async function keptSessions(lull: Lull) {
  const sessions = new Map<string, LiveSession>()
  let via = await lull.via()
  let hint: string | undefined
  return {
    get: (id: string): LiveSession | undefined => sessions.get(id),
    shown: () => ({ sessions: [...sessions.values()], via, ...defined({ hint }) }),
    async take(change: LiveChange, onTaken: () => void): Promise<void> {
      // Another snapshot is another source's.
      if (change.type === 'snapshot') via = await lull.via()
      file(sessions, change)
      onTaken()
      hint = await hintAfter(change, [...sessions.values()], hint)
    },
  }
}

/** A hint stays until the state is known, and comes only once. */
async function hintAfter(
  change: LiveChange,
  all: readonly LiveSession[],
  before: string | undefined,
): Promise<string | undefined> {
  if (!all.some(isUnknown)) return undefined
  if (before !== undefined || (change.type === 'changed' && !isUnknown(change.session))) return before
  return hintOf(all)
}

const isUnknown = ({ session }: LiveSession): boolean => session.verdict.state.kind === 'unknown'

const waits = ({ session }: LiveSession): boolean => session.verdict.state.kind === 'waiting'

/** What a person is about to answer was answered elsewhere, or is gone. */
function hasStoppedAsking(
  { asked }: WatchView,
  get: (id: string) => LiveSession | undefined,
  change: LiveChange,
): boolean {
  const before = asked && !asked.isGiven ? get(asked.id) : undefined
  if (!before) return false
  if (change.type === 'gone') return change.id === before.id
  return (
    change.type === 'changed' && change.session.id === before.id && waits(before) && !waits(change.session)
  )
}

function file(sessions: Map<string, LiveSession>, change: LiveChange): void {
  switch (change.type) {
    case 'snapshot':
      sessions.clear()
      for (const session of change.sessions) sessions.set(session.id, session)
      return
    case 'changed':
      sessions.set(change.session.id, change.session)
      return
    case 'gone':
      sessions.delete(change.id)
  }
}

/** The store is read again where a session has changed, and not with each picture. */
function keptPast() {
  const kept = new Map<string, readonly string[]>()
  return {
    of(id: string, onRead: () => void): readonly string[] | undefined {
      const known = kept.get(id)
      if (known) return known
      kept.set(id, [])
      void import('./watch-actions.ts')
        .then(({ pastOf }) => kept.set(id, pastOf(id)))
        .catch((error: Error) => kept.set(id, [error.message]))
        .finally(onRead)
      return undefined
    },
    forget: (id: string) => kept.delete(id),
  }
}

/** As Ctrl-Z does anywhere else. Where nothing could continue it, the kernel stops nobody. */
async function suspend(): Promise<void> {
  process.kill(0, 'SIGTSTP')
  await new Promise(resolve => setTimeout(resolve, suspendMs))
}

/** By then it has stopped, and goes on where it is continued: ms. */
const suspendMs = 100
