/**
 * A pseudo terminal that lull opened itself: its program is judged after each output and now and then while it is
 * quiet. No screen is rendered: the line that was printed last stands for it.
 */
import { StringDecoder } from 'node:string_decoder'
import type { Clock, Timer } from '../core/clock.ts'
import { readStat } from '../os/proc/stat.ts'
import { ptsOf } from '../os/tty/tty.ts'
import { classify } from './classify/classify.ts'
import { type Learned, learn, nothingLearned } from './classify/learned.ts'
import { tailScreen } from './classify/screen-text.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'
import { type Given, probeTerminal } from './probe/probe.ts'
import type { Probe } from './probe/probed.ts'
import { isSteady } from './probe/steady.ts'
import { newStream, readStream } from './stream.ts'

/**
 * One look: two probes, one right after the other, must agree. `unknown` where they do not; `lookAgainIn` says when to
 * look again.
 * @param tty `/dev/pts/3`
 * @param leader the pid of its first process
 */
function readState(
  tty: string,
  leader: number,
  given: Given & { readonly learned?: Learned } = {},
): { readonly verdict: TerminalVerdict; readonly probe: Probe } {
  const { learned = nothingLearned, ...rest } = given
  const before = probeTerminal(tty, leader, rest)
  const probe = probeTerminal(tty, leader, rest)
  const verdict = classify(probe, learned)
  if (isSteady(before, probe)) return { verdict, probe }
  return {
    verdict: { ...verdict, state: { kind: 'unknown' }, confidence: 0, why: 'it moves', lookAgainIn: soonMs },
    probe,
  }
}

export type OwnTerminal = {
  /** To be called with all that the terminal prints. */
  heard(piece: Buffer): void
  close(): void
}

/** Output that goes on is judged at most so often, ms. */
const soonMs = 50
/** What changes without output, like a silent read: seen so late at most, ms. */
const quietEveryMs = 1000
const tailLength = 4096

/**
 * @param pid the terminal's first process, as node-pty tells it
 * @param told called with each verdict that says something else than the one before
 */
export function watchOwnTerminal(
  pid: number,
  clock: Clock,
  told: (verdict: TerminalVerdict) => void,
): OwnTerminal {
  const decoder = new StringDecoder('utf8')
  let stream = newStream(performance.now())
  let tail = ''
  let learned: Learned = nothingLearned
  let last = ''
  let timer: Timer = clock.at(clock.now() + soonMs, look)
  let due = clock.now() + soonMs

  function look(): void {
    const stat = readStat(pid)
    const tty = stat && ptsOf(stat.tty)
    let again = quietEveryMs
    if (tty !== undefined) {
      const quiet = performance.now() - stream.marks.lastOutput
      const screen = { ...tailScreen(tail), alternate: stream.marks.alternate?.on ?? false }
      const { verdict, probe } = readState(tty, pid, { screen, stream: stream.marks, quiet, learned })
      if (verdict.lookAgainIn === undefined) {
        learned = learn(learned, probe)
        const { state, health, tier, why } = verdict
        const now = JSON.stringify([state, health, tier, why])
        if (now !== last) told(verdict)
        last = now
      } else again = Math.max(soonMs, verdict.lookAgainIn)
    }
    due = clock.now() + again
    timer = clock.at(due, look)
  }

  return {
    heard(piece) {
      const text = decoder.write(piece)
      stream = readStream(stream, text, performance.now())
      tail = (tail + text.slice(-tailLength)).slice(-tailLength)
      const soon = clock.now() + soonMs
      if (soon >= due) return
      timer.cancel()
      due = soon
      timer = clock.at(due, look)
    },
    close: () => timer.cancel(),
  }
}
