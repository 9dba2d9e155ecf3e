/** A terminal that is followed in a track: looked at closely when its processes stir, and otherwise left alone. */
import type { Clock } from '../../core/clock.ts'
import { newSession } from '../../core/session.ts'
import { readBranch } from '../../os/file/git-branch.ts'
import { readText } from '../../os/proc/proc-file.ts'
import { identify } from '../../os/proc/process-id.ts'
import {
  lookAtPane,
  noMemory,
  type PaneLook,
  type PaneMemory,
  settledPane,
} from '../../terminal/pane-look.ts'
import { probeTerminal } from '../../terminal/probe/probe.ts'
import { readingOf } from '../../terminal/probe/probed.ts'
import { isSteady } from '../../terminal/probe/steady.ts'
import { terminalSignals } from '../../terminal/terminal-signals.ts'
import type { Track } from '../../track/track.ts'
import { readSurroundings } from '../discover/surroundings.ts'
import type { LiveSession } from '../session-source.ts'
import type { NamedTerminal } from './named-terminals.ts'

export type FollowedTerminal = {
  readonly id: string
  readonly terminal: Place
  /** Looks again if anything stirred. @param patience ms that a look may take until nothing moves */
  look(patience: number): Promise<void>
  view(): LiveSession | undefined
}

/** A terminal with a name, or one that was asked for by its address alone. */
export type Place = Omit<NamedTerminal, 'name'> & { readonly name?: string }

export function followTerminal(terminal: Place, track: Track, clock: Clock): FollowedTerminal {
  const { pid, start, tty, pane, socket, name } = terminal
  const id = identify(pid, start)
  const place = { socket, id: pane, tty, pid }
  let memory: PaneMemory = noMemory
  let last: PaneLook | undefined
  let pulse = ''
  let said = ''
  let since = clock.now()
  track.begin(id, newSession(clock.now()))

  /** One small file tells that a shell at its prompt has not run since: most looks end here. */
  function isAsleep(): boolean {
    const before = pulse
    pulse = last?.verdict.reader === pid ? readText(`/proc/${pid}/schedstat`) : ''
    return pulse !== '' && pulse === before && last?.isRipe === true
  }

  const isAsBefore = (): boolean =>
    last?.isRipe === true &&
    last.probe.inner === undefined &&
    last.probe.processes.some(readingOf) === (last.verdict.state.kind !== 'working') &&
    isSteady(last.probe, {
      ...probeTerminal(tty, pid),
      ...(last.probe.screen ? { screen: last.probe.screen } : {}),
    })

  return {
    id,
    terminal,
    async look(patience) {
      if (isAsleep() || isAsBefore()) return
      last = await (patience > 0 ? settledPane(place, memory, patience) : lookAtPane(place, memory))
      memory = last.memory
      if (!last.isRipe && patience === 0) return
      const { verdict } = last
      const now = JSON.stringify([verdict.state, verdict.health])
      if (now !== said) since = clock.now()
      said = now
      track.file(id, terminalSignals(verdict, since, clock.now()))
    },
    view() {
      const session = track.get(id)
      if (!session) return undefined
      const { cwd, note } = readSurroundings(last?.verdict.reader ?? pid)
      const branch = cwd === undefined ? undefined : readBranch(cwd)
      return {
        id,
        agent: 'terminal',
        pid,
        pane,
        tmux: socket,
        ...(name === undefined ? {} : { name }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(branch === undefined ? {} : { branch }),
        ...(note === undefined ? {} : { note }),
        hooks: 'unknown',
        // A prompt that waits for input is nothing that somebody has to look at.
        isSeen: true,
        session: { ...session, instant: undefined },
      }
    },
  }
}
