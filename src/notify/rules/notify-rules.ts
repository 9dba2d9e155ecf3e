/** Who is told of what, as data: durations in ms, minutes of the day. `notify-fields.ts` makes it of a file. Pure. */
import type { WaitingFor } from '../../core/state.ts'

/** What of a session is worth a word. `done`: a turn is over, and nobody has looked. */
export const occasionKinds = ['waiting', 'stuck', 'failed', 'limited', 'done', 'exited'] as const

export type OccasionKind = (typeof occasionKinds)[number]

export const terminalSignals = ['bell', 'osc9', 'osc777'] as const

export type Destination =
  | { readonly by: 'desktop' }
  | { readonly by: 'ntfy'; readonly url: string; readonly tokenFile?: string }
  | {
      readonly by: 'webhook'
      readonly url: string
      readonly format: 'json' | 'slack'
      readonly tokenFile?: string
    }
  | { readonly by: 'terminal'; readonly signal: (typeof terminalSignals)[number] }
  | { readonly by: 'command'; readonly words: readonly string[] }

/** What is left out of it means any. */
export type NotifyRule = {
  readonly when: readonly OccasionKind[]
  readonly for?: readonly WaitingFor[]
  readonly agents?: readonly string[]
  /** Absolute; what is below counts too. */
  readonly folders?: readonly string[]
  /** How long it must have held. */
  readonly after: number
  /** How long the turn that is over must have lasted; where not given, it matters of what is done alone: a minute. */
  readonly lasted?: number
  /** Names of destinations. */
  readonly to: readonly string[]
  /** Quiet hours do not hold it back. */
  readonly isUrgent: boolean
}

/** Minutes since midnight, local time; over midnight where it ends before it begins. */
export type QuietHours = { readonly from: number; readonly to: number }

/** No destination gets more than so many messages in such a time: what is more comes as one. */
export type DigestRule = { readonly moreThan: number; readonly within: number }

export type NotifyRules = {
  readonly destinations: Readonly<Record<string, Destination>>
  readonly rules: readonly NotifyRule[]
  readonly quiet?: QuietHours
  readonly digest: DigestRule
}

/** Who answers at once, at the terminal, needs no word: docs/notify.md#the-file has why each is as long as it is. */
export const usualAfter = 10_000
export const usualLasted = 60_000
export const usualDigest: DigestRule = { moreThan: 5, within: 30_000 }

/** Where a file says nothing of its own: whoever waits, can't go on or has failed; and work that was long enough to be left. */
export const usualRules = (to: readonly string[]): readonly NotifyRule[] => [
  { when: ['waiting', 'stuck', 'failed', 'limited', 'done'], after: usualAfter, to, isUrgent: false },
]
