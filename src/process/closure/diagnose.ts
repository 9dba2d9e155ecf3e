/**
 * What a process tree does or waits for, and whether anything can still move it: the wake-source closure. A blocked thread is
 * woken only by timers, by whoever holds the other ends of what it waits on, by children, by holders of locks, and by
 * threads of its own process. Where none of these lives, nothing will.
 */
import type { Diagnosis } from '../diagnosis.ts'
import type { SnapshotPair } from '../snapshot.ts'
import { find } from './closure-rules.ts'
import { viewOf } from './closure-view.ts'
import { chainOf, summaryOf, waitsOf } from './finding-text.ts'
import type { Options } from './tree-index.ts'
import { weigh } from './weigh-proof.ts'
import { hasTick } from './wrappers.ts'

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
