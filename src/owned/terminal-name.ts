/** Names of terminals: words that are no address of another kind. Pure. */

/** Letters, digits, dot, dash and underscore, a letter or an underscore first. */
export const isTerminalName = (text: string): boolean => /^[A-Za-z_][\w.-]{0,63}$/.test(text)

/** So long after a terminal has ended what else has its name is not meant by it: ms. */
export const keptNameMs = 10 * 60_000

/** A clock that was ahead then keeps no name for longer. Both in ms since the epoch. */
export const isNameKept = (endedAt: number, now: number): boolean => Math.abs(now - endedAt) < keptNameMs

/** How else is meant what has the name of a terminal that has ended. */
export const howElseMeant = (name: string): string =>
  `use the id of another session (lull ps), or free the name with lull name --forget ${name}`

/** The variable by which a program learns in which terminal of lull's own it runs. */
export const terminalVariable = 'LULL_TERMINAL'
