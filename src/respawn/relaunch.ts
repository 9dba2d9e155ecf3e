/** Starts an agent that crashed again, by a line into the shell that is left where it ran. */
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { hasCrashed } from '../sessions/crashed.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { ActResult } from './step/respawn-state.ts'

type RelaunchPorts = {
  readonly clock: Clock
  sessions(): Promise<readonly LiveSession[]>
  place(session: LiveSession): Promise<Terminal>
}

/** An agent that was started shows up within this time, or it failed: ms. */
const startMs = 60_000
const againMs = 250

/** @param after ms: a crash that comes again and again is not answered at once */
export async function relaunch(
  before: LiveSession,
  command: string,
  after: number,
  { clock, sessions, place }: RelaunchPorts,
  signal: AbortSignal,
): Promise<{ readonly result: ActResult; readonly started?: LiveSession }> {
  await until(clock, clock.now() + after, signal)
  if (signal.aborted) return { result: { is: 'failed', why: 'called off' } }
  // A hook may tell of its end after its process is gone.
  const now = (await sessions()).find(({ id }) => id === before.id)
  if (now && !hasCrashed(now)) return { result: { is: 'gone', why: 'it ended of itself, as it told by now' } }
  try {
    await using terminal = await place(before)
    // Whoever started it by hand in the meantime would get the line as a prompt.
    const unless = (now: LiveSession | undefined) => now && `${now.agent} ${now.id} has the terminal`
    await terminal.send(command, { signal, unless })
  } catch (error) {
    if (!isLullError(error)) throw error
    return { result: { is: 'failed', why: error.message } }
  }
  for (const end = clock.now() + startMs; clock.now() < end && !signal.aborted; ) {
    const started = (await sessions()).find(one => isInPlaceOf(one, before))
    if (started) return { result: { is: 'sent' }, started }
    await until(clock, clock.now() + againMs, signal)
  }
  return { result: { is: 'failed', why: `no agent showed up within ${startMs / 1000} s` } }
}

const isInPlaceOf = (one: LiveSession, { id, tmux, pane, terminal, agent }: LiveSession): boolean =>
  one.id !== id &&
  one.agent === agent &&
  one.session.verdict.state.kind !== 'exited' &&
  (terminal === undefined ? one.tmux === tmux && one.pane === pane : one.terminal === terminal)

const until = (clock: Clock, at: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = clock.at(at, resolve)
    signal.addEventListener(
      'abort',
      () => {
        timer.cancel()
        resolve()
      },
      { once: true },
    )
  })
