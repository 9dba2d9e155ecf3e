/** What a key of `lull watch` sets off, carried out. */
import { openHistory } from '../../history/open-history.ts'
import { type Lull, placesOf } from '../../index.ts'
import { inFull, stateKind } from '../../sessions/history/session-past.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { goTo } from '../commands/go-command.ts'
import { dayOf } from '../ui/clock-words.ts'
import { lastedOf, ownPastLine, shownPast } from '../ui/past-line.ts'
import { askedOf, type Choice, type WatchedDialog } from './asked-step.ts'
import type { SessionEffect } from './watch-step.ts'

export type ActionPorts = {
  readonly lull: Lull
  readonly home: string
  /** Gives the terminal away for as long as something takes. */
  readonly lend: <T>(use: () => Promise<T>) => Promise<T>
}

export type Carried = {
  /** Empty where there is nothing to say. */
  readonly message: string
  /** What was asked for: the dialog that is shown. */
  readonly asked?: WatchedDialog
}

export async function carryOut(
  effect: SessionEffect,
  session: LiveSession,
  { lull, home, lend }: ActionPorts,
): Promise<Carried> {
  const name = nameOf(session, home)
  switch (effect.type) {
    case 'seen':
      await lull.markSeen([session.id])
      return { message: `seen: ${name}` }
    case 'ask': {
      const asked = await askedBy(lull, session)
      return asked ? { message: '', asked } : { message: `${name} shows no dialog; enter switches to it` }
    }
    case 'answer':
      return { message: await giveAnswer(lull, effect, name) }
    case 'go': {
      if (session.host !== undefined)
        return { message: `${name} is on another machine: ssh ${session.host}, then lull go` }
      const go = () => goTo(session, lull)
      return { message: (await (process.env.TMUX ? go() : lend(go))).sentence }
    }
  }
}

/** What its screen asks now. Nothing is pressed. */
async function askedBy(lull: Lull, session: LiveSession): Promise<WatchedDialog | undefined> {
  await using terminal = await lull.terminal(session.id, { readOnly: true })
  const dialog = await terminal.dialog()
  return dialog && askedOf(session.id, dialog)
}

/**
 * As `lull answer`: the dialog is read again right before each key, and where it is another one than the person saw, none is
 * pressed.
 */
async function giveAnswer(lull: Lull, { id, dialog, choices, text }: Choice, name: string): Promise<string> {
  await using terminal = await lull.terminal(id)
  const {
    dialog: { asked },
    chosen,
    isGone,
    next,
  } = await terminal.answer(choices, {
    dialog,
    ...(text === undefined ? {} : { text }),
  })
  const what = chosen.join(', ') || 'nothing ticked'
  if (!isGone && asked) return `chose ${what}; whether it took effect is not known; enter switches to ${name}`
  if (!isGone) return `chose ${what}, but the dialog is still open; enter switches to ${name}`
  return next ? `answered: ${what}; it asks on: a shows what` : `answered: ${what}`
}

const pastMs = 24 * 3_600_000
const mostPast = 500

/** What became of a session in the last day, the newest first. */
export function pastOf(id: string, now = Date.now()): readonly string[] {
  const [, box] = id.split('@')
  if (box !== undefined) return [`what becomes of it is kept there: lull since --on ${box}`]
  const history = openHistory(placesOf(), { readOnly: true })
  try {
    const found = history.entries({ session: id, since: now - pastMs, most: mostPast })
    const entries = inFull(shownPast(found))
    if (entries.length === 0) return ['nothing was kept of it in the last day: a host keeps what happens']
    const lasted = lastedOf(entries)
    const isStill = entries.findLast(({ kind }) => kind === stateKind)
    let day = dayOf(now)
    return entries.toReversed().flatMap(entry => {
      const line = ownPastLine(entry, lasted.get(entry) ?? (entry === isStill ? now - entry.at : undefined))
      if (dayOf(entry.at) === day) return [line]
      day = dayOf(entry.at)
      return [day, line]
    })
  } finally {
    history.close()
  }
}
