/** Lays what lull said beside the truth. Pure. */
import type { Kind } from '../../src/core/state.ts'
import type { Span, Truth } from './truth.ts'

/** What lull said of an agent from an instant on. */
export type Said = {
  readonly at: number
  readonly kind: Kind
  /** `waiting/permission`, as people read it. */
  readonly state: string
  /** On what it rests: `stated by hook Stop`. */
  readonly by: string
}

export type DisagreementKind =
  /** Idle, while it works or waits for its person. */
  | 'false idle'
  /** Waiting, though it was answered. */
  | 'stale waiting'
  | 'false waiting'
  /** Not seen to wait for its person. */
  | 'missed waiting'
  /** Still working, though its turn is over. */
  | 'late idle'
  | 'false working'
  | 'false exit'
  | 'missed exit'
  /** Not known, for longer than anybody should wait for a verdict. */
  | 'long unknown'

export type Disagreement = {
  readonly kind: DisagreementKind
  /** ms since the epoch. */
  readonly at: number
  /** ms, without what a verdict may be late. */
  readonly lasted: number
  /** ms, from the moment at which the truth was another. */
  readonly whole: number
  readonly truth: Truth
  readonly situation: string
  readonly said: Said
}

/** ms of the spans whose truth is known. */
export type Sums = {
  readonly right: number
  readonly unknown: number
  readonly wrong: number
  readonly late: number
}

/** How long a verdict may stay as it was, ms: the floor for a waiting that was answered. */
const grace = 2000

/** An unknown is a finding from so long on, ms. */
const longUnknown = 5000

/** Shorter ones are of the clocks and of the socket, ms. */
const shortest = 100

/** What may be said of it. */
export const right: Readonly<Record<Truth, readonly Kind[]>> = {
  working: ['working'],
  asking: ['working', 'waiting'],
  waiting: ['waiting'],
  idle: ['idle'],
  background: ['working', 'idle'],
  stopped: [],
  exited: ['exited'],
  open: ['starting', 'working', 'waiting', 'idle', 'exited'],
}

/** Says that it can't be said: never right, never wrong. */
const isHonest = (kind: Kind): boolean => kind === 'unknown' || kind === 'starting'

/** `kindSince`: since when lull has said this kind, whatever it rested on. */
type Piece = {
  readonly from: number
  readonly to: number
  readonly said: Said
  readonly kindSince: number
}

/**
 * A verdict that was given before the truth turned may stand for `grace`: it is late. One that is given anew and is wrong is
 * wrong from its first moment.
 */
export function compare(
  spans: readonly Span[],
  said: readonly Said[],
): { readonly disagreements: readonly Disagreement[]; readonly sums: Sums } {
  const disagreements: Disagreement[] = []
  const sums = { right: 0, unknown: 0, wrong: 0, late: 0 }
  for (const [index, span] of spans.entries()) {
    if (span.truth === 'open') continue
    for (const piece of piecesOf(span, said)) {
      const length = piece.to - piece.from
      if (right[span.truth].includes(piece.said.kind)) sums.right += length
      else if (isHonest(piece.said.kind)) {
        sums.unknown += length
        if (span.truth !== 'stopped') {
          const { truth, situation } = span
          const kind = 'long unknown'
          disagreements.push({
            kind,
            at: piece.from,
            lasted: length,
            whole: length,
            truth,
            situation,
            said: piece.said,
          })
        }
      } else {
        const since = sinceWhen(spans, index)
        const isOld = piece.kindSince <= since + shortest
        const from = isOld ? Math.max(piece.from, since + grace) : piece.from
        const lasted = Math.max(0, piece.to - from)
        sums.late += length - lasted
        sums.wrong += lasted
        if (lasted > shortest) {
          const kind = kindOf(span.truth, piece.said, isOld)
          const { truth, situation } = span
          const whole = piece.to - Math.max(piece.from, since)
          disagreements.push({ kind, at: from, lasted, whole, truth, situation, said: piece.said })
        }
      }
    }
  }
  const isFinding = ({ kind, lasted }: Disagreement) => kind !== 'long unknown' || lasted > longUnknown
  return { disagreements: joined(disagreements).filter(isFinding), sums }
}

/** Since when what is said could have been known to be wrong: a new situation alone changes nothing. */
function sinceWhen(spans: readonly Span[], index: number): number {
  const { truth } = spans[index] as Span
  let first = index
  while (spans[first - 1]?.truth === truth) first--
  return (spans[first] as Span).from
}

function piecesOf(span: Span, said: readonly Said[]): Piece[] {
  const pieces: Piece[] = []
  let kindSince = 0
  for (const [index, entry] of said.entries()) {
    if (entry.kind !== said[index - 1]?.kind) kindSince = entry.at
    const from = Math.max(span.from, entry.at)
    const to = Math.min(span.to, said[index + 1]?.at ?? Number.POSITIVE_INFINITY)
    if (to > from) pieces.push({ from, to, said: entry, kindSince })
  }
  return pieces
}

function kindOf(truth: Truth, { kind }: Said, isOld: boolean): DisagreementKind {
  if (truth === 'exited') return 'missed exit'
  if (kind === 'exited') return 'false exit'
  if (kind === 'waiting') return isOld ? 'stale waiting' : 'false waiting'
  if (kind === 'idle') return 'false idle'
  if (truth === 'waiting') return 'missed waiting'
  return isOld && truth !== 'stopped' ? 'late idle' : 'false working'
}

/** The same mistake over several words of a state, or over two situations, is one. */
function joined(all: readonly Disagreement[]): Disagreement[] {
  const result: Disagreement[] = []
  for (const next of all) {
    const last = result.at(-1)
    if (last && last.kind === next.kind && next.at - (last.at + last.lasted) < shortest)
      result[result.length - 1] = {
        ...last,
        lasted: next.at + next.lasted - last.at,
        whole: last.whole + next.whole,
      }
    else result.push(next)
  }
  return result
}
