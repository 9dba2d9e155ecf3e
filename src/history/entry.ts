/** What the history is made of. */

/** What JSON can hold. A field without a value is left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue | undefined }

/** Something that happened on this machine. */
export type Entry = {
  /** ms since the epoch. */
  readonly at: number
  /** What kind of thing; each writer has its own words. */
  readonly kind: string
  /** The session that it happened to. */
  readonly session?: string
  readonly agent?: string
  readonly cwd?: string
  /** What the entries of one run of the writer have in common. */
  readonly run?: string
  /** Kept as JSON and never interpreted; cut where it is longer than 64 kB (`bounded-data.ts`). */
  readonly data?: JsonValue
}

export type StoredEntry = Entry & {
  /** In the order in which they were added; never given twice. */
  readonly id: number
}

/** Which entries are wanted: those for which all of it holds. */
export type LastFilter = {
  /** ms since the epoch. */
  readonly before?: number
  /** Leaves out sessions with this value in this field (`$.state`) of their last entry. */
  readonly without?: readonly [field: string, value: string]
}

export type EntryFilter = {
  readonly session?: string
  readonly run?: string
  /** One of these; none at all where it is empty. */
  readonly kinds?: readonly string[]
  /** ms since the epoch: at this instant or later. */
  readonly since?: number
  /** ms since the epoch: before this instant. */
  readonly until?: number
  /** At most so many, the newest of them; 10 000 where not given, so that no question takes all memory. */
  readonly most?: number
}
