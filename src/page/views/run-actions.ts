/** What can be done to a loop or a respawn as it is now, and when it goes on. Pure. */
import { parseIso } from '../../core/trace/time-stamp.ts'
import type { Loop, Respawn } from '../types.ts'

export type RunAction = 'pause' | 'resume' | 'skip' | 'stop'

/** `skip` of a loop ends a wait, and that of a respawn leaves a step out. */
const words = {
  loop: { pause: 'Pause', resume: 'Resume', skip: 'Run now', stop: 'Stop' },
  respawn: { pause: 'Pause', resume: 'Resume', skip: 'Leave out the next step', stop: 'Stop' },
} as const satisfies Readonly<Record<string, Readonly<Record<RunAction, string>>>>

export type RunKind = keyof typeof words

export const actionWords = (kind: RunKind, action: RunAction): string => words[kind][action]

/** When the next iteration of a loop begins, ms since the epoch; undefined where none is due. */
export function nextRun({ loop, wakes = [] }: Pick<Loop, 'loop' | 'wakes'>): number | undefined {
  // What would wake its agent is not its next run.
  if (loop?.phase !== 'delaying') return undefined
  const times = wakes.flatMap(({ at = '' }) => parseIso(at) ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

export function loopActions({ loop }: Pick<Loop, 'loop'>): readonly RunAction[] {
  switch (loop?.phase) {
    case 'iterating':
      return [loop.isPausing ? 'resume' : 'pause', 'stop']
    case 'delaying':
      return ['pause', 'skip', 'stop']
    case 'paused':
      return ['resume', 'skip', 'stop']
    default:
      // Nothing is known of it but that it runs.
      return ['stop']
  }
}

export function respawnActions({ phase }: Pick<Respawn, 'phase'>): readonly RunAction[] {
  if (phase === 'stopped') return []
  return phase === 'paused' ? ['resume', 'skip', 'stop'] : ['pause', 'skip', 'stop']
}

/** Where it is in its plan, and what it does; a step is named once. */
export function progressWords({ cycle, step, steps, detection }: Respawn): string {
  const { statusText: text } = detection
  const place = `step ${step} of ${steps}`
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return `Cycle ${cycle}${text.includes(place) ? '' : `, ${place}`}. ${sentence}`
}
