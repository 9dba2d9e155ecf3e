/** What is kept of an agent's screen between two looks at it. */
import type { Instant } from '../../core/state.ts'
import type { ReadScreen } from './state-words.ts'

export type ScreenMemory = {
  /** The state by its rules, the state that was reported, and the time of its start. */
  readonly read: ReadScreen
  readonly told: ReadScreen
  readonly since: Instant
  /** That is the first look at it. */
  readonly isFirst?: true
  /** The text of the composer when it was last seen there, and not above it. */
  readonly draft?: string
  /** When the text was gone, and not above the composer either: deleted, or sent and not drawn yet. */
  readonly emptiedAt?: Instant
  /** All that is seen above the composer, without blanks. */
  readonly above?: string
  /** The prompt that lull typed last: how often it stood above the composer before, and whether it has come there. */
  readonly typed?: { readonly at: Instant; readonly times: number; readonly hasCome: boolean }
  /** The sent text, when it was first seen above the composer, and whether it is still the last text there. */
  readonly sent?: { readonly text: string; readonly at: Instant; readonly isLast: boolean }
}
