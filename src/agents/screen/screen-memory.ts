/** What is kept of an agent's screen between two looks at it. */
import type { Instant } from '../../core/state.ts'
import type { ReadScreen } from './state-words.ts'

export type ScreenMemory = {
  /** What its rules said, and what came of it, since when. */
  readonly read: ReadScreen
  readonly told: ReadScreen
  readonly since: Instant
  /** That is the first look at it. */
  readonly isFirst?: true
  /** What stood in the composer when one was seen last, and not above it. */
  readonly draft?: string
  /** When that was there no more, and not above it either: it was deleted, or sent and not drawn yet. */
  readonly emptiedAt?: Instant
  /** What stood there, and when it was first seen above it: at that look, and as long as it is the last there. */
  readonly sent?: { readonly text: string; readonly at: Instant; readonly isLast: boolean }
}
