/** What a wait on a terminal comes back with: all that is known of the pane, in one piece. */
import type { TerminalVerdict } from '../../sense/terminal/terminal-verdict.ts'
import type { Look, OpenPane } from './open-pane.ts'
import type { Outcome } from './ready-step.ts'
import { type TerminalWord, terminalWord } from './terminal-word.ts'

export type Answer = {
  readonly outcome: Outcome
  readonly state: TerminalWord
  /** Absent with `--strategy pattern`, which judges none. */
  readonly verdict?: TerminalVerdict
  /** 0 to 1. */
  readonly confidence: number
  /** Sentences, the decisive one first. */
  readonly evidence: readonly string[]
  /** The prompt or question on the cursor's line; the last line with anything on it where that is not known. */
  readonly promptLine: string
  /** Of the last command, where the shell tells it; of the pane's program, where it has ended. */
  readonly exitCode?: number
  /** Of the process that reads or holds the terminal. */
  readonly pid: number
  /** The last lines, what has scrolled away included. */
  readonly screen: readonly string[]
}

/** @param printed the line that was waited for */
export function answerOf(
  pane: OpenPane,
  outcome: Outcome,
  { verdict, lines, probe, facts }: Look,
  printed?: string,
): Answer {
  const word = terminalWord(verdict)
  const exitCode = verdict.exitCode ?? (verdict.state.kind === 'exited' ? verdict.state.code : undefined)
  return {
    outcome,
    // What is not known to have ended goes on.
    state: outcome === 'timeout' && word === 'unknown' ? 'running' : word,
    verdict,
    confidence: verdict.confidence,
    evidence: [
      ...(printed === undefined ? [] : [`printed: ${printed}`]),
      ...evidenceOf(verdict),
      ...(facts && !probe.stream ? [unheard] : []),
    ],
    promptLine: verdict.prompt ?? lastLineOf(lines),
    ...(exitCode === undefined ? {} : { exitCode }),
    pid: verdict.reader ?? pane.pid,
    screen: lines,
  }
}

/** Another listener has the pane, or the helper of the own one is missing. */
const unheard =
  'its output could not be heard (tmux passes it on to one listener only): prompt marks and exit codes are not known'

function evidenceOf({ why, tier, behind }: TerminalVerdict): readonly string[] {
  const remote = behind === undefined ? [] : [`heuristic: what ${behind} shows can’t be asked from here`]
  return [`${why} (${tier})`, ...remote]
}

export const lastLineOf = (lines: readonly string[]): string =>
  lines.findLast(line => line.trim() !== '') ?? ''
