/** A rule over a part of a screen: data, of lull or of a person. */
import type { Doing, IdleAfter, State, WaitingFor } from '../../core/state.ts'
import type { ScreenPart } from './screen-layout.ts'
export const waiting = (reason: WaitingFor): State => ({ kind: 'waiting', for: reason })
export const working = (doing?: Doing): State => (doing ? { kind: 'working', doing } : { kind: 'working' })
export const atComposer = (after?: IdleAfter): State =>
  after ? { kind: 'idle', at: 'composer', after } : { kind: 'idle', at: 'composer' }

type More = Partial<Pick<ScreenRule, 'unless' | 'isMenu' | 'confidence'>>

export const rule = (
  id: string,
  part: ScreenPart,
  pattern: RowPattern,
  state: State,
  more: More = {},
): ScreenRule => ({ id, part, pattern, state, ...more })

/** A regular expression, or what matches as one does: patterns of users are matched by another engine. */
export type RowPattern = { test(row: string): boolean }

export type ScreenRule = {
  /** Shown by `--explain`, unique among the rules of an agent. */
  readonly id: string
  readonly part: ScreenPart
  /** Of one row of the part. */
  readonly pattern: RowPattern
  /** It does not count where a row of the part is so. */
  readonly unless?: RowPattern
  readonly state: State
  /** A person has opened it: it blocks no turn. */
  readonly isMenu?: true
  /** How sure the rule is, 0 to 1 (default 0.95). */
  readonly confidence?: number
}

/** The rules of one agent. */
export type ScreenRules = {
  /** Asked in this order before the rules that all agents share. */
  readonly rules: readonly ScreenRule[]
  /** The version of the CLI that the rules were written for. */
  readonly version?: string
  /** The source of rules that were never checked against the running CLI. Their confidence is capped. */
  readonly unverified?: string
  /** While it streams its answer nothing shows that: a screen without a sign of work is no sign of idleness. */
  readonly hidesWork?: true
  /** Ids of rules that all agents share, and which do not hold for this one: a person has replaced them or wants them not. */
  readonly without?: ReadonlySet<string>
  /** The row that the end of a turn leaves. */
  readonly turnOver?: RegExp
}
