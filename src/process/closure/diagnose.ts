/**
 * What a process tree does or waits for, and whether anything can still move it: the wake-source closure. A blocked thread is
 * woken only by timers, by whoever holds the other ends of what it waits on, by children, by holders of locks, and by
 * threads of its own process. Where none of these lives, nothing will.
 */
import type { Diagnosis } from '../diagnosis.ts'
import type { SnapshotPair } from '../snapshot.ts'
import { find } from './closure-rules.ts'
import { type ClosureView, hasTick, livingOf, of, viewOf } from './closure-view.ts'
import type { ClosureFinding, Weight } from './finding.ts'
import { chainOf, seconds, summaryOf, waitsOf } from './finding-text.ts'
import { isGone, type Options } from './tree-index.ts'
import { nextAlarm, unseenOf } from './unseen-sources.ts'

/** A signal or a timer changes nothing of what has ended, or is held. */
const deaf: ReadonlySet<ClosureFinding['cause']> = new Set<ClosureFinding['cause']>([
  'zombie',
  'exited',
  'stopped',
  'frozen',
])

/** How certain a finding is: its rule's claim, less what can't be seen, what moved, and what else is alive. */
function weigh(view: ClosureView, finding: ClosureFinding): Weight {
  const doubts = [...(finding.doubts ?? []), ...unseen(view)]
  const isSeen = doubts.length === (finding.doubts?.length ?? 0)
  const elsewhere = finding.isOfItself ? [] : moving(view, finding)
  const isCertain = isSeen && elsewhere.length === 0
  const isClosed = finding.isBlocked && finding.proof === 'proven' && isCertain
  const mayEnd = isClosed && !deaf.has(finding.cause)
  const alarm = mayEnd ? nextAlarm(view) : undefined
  if (alarm !== undefined) return untilAlarm(view, alarm, doubts)
  const hidden = mayEnd ? unseenOf(view, finding) : []
  const isWhole = isCertain && hidden.length === 0
  return {
    proof: finding.proof === 'proven' && !isWhole ? 'inferred' : finding.proof,
    isBlocked: isClosed && isWhole,
    doubts: [...new Set([...doubts, ...elsewhere, ...hidden.map(({ what }) => `it can't be seen ${what}`)])],
    unseen: hidden,
  }
}

/** The kernel does not report the program of an interval timer: it may be any of the tree, which the timer then ends. */
const untilAlarm = ({ tree }: ClosureView, ms: number, doubts: readonly string[]): Weight => ({
  proof: 'bounded',
  isBlocked: false,
  until: tree.snapshot.at + ms,
  doubts: [...doubts, `an interval timer (alarm) that may be its own fires within ${seconds(ms)}`],
  unseen: [],
})

/** What of the tree could not be looked at. Of a process that has ended there is nothing left to see. */
function unseen({ tree, externals }: ClosureView): readonly string[] {
  const hidden = [...tree.processes.values()].filter(program => !isGone(program) && program.hidden.length > 0)
  const ofHidden = hidden
    .slice(0, 3)
    .map(({ pid, hidden: what }) => `${what.join(', ')} of ${tree.nameOf(pid)} may not be read`)
  const ofUnknown = of(externals, 'unknown', 'unseen')
    .slice(0, 3)
    .map(({ node, source }) => `${tree.nameOf(node.program.pid)} waits for ${source.what}`)
  const ofRings = [...tree.processes.values()]
    .filter(({ fds }) => Object.values(fds).some(target => target.type === 'uring' && target.watched?.length))
    .map(({ pid }) => `what the io_uring of ${tree.nameOf(pid)} waits for is inferred`)
  const ofPlatform =
    tree.snapshot.platform === 'linux' ? [] : ['this system does not tell what a thread waits for']
  return [...ofPlatform, ...ofHidden, ...ofUnknown, ...ofRings]
}

/** What of the tree moved between the two looks, or lives apart from what was found. */
function moving(view: ClosureView, { proof }: ClosureFinding): readonly string[] {
  if (proof !== 'proven') return []
  const moved = view.motion.isStill ? [] : ['something of it ran between the two looks']
  const own = new Set(view.own)
  const [other] = livingOf(view.externals.filter(wait => !own.has(wait)))
  if (!other) return moved
  return [...moved, `${view.tree.nameOf(other.node.program.pid)} may still be woken by ${other.source.what}`]
}

/**
 * The truth about a tree, as far as two looks at it tell. Pure: the same pair gives the same answer, whatever the order of
 * its processes, threads and descriptors.
 */
export function diagnose(pair: SnapshotPair, options: Options = {}): Diagnosis {
  const view = viewOf(pair, options)
  const finding = find(view)
  const weight = weigh(view, finding)
  const { proof, isBlocked, doubts } = weight
  const unseen = weight.unseen.map(({ what }) => what)
  const chain = chainOf(view, finding.leaf)
  const leaf = chain.at(-1)
  const { advice, until = weight.until, isTerminal } = finding
  return {
    cause: finding.cause,
    proof,
    isBlocked,
    summary: summaryOf(view, finding, { isBlocked, unseen }),
    ...(leaf ? { leaf } : {}),
    chain,
    waits: waitsOf(view),
    ...(until !== undefined && Number.isFinite(until) ? { until } : {}),
    ...(advice === undefined ? {} : { advice }),
    ...(isTerminal ? { isTerminal } : {}),
    ...(unseen.length > 0 ? { unseen } : {}),
    ...(weight.unseen.some(({ isWord }) => isWord) ? { mayAwaitWord: true } : {}),
    ...(unseen.length > 0 && [...view.wrappers].some(hasTick) ? { isWrapped: true } : {}),
    ...(finding.isOpen ? { isOpen: true } : {}),
    doubts,
  }
}
