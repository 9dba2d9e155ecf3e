/** A followed session as commands, host and library show it, with the labels of its pane. */
import { ownTitle } from '../../agents/kit/title.ts'
import { driftOf } from '../../agents/screen/drift.ts'
import { defined } from '../../core/defined.ts'
import { confidenceBesideUnread, confidenceUnchecked, type Unchecked } from '../../core/judge/confidence.ts'
import type { Session } from '../../core/session.ts'
import type { HookReception, LiveSession } from '../session-source.ts'
import type { FollowedAgent, FoundAgent } from './agents-state.ts'
import type { PaneInFront } from './panes/panes-in-front.ts'

export type PaneLabel = Pick<LiveSession, 'pane' | 'place' | 'window' | 'title'>

/** Updates the labels by session id. @param changed called for each session with a new label */
export function labelPanes(
  labels: Map<string, PaneLabel>,
  panes: readonly PaneInFront[],
  agents: readonly FoundAgent[],
  changed: (id: string) => void,
): void {
  for (const { id, place: screen, stand: place, window, title } of panes) {
    const agent = agents.find(one => one.id === id)
    if (!agent) continue
    const { process, surroundings } = agent
    const pane = 'pane' in screen ? screen.pane : undefined
    const label = defined({ pane, place, window, title: ownTitle(process.agent, title, surroundings.cwd) })
    if (JSON.stringify(label) === JSON.stringify(labels.get(id))) continue
    labels.set(id, label)
    changed(id)
  }
}

/**
 * @param receivesHooks hooks could have come
 * @param unread what can't be read of its files, and why
 */
export function viewOf(
  { id, process, surroundings, status, follow, branch, hooks, turnsBefore, title }: FollowedAgent,
  session: Session,
  {
    seen,
    receivesHooks,
    unread,
    label = {},
  }: {
    readonly seen: Pick<LiveSession, 'isSeen' | 'isSeenByFocus'>
    readonly receivesHooks: boolean
    readonly unread?: string
    /** What it is known by to people. */
    readonly label?: PaneLabel
  },
): LiveSession {
  const { cwd, pane, tmux, terminal, note, owner } = surroundings
  const { path: transcript } = follow
  const drift = driftOf(session.facts.version ?? surroundings.version, process.agent.screens.version)
  const unchecked = process.agent.screens.unverified !== undefined ? 'agent' : drift && 'version'
  return {
    id,
    agent: process.agent.name,
    pid: process.pid,
    ...defined({ ancestors: process.ancestors }),
    ...defined({ cwd, branch, pane, tmux, terminal, transcript, status, note, owner, drift }),
    ...label,
    hooks:
      hooks > 0
        ? 'heard'
        : receptionOf(session, turnsBefore, receivesHooks && process.agent.hooks !== undefined),
    ...(isSinceFirstLook(session, title) && { isSinceLook: true }),
    ...seen,
    session: {
      ...lessSure(unread === undefined ? session : lessKnown(session, unread), unchecked),
      instant: undefined,
    },
  }
}

/** Its deciding evidence was there at the first look, so the start of its state is not known. */
function isSinceFirstLook({ verdict: { because } }: Session, title: FollowedAgent['title']): boolean {
  const [first] = because
  if (first?.source === 'title') return title?.isSinceLook === true
  return first?.type === 'sign' && first.isSinceLook === true
}

/** What can't be read may say otherwise than what can be. */
function lessKnown(session: Session, degraded: string): Session {
  const { facts, verdict } = session
  return {
    ...session,
    facts: { ...facts, degraded },
    verdict: { ...verdict, confidence: confidenceBesideUnread(verdict) },
  }
}

/** What is known of the agent was checked on no version, or on older ones. */
function lessSure(session: Session, unchecked: Unchecked | undefined): Session {
  if (unchecked === undefined) return session
  const { verdict } = session
  return { ...session, verdict: { ...verdict, confidence: confidenceUnchecked(verdict, unchecked) } }
}

/** `blind` once it went through a whole turn while hooks could be received, and none came. */
function receptionOf({ verdict }: Session, turnsBefore: number, receivesHooks: boolean): HookReception {
  const hasEndedTurn = verdict.turn > turnsBefore && verdict.turnOver
  return receivesHooks && hasEndedTurn ? 'blind' : 'unknown'
}
