/** Names of terminals: words that are no address of another kind. Pure. */

/** Letters, digits, dot, dash and underscore, a letter or an underscore first. */
export const isTerminalName = (text: string): boolean => /^[A-Za-z_][\w.-]{0,63}$/.test(text)

/** The variable by which a program learns in which terminal of lull's own it runs. */
export const terminalVariable = 'LULL_TERMINAL'
