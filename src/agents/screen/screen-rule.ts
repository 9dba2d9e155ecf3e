/** What a rule over a part of a screen is: data, of lull or of a person. */
import type { State } from '../../core/state.ts'
import type { ScreenPart } from './screen-layout.ts'

/** A regular expression, or what matches as one does: patterns of users are matched by another engine. */
export type RowPattern = { test(row: string): boolean }

export type ScreenRule = {
  /** Told by `--explain`, unique among the rules of an agent. */
  readonly id: string
  readonly part: ScreenPart
  /** Of one row of the part. */
  readonly pattern: RowPattern
  /** It does not count where a row of the part is so. */
  readonly unless?: RowPattern
  readonly state: State
  /** A person has opened it: it blocks no turn. */
  readonly isMenu?: true
  /** The lower, the less is claimed; 0.95 where nothing is said. */
  readonly confidence?: number
}

/** The rules of one agent. */
export type ScreenRules = {
  /** Asked in this order before the rules that all agents share. */
  readonly rules: readonly ScreenRule[]
  /** The version of the CLI whose screens they were written from. */
  readonly version?: string
  /** From what they were written where the CLI has never run for it: they are believed for no more than they say. */
  readonly unverified?: string
  /** While it streams its answer nothing shows that: a screen without a sign of work is no sign of idleness. */
  readonly hidesWork?: true
  /** Ids of rules that all agents share, and which do not hold for this one: a person has replaced them or wants them not. */
  readonly without?: ReadonlySet<string>
  /** The row that the end of a turn leaves. */
  readonly turnOver?: RegExp
}
