/** What people know agents by that run in terminals: where those stand, and what their titles call the session. */
import { ownTitle } from '../../../agents/kit/title.ts'
import { defined } from '../../../core/defined.ts'
import type { LiveSession } from '../../session-source.ts'
import type { FoundAgent } from '../agents-state.ts'
import type { PaneInFront } from './panes-in-front.ts'

export type PaneLabel = Pick<LiveSession, 'place' | 'window' | 'title'>

/** By sessions' ids. @param changed is told of each that is called otherwise than before */
export function labelPanes(
  labels: Map<string, PaneLabel>,
  panes: readonly PaneInFront[],
  agents: readonly FoundAgent[],
  changed: (id: string) => void,
): void {
  for (const { id, stand: place, window, title } of panes) {
    const agent = agents.find(one => one.id === id)
    if (!agent) continue
    const { process, surroundings } = agent
    const label = defined({ place, window, title: ownTitle(process.agent, title, surroundings.cwd) })
    if (JSON.stringify(label) === JSON.stringify(labels.get(id))) continue
    labels.set(id, label)
    changed(id)
  }
}
