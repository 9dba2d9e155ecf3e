/** A terminal that is followed in a track: observed when its processes ran, and otherwise left alone. */
import type { Clock } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import { newSession } from '../../core/session.ts'
import { readBranch } from '../../os/file/git-branch.ts'
import { identify } from '../../os/proc/alive.ts'
import { hasEnded, readStat } from '../../os/proc/stat.ts'
import { ownedPane } from '../../owned/owned-pane.ts'
import { createObserver } from '../../terminal/observer.ts'
import { isConclusive, type Observation } from '../../terminal/observer-step.ts'
import { terminalSignals } from '../../terminal/terminal-signals.ts'
import { tmuxPane } from '../../terminal/tmux-pane.ts'
import type { Track } from '../../track/track.ts'
import { readFolder } from '../discover/surroundings.ts'
import type { LiveSession } from '../session-source.ts'
import type { NamedTerminal } from './named-terminals.ts'

export type FollowedTerminal = {
  readonly id: string
  readonly terminal: FollowedPane
  /** Observes again if any of its processes ran. @param patience ms that this may take until nothing moves */
  observe(patience: number): Promise<void>
  view(): LiveSession | undefined
}

/** A terminal with a name, or one that was asked for by its address alone. One of lull's own is called as its `pane`. */
export type FollowedPane = Omit<NamedTerminal, 'name'> & { readonly name?: string; readonly isOwned?: true }

/**
 * A terminal that is changing is reported once it has settled, with the next look at the latest. Where tmux does not answer, its
 * processes have run all the same: what was so before is known no more.
 */
const isReportable = (now: Observation): boolean => isConclusive(now) || now.unanswered !== undefined

/** What holds a terminal has so long to answer, while others wait for their turn: ms */
const answerMs = 1000

export function followTerminal(terminal: FollowedPane, track: Track, clock: Clock): FollowedTerminal {
  const { pid, start, tty, pane, socket, name, isOwned = false } = terminal
  const id = identify(pid, start)
  const address = { socket, id: pane, tty, pid }
  const observer = createObserver(isOwned ? ownedPane(address) : tmuxPane(address))
  let last: Observation | undefined
  let reported = ''
  let since = clock.now()
  let isSinceLook = true
  track.begin(id, newSession(clock.now()))

  return {
    id,
    terminal,
    async observe(patience) {
      if (observer.isUnchanged()) return
      last = await (patience > 0 ? observer.settle(patience) : observer.observe(answerMs))
      if (patience === 0 && !isReportable(last)) return
      const { verdict } = last
      const now = JSON.stringify([verdict.state, verdict.health])
      if (now !== reported) since = clock.now()
      isSinceLook = reported === '' || (isSinceLook && now === reported)
      reported = now
      track.file(id, terminalSignals(verdict, since, clock.now()))
    },
    view() {
      const session = track.get(id)
      if (!session) return undefined
      // Of a process that has ended nothing can be read, and that is not news.
      const isOver = session.verdict.state.kind === 'exited'
      const { cwd, note } = isOver ? {} : readFolder(inFront(last?.verdict.reader) ?? pid)
      const branch = cwd === undefined ? undefined : readBranch(cwd)
      return {
        id,
        agent: 'terminal',
        pid,
        ...(isOwned ? { terminal: pane } : { pane, tmux: socket }),
        ...defined({ name, cwd, branch, note }),
        hooks: 'unknown',
        // A prompt that waits for input is nothing that somebody has to look at.
        isSeen: true,
        ...(isSinceLook ? { isSinceLook } : {}),
        session: { ...session, instant: undefined },
      }
    },
  }
}

/** The process that was in front at the last look, unless it has ended since. */
function inFront(reader: number | undefined): number | undefined {
  const stat = reader === undefined ? undefined : readStat(reader)
  return stat && !hasEnded(stat) ? reader : undefined
}
