/**
 * How often verdicts of each rule were right on the recorded sessions, clean and with every fault together. An `unknown`
 * claims nothing. Source: the calibration table of `npm run bench:agents`, docs/benchmarks.md.
 */
import type { Instant, Kind } from '../state.ts'
import type { Evidence, Rule, Verdict } from './verdict.ts'

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

/** From this age of the evidence on, ms: how sure the verdict is. */
type Step = { readonly from: number; readonly confidence: number }

/**
 * A process has started, and no source shows that it is up: many never report it. The longer ago, the more likely it is. Right
 * in 99, 94 and 87 % of all runs, and in 84 and 71 % from 2 and 5 s on where two sources fail.
 */
const starting: readonly Step[] = [
  { from: 0, confidence: 0.98 },
  { from: 2000, confidence: 0.9 },
  { from: 5000, confidence: 0.83 },
]

/** A sign of a dialog that the news do not report may be late, and the dialog answered. Right in 97 and 100 %; 86 and 93 where two fail. */
const waitingBySign: readonly Step[] = [
  { from: 0, confidence: 0.92 },
  { from: 5000, confidence: 0.98 },
]

/** What looks and quiet alone tell of a terminal: as its verdict has it (src/terminal/classify/classify.ts), which `npm run bench:terminal` counts. */
const inferredSign = 0.8

type Claim = {
  readonly rule: Rule
  readonly kind: Kind
  /** What the news say. */
  readonly than: Kind
  /** The keyboard of the session is seen. */
  readonly knowsEnter: boolean
  /** Of the evidence that decides, ms. */
  readonly age: number
}

export function confidenceOf({ rule, kind, than, knowsEnter, age }: Claim): number {
  const step = stepsOf(rule, kind)?.findLast(({ from }) => age >= from)
  if (step) return step.confidence
  if (rule === 'contradicted')
    return kind === 'working' && !knowsEnter ? deniedWithoutEnter : contradicted[kind]
  return rule === 'busier' ? (busierThan[than] ?? 0) : byRule[rule]
}

function stepsOf(rule: Rule, kind: Kind): readonly Step[] | undefined {
  if (rule === 'news' && kind === 'starting') return starting
  return rule === 'busier' && kind === 'waiting' ? waitingBySign : undefined
}

const isInferred = (rule: Rule, decides: Evidence | undefined): boolean =>
  rule === 'sign' && decides?.type === 'sign' && decides.tier === 'inferred'

/** @returns `until`: when the confidence changes without new evidence; `Infinity` where it does not */
export function beliefIn(
  { rule, state: { kind }, because }: Pick<Verdict, 'rule' | 'state' | 'because'>,
  knowsEnter: boolean,
  now: Instant,
): { readonly confidence: number; readonly until: Instant } {
  const [decides] = because
  if (isInferred(rule, decides)) return { confidence: inferredSign, until: Infinity }
  const began = decides === undefined ? now : decides.type === 'sign' ? decides.since : decides.at
  const than = because.find(evidence => evidence.type === 'news')?.state.kind ?? 'unknown'
  const next = stepsOf(rule, kind)?.find(({ from }) => began + from > now)
  return {
    confidence: confidenceOf({ rule, kind, than, knowsEnter, age: now - began }),
    until: next ? began + next.from : Infinity,
  }
}

/**
 * A source that can't be read may know what the others don't. The end of the process, and an end that a hook reported, keep
 * their confidence. For the rest no recording shows how often it is right: at most 0.5.
 */
export const confidenceBesideUnread = ({ rule, because: [first], confidence }: Verdict): number =>
  rule === 'exit' || (first?.type === 'news' && first.source === 'hook')
    ? confidence
    : Math.min(confidence, 0.5)

/** What nobody checked: any version of the agent, or the one that runs. */
export type Unchecked = 'agent' | 'version'

/** How often first readings of such screens, and sessions, were right (docs/benchmarks.md#benchscreens, docs/benchmarks.md#benchversions). */
const mostUnchecked: Readonly<Record<Unchecked, { readonly screen: number; readonly other: number }>> = {
  agent: { screen: 0.6, other: 0.6 },
  version: { screen: 0.82, other: 0.95 },
}

/** The end of a process is the same in all versions. */
export const confidenceUnchecked = (
  { rule, because: [first], confidence }: Verdict,
  unchecked: Unchecked,
): number => {
  const { screen, other } = mostUnchecked[unchecked]
  return rule === 'exit' ? confidence : Math.min(confidence, first?.source === 'screen' ? screen : other)
}
