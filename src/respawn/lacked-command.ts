/**
 * Whether an agent says that it has no such command: below its line while the command stands there, or once it was entered. Seen of
 * Claude Code ("No commands match", "Unknown command: /x"), OpenCode ("No matching items") and Codex ("Unrecognized command '/x'");
 * Gemini CLI and pi take such a line for a prompt, and say nothing. Pure.
 */

const noneOffered = /^\W*no (?:\w+ )?(?:commands?|items?|matche?s?|results?|suggestions?)\b/i
const refusing = /\b(?:un(?:known|recogni[sz]ed)|no such|invalid|not (?:found|recogni[sz]ed|available))\b/i

/** @returns what it says; only of rows that did not stand there before: what it printed earlier may tell of anything */
export function lackedCommand(
  command: string,
  before: readonly string[],
  now: readonly string[],
  isEntered: boolean,
): string | undefined {
  const [name = ''] = command.split(/\s/)
  const old = new Set(before.map(row => row.trim()))
  const said = now.map(row => row.trim()).filter(row => !old.has(row))
  const isAbout = (row: string) => row.includes(name) && refusing.test(row)
  return said.find(row => isAbout(row) || (!isEntered && noneOffered.test(row)))
}
