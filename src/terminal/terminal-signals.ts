/** A verdict on a terminal as signals for a track. */
import type { Sign, Signal } from '../core/evidence/signal.ts'
import type { Instant, Kind } from '../core/state.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'

const kinds: readonly Kind[] = ['starting', 'working', 'waiting', 'idle']

/**
 * What the kernel proves is a sign of the process, what the screen was needed for is one of the screen; the other one
 * ends.
 * @param since since when the terminal is as it is, `at` now
 */
export function terminalSignals(verdict: TerminalVerdict, since: Instant, at: Instant): readonly Signal[] {
  const { state, health, tier, why } = verdict
  if (state.kind === 'exited') {
    const { code, signal } = state
    return [
      {
        type: 'exit',
        source: 'process',
        what: why,
        ...(code === undefined ? {} : { code }),
        ...(signal === undefined ? {} : { signal }),
        at,
      },
    ]
  }
  const own = tier === 'proven' ? 'process' : 'screen'
  const sign = (source: 'process' | 'screen'): Sign => ({
    type: 'sign',
    source,
    what: why,
    state,
    excludes: kinds.filter(kind => kind !== state.kind),
    tier,
    lag: 0,
    since,
    seen: at,
    alive: source === own,
  })
  return [
    sign('process'),
    sign('screen'),
    {
      type: 'health',
      source: 'process',
      owner: 'terminal',
      what: why,
      health,
      since,
      seen: at,
      alive: health.level !== 'healthy',
    },
  ]
}
