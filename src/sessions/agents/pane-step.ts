/**
 * Steps for what looks at an agent's pane show: an open dialog, and the title. Pure. A title counts once two looks in a row
 * have shown it, from the first of them on, because it may lag behind the state. The very first look counts at once.
 */
import type { Agent } from '../../agents/kit/agent.ts'
import type { Lane } from '../../core/evidence/signal.ts'
import type { Instant } from '../../core/state.ts'

/** `missed`: number of looks in a row that did not show the dialog. `isUnseen`: no look has shown it. */
export type SeenDialog = { readonly lane: Lane; readonly missed: number; readonly isUnseen?: true }

/** What a look at the screen of an agent that asks shows. */
export type DialogLook = {
  readonly isShown: boolean
  /** In its place the rules of this version find an idle composer. */
  readonly isAtComposer?: boolean
}

/** A dialog is drawn by then, and the turn that it belongs to no longer counts as begun just now. ms */
const drawnMs = 3000

/**
 * Whether an open dialog is still on the screen. Screen text never opens a dialog. It shows that one is gone, at two looks in
 * a row: one that a look has shown, or one that must be drawn by now, where there is a composer in its place.
 * @param lane of the open dialog
 * @param age of the dialog, ms
 */
export function stepDialog(
  before: SeenDialog | undefined,
  { lane, age }: { readonly lane: Lane; readonly age: number },
  { isShown, isAtComposer = false }: DialogLook,
): { readonly seen: SeenDialog | undefined; readonly isGone: boolean } {
  if (isShown) return { seen: { lane, missed: 0 }, isGone: false }
  const known = before?.lane === lane ? before : undefined
  const isUnseen = known?.isUnseen ?? known === undefined
  // This version words it differently, or has not drawn it yet.
  if (isUnseen && (!isAtComposer || age < drawnMs)) return { seen: undefined, isGone: false }
  if (known && known.missed > 0) return { seen: undefined, isGone: true }
  return { seen: { lane, missed: 1, ...(isUnseen && { isUnseen }) }, isGone: false }
}

export type SeenTitle = {
  /** The title at the first look: an earlier program may have set it. */
  readonly first: string
  /** The agent's own latest title, with its mark. */
  readonly own?: string
  readonly state?: string
  /** The first look that showed this state. */
  readonly since: Instant
  readonly isReported: boolean
  /** Every look has shown this state: its start is not known. */
  readonly isSinceLook?: true
}

/** An agent has set its own title by then: the slowest took 5.9 s (trace opencode/permlong). */
const strangeMs = 10_000

/**
 * @param shown the title, and the state that the agent's reader derives from it, as text
 * @param age of the agent's process, ms
 * @returns `counts`: the instant from which the title counts, if it begins to count now
 */
export function stepTitle(
  before: SeenTitle | undefined,
  { title, state }: { readonly title: string; readonly state: string },
  { paneTitle }: Agent,
  { now, age }: { readonly now: Instant; readonly age: number },
): { readonly seen: SeenTitle; readonly counts?: Instant } {
  const { first = title, own } = before ?? {}
  const isMarked = paneTitle?.test(title) === true
  // Without a mark only the text of the last marked title (`⠋ web`, `web`) is the agent's own.
  const isOwn = isMarked ? title !== first || age >= strangeMs : title !== '' && own?.endsWith(title) === true
  const known = { first, ...(isOwn && isMarked ? { own: title } : own === undefined ? {} : { own }) }
  if (!isOwn) return { seen: { ...known, since: now, isReported: false } }
  if (!before)
    return { seen: { ...known, state, since: now, isReported: true, isSinceLook: true }, counts: now }
  if (before.state !== state) return { seen: { ...known, state, since: now, isReported: false } }
  const { since, isSinceLook } = before
  const seen = { ...known, state, since, isReported: true, ...(isSinceLook && { isSinceLook }) }
  return before.isReported ? { seen } : { seen, counts: since }
}
