/** State, inputs and effects of the step of notifications. Pure data, as plain as JSON. */
import type { Instant, WaitingFor } from '../../core/state.ts'
import type { NotifyRules, OccasionKind } from '../rules/notify-fields.ts'

/** That a session waits, is done, is stuck: one of its times in such a state. */
export type Occasion = {
  readonly is: OccasionKind
  readonly for?: WaitingFor
  readonly since: Instant
  /** It may be over at once, and is reported only once it was not (sessions/passing-wait.ts). */
  readonly mayPass?: true
  /** Of what is over: which turn, and for how long it went on. */
  readonly turn?: number
  readonly lasted?: number
}

/** The session in words, each printable and without what looks like a secret. */
export type Subject = {
  readonly agent: string
  readonly name?: string
  readonly cwd?: string
  /** `claude ~/api`. */
  readonly who: string
  /** `waiting for a permission`. */
  readonly what: string
  readonly place?: string
  /** The question, the error, or the last message. */
  readonly quote?: string
  /** How to get there. */
  readonly go: string
}

/** A session as a notification needs it. */
export type NotifySighting = {
  readonly subject: Subject
  readonly occasion?: Occasion
  /** Its state is unknown, which ends no occasion. */
  readonly isUnclear?: true
  /** It was so already at the first look: since when is not known. */
  readonly isSinceLook?: true
}

/** One occasion on its way to one destination. */
export type NotifyItem = {
  /** Of the occasion: the same after a restart of the host. */
  readonly key: string
  readonly session: string
  readonly occasion: Occasion
  readonly subject: Subject
  readonly isUrgent: boolean
}

/** One thing that a destination is sent: of one occasion, or a digest of several. */
export type NotifyMessage = {
  readonly id: string
  readonly to: string
  readonly items: readonly NotifyItem[]
  readonly is: 'sending' | 'waiting' | 'delivered'
  /** Its occasions are over: it is sent again to withdraw it. */
  readonly isOver?: true
  /** How often it was tried. */
  readonly attempt: number
  /** When it was delivered, or is tried again. */
  readonly at: Instant
  /** By which the destination knows it. */
  readonly ref?: string
}

/** Occasions of one destination that wait for others of the same moment, for room, or for the end of quiet hours. */
export type Bucket = {
  readonly items: readonly NotifyItem[]
  readonly first: Instant
  readonly last: Instant
  readonly isHeld: boolean
}

export type Followed = {
  readonly sighting: NotifySighting
  /** The one that it has, or had before it became unclear. */
  readonly occasion?: Occasion
  /** Of its occasion. */
  readonly key?: string
  /** When an earlier host sent it. */
  readonly sentAt?: Instant
  /** Destinations that got it, or will. */
  readonly to: readonly string[]
  /** Whether a person is there is being asked; or somebody was, who may have it for themselves until then. */
  readonly look?: 'asked' | Instant
}

export type NotifyState = {
  readonly rules: NotifyRules
  /** What the ids of its messages begin with. */
  readonly run: string
  readonly count: number
  readonly sessions: Readonly<Record<string, Followed>>
  readonly buckets: Readonly<Record<string, Bucket>>
  readonly messages: readonly NotifyMessage[]
  /** When each destination was sent something, within the time that its digest looks back. */
  readonly sentAt: Readonly<Record<string, readonly Instant[]>>
}

export type NotifyHappened =
  /** All sessions that there are; the first input. */
  | { readonly type: 'snapshot'; readonly sessions: Readonly<Record<string, NotifySighting>> }
  | { readonly type: 'seen'; readonly session: string; readonly sighting: NotifySighting }
  | { readonly type: 'gone'; readonly session: string }
  /** Until when a person who was seen there has it for themselves; nobody is there where not given. */
  | { readonly type: 'looked'; readonly session: string; readonly key: string; readonly until?: Instant }
  | { readonly type: 'delivered'; readonly message: string; readonly ref?: string }
  /** The destination can't withdraw the message. */
  | { readonly type: 'kept'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string; readonly why: string }
  | { readonly type: 'rules'; readonly rules: NotifyRules }
  | { readonly type: 'time' }

export type NotifyInput = NotifyHappened & {
  readonly now: Instant
  /** Local time: minutes since midnight. */
  readonly minute: number
}

export type NotifyEffect =
  | { readonly do: 'look'; readonly session: string; readonly key: string }
  | { readonly do: 'deliver'; readonly message: NotifyMessage }
  | { readonly do: 'note'; readonly what: 'sent' | 'withdrawn'; readonly message: NotifyMessage }
  | {
      readonly do: 'note'
      readonly what: 'failed'
      readonly message: NotifyMessage
      readonly why: string
      /** ms; given up where not given. */
      readonly again?: number
    }
  | { readonly do: 'timer'; readonly at: Instant }

export type NotifyStep = { readonly state: NotifyState; readonly effects: readonly NotifyEffect[] }
