/** What a wait on a terminal comes back with: all that is known of the pane, in one piece. */

import { healthy } from '../../core/judge/verdict.ts'
import { isDeadNotice } from '../../os/tmux/capture.ts'
import type { TerminalVerdict } from '../../terminal/classify/terminal-verdict.ts'
import type { Observation } from '../../terminal/observer-step.ts'
import { type TerminalWord, terminalWord } from '../terminal-word.ts'
import { contradiction, type Observed, type ReadyOutcome, type ReadyRequest } from './ready-step.ts'

export type Answer = {
  readonly outcome: ReadyOutcome
  readonly state: TerminalWord
  /** Absent with `--strategy pattern`, which judges none. */
  readonly verdict?: TerminalVerdict
  /** 0 to 1. */
  readonly confidence: number
  /** Sentences, the decisive one first. */
  readonly evidence: readonly string[]
  /** The prompt or question on the cursor's line; the last line with anything on it where that is not known. */
  readonly promptLine: string
  /** Of the last command, where the shell reports it; of the pane's program, where it has ended. */
  readonly exitCode?: number
  /** That ended the pane's program. */
  readonly signal?: string
  /** Of the process that reads or holds the terminal. */
  readonly pid: number
  /** The last lines, what has scrolled away included. */
  readonly screen: readonly string[]
}

/**
 * @param pid of the terminal's first process
 * @param printed the line that was waited for
 */
export function answerOf(
  pid: number,
  outcome: ReadyOutcome,
  request: ReadyRequest,
  observed: Observed,
  observation: Observation,
  printed?: string,
): Answer {
  const { lines, probe, facts, unreadRepls } = observation
  const verdict = reportedVerdict(request, outcome, observed, observation.verdict)
  return {
    outcome,
    state: terminalWord(verdict),
    verdict,
    confidence: verdict.confidence,
    evidence: [
      ...(printed === undefined ? [] : [`printed: ${printed}`]),
      ...evidenceOf(verdict),
      ...(facts && !probe.stream ? [noOutput] : []),
      ...(unreadRepls === undefined ? [] : [unreadRepls]),
    ],
    promptLine: verdict.prompt ?? lastLineOf(facts?.dead ? lines.filter(line => !isDeadNotice(line)) : lines),
    ...endOf(verdict),
    pid: verdict.reader ?? pid,
    screen: lines,
  }
}

/** The verdict, unless the outcome contradicts it: then the outcome and why, beside the evidence. */
function reportedVerdict(
  request: ReadyRequest,
  outcome: ReadyOutcome,
  observed: Observed,
  verdict: TerminalVerdict,
): TerminalVerdict {
  const why = contradiction(request, outcome, observed)
  if (why === undefined) return verdict
  const pattern = request.pattern?.source
  const { isContinuation: _, ...known } = verdict
  if (why === 'byPattern') {
    const reason = `its last line matches ${pattern}; ${known.why}`
    return { ...known, health: healthy, state: { kind: 'idle' }, tier: 'inferred', why: reason }
  }
  const reason = {
    notByPattern: `its last line does not match ${pattern}`,
    unread: 'what was typed had not been read yet',
    unsure: 'that had not stood for long enough',
  }[why]
  const unknown = { state: { kind: 'unknown' }, confidence: 0, tier: 'inferred' } as const
  return { ...known, ...unknown, health: healthy, why: `${known.why}, but ${reason}` }
}

/** How the last command has ended, or the pane's program, as far as that is known. */
export function endOf({ state, exitCode }: TerminalVerdict): Pick<Answer, 'exitCode' | 'signal'> {
  if (state.kind === 'exited')
    return {
      ...(state.code === undefined ? {} : { exitCode: state.code }),
      ...(state.signal === undefined ? {} : { signal: state.signal }),
    }
  return exitCode === undefined ? {} : { exitCode }
}

/** Another listener has the pane, or the helper of the own one is missing. */
const noOutput =
  'its output could not be heard: prompt marks and exit codes are not known (tmux passes it on to one listener only, and each needs some open files)'

function evidenceOf({ why, tier, behind }: TerminalVerdict): readonly string[] {
  const remote = behind === undefined ? [] : [`heuristic: what ${behind} shows can’t be asked from here`]
  return [`${why} (${tier})`, ...remote]
}

export const lastLineOf = (lines: readonly string[]): string =>
  lines.findLast(line => line.trim() !== '') ?? ''
