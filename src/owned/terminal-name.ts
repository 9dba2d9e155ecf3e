/** Names of terminals: words that are no address of another kind. Pure. */

/** Letters, digits, dot, dash and underscore, a letter or an underscore first. */
export const isTerminalName = (text: string): boolean => /^[A-Za-z_][\w.-]{0,63}$/.test(text)

/** So long after a terminal has ended what else has its name is not meant by it: ms. */
export const keptNameMs = 10 * 60_000

/** The variable by which a program learns in which terminal of lull's own it runs. */
export const terminalVariable = 'LULL_TERMINAL'
