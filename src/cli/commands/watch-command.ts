/** `lull watch`: the agents of this machine as they change; a table in a terminal, lines anywhere else. */

import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import type { Printable } from '../../core.ts'
import { connect, type Lull, realClock } from '../../index.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { byNeed } from '../../sessions/rank.ts'
import { nameOf } from '../../sessions/session-names.ts'
import type { LiveChange, LiveSession } from '../../sessions/session-source.ts'
import { onNotice } from '../notice.ts'
import { takeTerminal } from '../ui/full-screen-terminal.ts'
import { hintOf, printHint } from '../ui/hint.ts'
import { jsonLine, lines, print } from '../ui/print.ts'
import { jsonRow, rowOf } from '../ui/session-rows.ts'
import { firstView, press, type WatchEffect } from '../ui/watch-keys.ts'
import { frame, type Scene, shownRows } from '../ui/watch-screen.ts'
import { pidOf } from './explain-process.ts'
import { goTo } from './go-command.ts'
import type { ProcessFlags } from './process-command.ts'

export async function watchCommand(address: string | undefined, flags: ProcessFlags): Promise<void> {
  if (address !== undefined) {
    const pid = pidOf(address)
    if (pid === undefined)
      throw new LullError('USAGE', `lull watch ${address}: one process is watched as pid:N`)
    await (await import('./process-command.ts')).watchOneProcess(pid, flags)
    return
  }
  const { json, ...ofProcess } = flags
  if (Object.keys(ofProcess).length > 0)
    throw new LullError('USAGE', '--preset, --dwell and --silence are for the health of one process: pid:N')
  const isScreen = !json && process.stdin.isTTY === true && process.stdout.isTTY === true
  // A sentence on a screen that is drawn over would be lost.
  await using lull = await connect({ startsHost: true, ...(isScreen ? {} : { onNotice }) })
  if (isScreen) await watchScreen(lull)
  else await watchLines(lull, json ? jsonLines : plainLines)
}

async function watchLines(lull: Lull, toLines: (change: LiveChange) => readonly Printable[]): Promise<void> {
  let isHinted = toLines === jsonLines
  for await (const change of lull.changes()) {
    print(...toLines(change))
    const shown = change.type === 'snapshot' ? change.sessions : []
    if (!isHinted) isHinted = await printHint(change.type === 'changed' ? [change.session] : shown)
  }
}

const time = (): string => new Date().toISOString()

function plainLines(change: LiveChange): readonly Printable[] {
  const line = (session: LiveSession): Printable => {
    const clock = realClock()
    const { state, where, now, why } = rowOf(session, clock.now(), homeFolder(), clock.wall() - clock.now())
    const words = [time(), nameOf(session, homeFolder()), where, state, now || why]
    return lines(words.filter(word => word !== '').join('  '))
  }
  switch (change.type) {
    case 'snapshot':
      return change.sessions.length === 0
        ? [lines(`${time()}  no agent runs yet`)]
        : byNeed(change.sessions).map(line)
    case 'changed':
      return [line(change.session)]
    case 'gone':
      return [lines(`${time()}  ${change.id}  forgotten`)]
  }
}

function jsonLines(change: LiveChange): readonly Printable[] {
  const clock = realClock()
  const now = clock.now()
  const row = (session: LiveSession) => jsonRow(session, now, clock.wall() - now)
  const at = time()
  switch (change.type) {
    case 'snapshot':
      return [jsonLine({ event: 'snapshot', at, sessions: byNeed(change.sessions).map(row) })]
    case 'changed':
      return [jsonLine({ event: 'changed', at, session: row(change.session) })]
    case 'gone':
      return [jsonLine({ event: 'gone', at, id: change.id })]
  }
}

/** Ages are shown in seconds. */
const ageMs = 1000
/** A picture is drawn at most this often: an agent that streams changes faster than anyone reads. */
const drawMs = 40

async function watchScreen(lull: Lull): Promise<void> {
  const clock = realClock()
  const home = homeFolder()
  const isColoured = !process.env.NO_COLOR
  const sessions = new Map<string, LiveSession>()
  let via = await lull.via()
  let view = firstView
  let message: string | undefined
  let hint: string | undefined
  let due: NodeJS.Timeout | undefined
  const { promise: over, resolve: quit } = Promise.withResolvers<void>()

  const scene = (): Scene => ({
    sessions: [...sessions.values()],
    via,
    view,
    now: clock.now(),
    epoch: clock.wall() - clock.now(),
    home,
    ...defined({ message, hint }),
  })
  const draw = () => {
    due = undefined
    terminal.draw(frame(scene(), terminal.size(), isColoured))
  }
  const drawSoon = () => {
    due ??= setTimeout(draw, drawMs)
  }
  const terminal = takeTerminal({
    resize: () => drawSoon(),
    key(key) {
      message = undefined
      const pressed = press(
        view,
        key,
        shownRows(scene()).map(({ id }) => id),
      )
      view = pressed.view
      if (pressed.effect) void act(pressed.effect).catch((error: Error) => showMessage(error.message))
      draw()
    },
  })
  const showMessage = (text: string) => {
    message = text
    drawSoon()
  }

  async function act(effect: WatchEffect): Promise<void> {
    if (effect.type === 'quit') return quit()
    const session = sessions.get(effect.id)
    if (!session) return
    if (effect.type === 'seen') {
      await lull.markSeen([session.id])
      return showMessage(`seen: ${nameOf(session, home)}`)
    }
    const { sentence } = await (process.env.TMUX
      ? goTo(session, lull)
      : terminal.lend(() => goTo(session, lull)))
    if (sentence !== '') showMessage(sentence)
  }

  async function follow(): Promise<void> {
    for await (const change of lull.changes()) {
      // Another snapshot is another source's.
      if (change.type === 'snapshot') via = await lull.via()
      take(sessions, change)
      drawSoon()
      // What was told once stands until it is known, and comes no second time.
      const all = [...sessions.values()]
      if (!all.some(isUnknown)) hint = undefined
      else if (hint === undefined && (change.type !== 'changed' || isUnknown(change.session)))
        hint = await hintOf(all)
    }
  }

  const ages = setInterval(() => sessions.size > 0 && draw(), ageMs)
  process.stdin.once('end', () => quit())
  try {
    draw()
    await Promise.race([follow(), over])
  } finally {
    clearInterval(ages)
    clearTimeout(due)
    terminal.close()
  }
}

const isUnknown = ({ session }: LiveSession): boolean => session.verdict.state.kind === 'unknown'

function take(sessions: Map<string, LiveSession>, change: LiveChange): void {
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
