/** Where an agent's errors say when a provider's limit ends. Group 1 of each pattern holds the time. */
export type LimitTexts = {
  /** How long it lasts: `20s`, `6m0s`, `3 days 4 hours`. */
  readonly durations?: readonly RegExp[]
  /** When it ends, seconds since the epoch. */
  readonly end?: RegExp
  /** When it ends, as a time of this machine's zone: `3pm`, `2:25 AM`, `Nov 26th, 2026 2:25 AM`. */
  readonly clock?: RegExp
}
