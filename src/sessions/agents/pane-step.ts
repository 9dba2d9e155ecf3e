/**
 * What an agent's title in tmux says, looked at now and then. Pure. It counts once two looks in a row have shown it, from
 * the first of them: a title that is about to change says what was. At the first look of all nothing else is known.
 */
import type { Agent } from '../../agents/kit/agent.ts'
import type { Lane } from '../../core/evidence/signal.ts'
import type { Instant } from '../../core/state.ts'

/** `missed`: so many looks in a row have not shown it. */
export type SeenDialog = { readonly lane: Lane; readonly missed: number }

/** @param lane the dialog that is open */
export function stepDialog(
  before: SeenDialog | undefined,
  lane: Lane,
  isShown: boolean,
): { readonly seen: SeenDialog | undefined; readonly isGone: boolean } {
  if (isShown) return { seen: { lane, missed: 0 }, isGone: false }
  // Other words stand there in this version, or it is not drawn yet.
  if (before?.lane !== lane) return { seen: undefined, isGone: false }
  return before.missed > 0
    ? { seen: undefined, isGone: true }
    : { seen: { lane, missed: before.missed + 1 }, isGone: false }
}

export type SeenTitle = {
  /** What stood there when it was first looked at: an earlier program may have left it. */
  readonly first: string
  /** The last that was the agent's, with its mark. */
  readonly own?: string
  readonly state?: string
  /** The first look at which it said so. */
  readonly since: Instant
  readonly isTold: boolean
  /** It has said so from the first look on: since when is not known. */
  readonly isSinceLook?: true
}

/** By then an agent has set its own title: the slowest prompt took 5.9 s (trace opencode/permlong). */
const strangeMs = 10_000

/**
 * @param says what the agent's reader makes of the title, as text
 * @param age of the agent's process, ms
 * @returns the instant since which the title counts, where it begins to
 */
export function stepTitle(
  before: SeenTitle | undefined,
  { title, state }: { readonly title: string; readonly state: string },
  { paneTitle }: Agent,
  { now, age }: { readonly now: Instant; readonly age: number },
): { readonly seen: SeenTitle; readonly counts?: Instant } {
  const { first = title, own } = before ?? {}
  const isMarked = paneTitle?.test(title) === true
  // Without its mark it is what stood behind that (`⠋ web`, `web`): else anybody may have set it.
  const isOwn = isMarked ? title !== first || age >= strangeMs : title !== '' && own?.endsWith(title) === true
  const known = { first, ...(isOwn && isMarked ? { own: title } : own === undefined ? {} : { own }) }
  if (!isOwn) return { seen: { ...known, since: now, isTold: false } }
  if (!before) return { seen: { ...known, state, since: now, isTold: true, isSinceLook: true }, counts: now }
  if (before.state !== state) return { seen: { ...known, state, since: now, isTold: false } }
  const { since, isSinceLook } = before
  const seen = { ...known, state, since, isTold: true, ...(isSinceLook && { isSinceLook }) }
  return before.isTold ? { seen } : { seen, counts: since }
}
