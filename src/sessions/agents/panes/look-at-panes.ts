/** Looks at what the panes of agents show: their titles, their screens, and whether a dialog still stands there. */
import type { Clock } from '../../../core/clock.ts'
import type { Session } from '../../../core/session.ts'
import { readShown } from '../../../track/decode-screen.ts'
import type { RawInput } from '../../../track/raw-input.ts'
import type { RulesNow } from '../../screens/rules-now.ts'
import type { AgentsEvent, FollowedAgent } from '../agents-state.ts'
import { dialogsShown } from '../dialog-screens.ts'
import { type ScreenLook, screensShown } from '../screen-looks.ts'
import { type PaneInFront, panesInFront } from './panes-in-front.ts'

export type PaneLooker = {
  readonly clock: Clock
  /** What has been looked at so far. */
  readonly screens: Map<string, ScreenLook>
  agents(): readonly FollowedAgent[]
  rulesOf(agent: string): Promise<RulesNow>
  sessionOf(id: string): Session | undefined
  /** Its pane's output is heard, titles included. */
  isHeard(id: string): boolean
  /** What people call them, and who has them before them. */
  shown(panes: readonly PaneInFront[]): void
  feed(event: AgentsEvent): void
}

/** What is still counts at the second look that shows it: that need not wait for the next search. ms */
const secondLookMs = 250

export async function lookAtPanes(looker: PaneLooker, isSecond = false): Promise<void> {
  const { clock, screens, agents, sessionOf, isHeard, feed } = looker
  const panes = await panesInFront(agents(), clock.wall())
  looker.shown(panes)
  const told = new Set(agents().flatMap(({ id, process }) => (process.agent.paneTitle ? [id] : [])))
  for (const { id, title } of panes) if (told.has(id) && !isHeard(id)) feed({ type: 'title', id, title })
  for (const look of await screensShown(panes, screens, clock.now(), clock.wall())) {
    const { id, rows, title, isSame } = look
    const name = agents().find(agent => agent.id === id)?.process.agent.name
    if (name === undefined) continue
    const { rules, isOwn } = await looker.rulesOf(name)
    const isStill = look.isStill ? { isStill: true } : {}
    const screen = { rows, ...(title === '' ? {} : { title }) }
    const read = isOwn ? { read: readShown(rules, screen) } : {}
    // A person's own rules may have changed since.
    const input: RawInput =
      isSame && !isOwn
        ? { type: 'same screen', ...isStill }
        : { type: 'screen', ...screen, ...isStill, ...read }
    feed({ type: 'input', id, inputs: [input] })
  }
  const dialogs = isSecond ? [] : await dialogsShown(agents(), sessionOf)
  for (const dialog of dialogs) feed({ type: 'dialog', ...dialog })
  const isOpen = agents().some(
    ({ title, id }) => (title?.state !== undefined && !title.isTold) || isNew(screens.get(id)),
  )
  if (isOpen && !isSecond) clock.at(clock.now() + secondLookMs, () => void lookAtPanes(looker, true))
}

/** Whether it stands still the next look tells. */
const isNew = (look: ScreenLook | undefined): boolean => look?.count === 1
