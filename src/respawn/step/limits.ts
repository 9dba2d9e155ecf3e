/** How often, before respawn gives up: a controller that tries for ever burns tokens (docs/respawn.md#limits). */

/** After a turn or a step that failed: ms, one after the other; then it stops. */
export const failureWaits = [60_000, 120_000, 300_000, 600_000, 1_800_000] as const
/** Steps in a row that begin no turn: the breaker of docs/seeds.md#003's field research. */
export const mostWithoutTurn = 3
export const mostRecoveries = 3
/** Between crashes and the starts after them; more of them within the window, and it is left alone. */
export const relaunchWaits = [5000, 30_000, 120_000] as const
export const relaunchWindowMs = 3_600_000
/** What was not ready after all is looked at again, where it has not worked since: ms. */
export const refusedWaitMs = 5000
/** All steps were passed over: ms. */
export const passedWaitMs = 60_000
/** A limit is a time of day: the machine may sleep. ms */
export const wallCheckMs = 30_000
/** As long as the slowest source takes to tell of a turn that began with Enter (terminal/paint.ts): ms. */
export const toldMs = 3000
/** Hooks run beside the turn, and may come after the transcript's word of its end: so late they still are of that turn. ms */
export const lateHooksMs = 3000
/** What is asked for is told by one source before another says more exactly what it is: Claude Code's status file calls a plan a permission. ms */
export const askSettledMs = 1000
