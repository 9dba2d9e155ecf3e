/**
 * docs/seeds.md#002 by the letter: a prompt pattern on the last line that holds text, or captures that stay the same.
 * It knows of nothing but text, so a quiet command looks `stable`; that is an answer of its own and never means ready.
 */

/** `user@host:~$`, `~/project %`, `root@host:~#`, `>>>`; not `Continue? [y/N]`, nor `(y/n)`. */
export const defaultPrompt = /[$#>%]\s*$/

/** ms: a program needs some time to take Enter; then it is captured again and again. */
export const firstCaptureMs = 300
export const nextCaptureMs = 500

export type PatternState = { readonly before?: string; readonly equal: number }

export type PatternStep = { readonly state: PatternState; readonly found?: 'ready' | 'stable' }

/**
 * @param text a capture without escape sequences
 * @param captures how many equal ones in a row after the first mean stable
 */
export function stepPattern(
  state: PatternState,
  text: string,
  pattern: RegExp,
  captures: number,
): PatternStep {
  const now = text.trimEnd()
  // Only the last line: what scrolled by may hold anything.
  const line = now.split('\n').findLast(one => one.trim() !== '')
  if (line !== undefined && pattern.test(line)) return { state, found: 'ready' }
  // An empty screen proves nothing: it was cleared, and what comes next is not there yet.
  const equal = now !== '' && now === state.before ? state.equal + 1 : 0
  if (equal >= captures) return { state, found: 'stable' }
  return { state: { before: now, equal } }
}
