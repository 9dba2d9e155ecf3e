/** How certain a finding is: its rule's claim, less what can't be seen, what moved, and what else is alive. */

import { type ClosureView, livingOf, of } from './closure-view.ts'
import type { ClosureFinding } from './finding.ts'
import { isGone } from './tree-index.ts'

export type Weight = Pick<ClosureFinding, 'proof' | 'isBlocked'> & { readonly doubts: readonly string[] }

export function weigh(view: ClosureView, finding: ClosureFinding): Weight {
  const doubts = [...(finding.doubts ?? []), ...unseen(view)]
  const isSeen = doubts.length === (finding.doubts?.length ?? 0)
  const elsewhere = finding.stands ? [] : moving(view, finding)
  const isCertain = isSeen && elsewhere.length === 0
  const proof = finding.proof === 'proven' && !isCertain ? 'inferred' : finding.proof
  return {
    proof,
    isBlocked: finding.isBlocked && isCertain && proof === 'proven',
    doubts: [...new Set([...doubts, ...elsewhere])],
  }
}

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
