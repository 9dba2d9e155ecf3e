/** A health in a sentence: what keeps a session from making progress, since when, and what to do. */

import type { Verdict } from '../judge/verdict.ts'
import type { Cause, Instant } from '../state.ts'
import { formatDuration } from '../text/duration.ts'

/** Each cause in a few words. */
export const causes: Readonly<Record<Cause, string>> = {
  no_progress: 'no sign of progress for more than five minutes',
  exited: 'it has ended',
  zombie: 'it has ended, and its parent does not take note',
  stopped: 'it is stopped by a signal',
  frozen: 'its control group is frozen',
  traced: 'a debugger holds it',
  deadlock: 'it holds locks in a ring',
  starved: 'it gets no processor',
  computing: 'it computes',
  disk: 'it waits for the disk',
  dead_peer: 'whoever it is connected with does not answer any more',
  unreachable: 'whoever it tries to reach does not answer',
  network: 'it waits for the network',
  connecting: 'it is being connected',
  outsider: 'it waits for another program',
  output: 'its output is full, and nobody reads it',
  timer: 'it waits for a timer',
  ticking: 'it wakes again and again and gets nothing done',
  stdin: 'it waits for input',
  server: 'it waits for requests',
  signal: 'it waits for a signal',
  closed_wait: 'nothing is left that could wake it',
  unknown: 'what it waits for is not known',
}

export const isCause = (word: unknown): word is Cause =>
  typeof word === 'string' && Object.hasOwn(causes, word)

const leads: Readonly<Record<Verdict['health']['level'], string>> = {
  healthy: '',
  suspicious: 'Perhaps stuck',
  likely_stuck: 'Probably stuck',
  confirmed_stuck: 'Stuck',
}

/** One sentence, or two with what to do; empty where nothing is wrong. */
export function explainHealth({ health, healthBy }: Verdict, now: Instant): string {
  const { level, cause = 'unknown' } = health
  if (level === 'healthy') return ''
  if (!healthBy) return capital(`${causes[cause]}.`)
  const held = formatDuration(Math.max(0, now - healthBy.since))
  const advice = healthBy.advice === undefined ? '' : ` ${capital(healthBy.advice)}.`
  return `${leads[level]} for ${held} (${causes[cause]}): ${healthBy.what}.${advice}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
