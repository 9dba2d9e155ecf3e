/**
 * How often verdicts of each rule were right on the recorded sessions, clean and with every fault together. An `unknown`
 * claims nothing. Source: the calibration table of `npm run bench:agents`, docs/benchmarks.md.
 */
import type { Kind } from '../state.ts'
import type { Rule, Verdict } from './verdict.ts'

const byRule: Readonly<Record<Exclude<Rule, 'busier' | 'contradicted'>, number>> = {
  exit: 0.99,
  agreed: 0.99,
  news: 0.98,
  overturned: 0.97,
  sign: 0.98,
  halted: 0,
  doubt: 0,
  nothing: 0,
}

/**
 * Who contradicts is late or broken, so that what the news say is as good as without it; a dialog may have been answered.
 * Work is no verdict where a source that reported this turn denies it (`either-late.ts`).
 */
const contradicted: Readonly<Record<Kind, number>> = {
  exited: 0.98,
  idle: 0.98,
  starting: 0.98,
  waiting: 0.7,
  working: 0.96,
  unknown: 0,
}

/** Where Enter is not known, the source that denies work may not have reported this turn yet: right in 26 to 89 %. */
const deniedWithoutEnter = 0.5

/** What the news say that a sign is busier than. */
const busierThan: Readonly<Partial<Record<Kind, number>>> = { starting: 0.98, working: 0.98, idle: 0.98 }

/** A process has started, and no source shows that it is up: many never report it. */
const stillStarting = 0.96

/** What looks and quiet alone tell of a terminal: as its verdict has it (src/terminal/classify/classify.ts), which `npm run bench:terminal` counts. */
export const inferredSign = 0.8

/** @param knowsEnter whether the keyboard of the session is seen */
export function confidenceOf(rule: Rule, kind: Kind, than: Kind, knowsEnter: boolean): number {
  if (rule === 'contradicted')
    return kind === 'working' && !knowsEnter ? deniedWithoutEnter : contradicted[kind]
  if (rule === 'busier') return busierThan[than] ?? 0
  return rule === 'news' && kind === 'starting' ? stillStarting : byRule[rule]
}

/**
 * A source that can't be read may know what the others don't. The end of the process, and an end that a hook reported, keep
 * their confidence. For the rest no recording shows how often it is right: at most 0.5.
 */
export const confidenceBesideUnread = ({ rule, because: [first], confidence }: Verdict): number =>
  rule === 'exit' || (first?.type === 'news' && first.source === 'hook')
    ? confidence
    : Math.min(confidence, 0.5)
