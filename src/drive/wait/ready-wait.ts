/** Waits until a pane is as wanted: woken by its output and by a timer, silent in between. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DrivenTerminal } from '../../terminal/observer.ts'
import { isConclusive, type Observation } from '../../terminal/observer-step.ts'
import { isBehind } from '../../terminal/stream-step.ts'
import type { DrivableHolder } from '../../terminal/terminal-holder.ts'
import { terminalWord } from '../terminal-word.ts'
import { lineWatch } from './printed-lines.ts'
import { type Observed, type ReadyRequest, startReady, stepReady, stirred } from './ready-step.ts'
import { type Answer, answerOf, lastLineOf } from './wait-answer.ts'

export type ReadyOptions = ReadyRequest & {
  /** ms */
  readonly timeout: number
  /** Whether an observation shows that what was typed has been read (default: always, as nothing was typed). */
  readonly isConsumed?: (observation: Observation) => boolean
  readonly signal?: AbortSignal
}

export type ReadyWait = {
  /** Observes until it is over. @returns undefined where the signal ended it */
  answer(): Promise<Answer | undefined>
  /** What was printed before, the echo of what was typed, does not count. */
  restart(): Promise<void>
  /** Hears nothing any more. */
  stop(): void
}

/** Observations that follow one another this soon (ms) are a crowd; after so many of them comes a rest, some times as long. */
const crowdGap = 10
const crowd = 8
const restPerObservation = 4
/** ms */
const longestRest = 5
/** What a holder that answers needs for the last screen, on a busy machine, too: ms. */
const lastLookMs = 50
/** Longest sleep where no output is received, since nothing else wakes the wait: ms. */
const withoutOutputMs = 20
/** The kernel and the screen may show a prompt before its marks come: after so long they are fetched. ms */
const behindMs = 20

/** Registers: what is printed from here on counts. Observing begins with `answer`. */
export function startReadyWait(
  { holder, observe, observeFast }: DrivenTerminal,
  options: ReadyOptions,
): ReadyWait {
  const { goals, timeout, isConsumed = () => true, signal } = options
  const patterns = goals.flatMap(goal => (goal.type === 'output' ? [goal.pattern] : []))
  const printed = lineWatch(line => patterns.some(pattern => pattern.test(line)))
  let [hasStirred, hasCaughtUp] = [false, false]
  const stop = holder.output.listen(text => {
    hasStirred = true
    if (patterns.length > 0) printed.take(text)
  })
  void holder.receiveOutput()

  async function observations(): Promise<Answer | undefined> {
    let state = startReady(performance.now(), timeout)
    let [crowded, ended]: [number, number] = [0, -Infinity]
    let last: Observation | undefined
    for (;;) {
      hasStirred = false
      const begun = performance.now()
      crowded = begun - ended < crowdGap ? crowded + 1 : 0
      const isLate = begun >= state.deadline
      // The screen is captured after the line was received, so that it contains the line.
      const line = printed.found()
      const needsScreen = isLate || line !== undefined
      const patience = Math.max(lastLookMs, state.deadline - begun)
      const observation = await (needsScreen ? observe : observeFast)(patience)
      const now = performance.now()
      ended = now
      const observed = {
        ...asObserved(observation),
        isConsumed: isConsumed(observation),
        isPrinted: line !== undefined,
        isStill: observation === last,
      }
      last = observation
      const step = stepReady(options, state, observed, now)
      if (step.done === 'timeout' && !isLate) continue
      if (step.done === 'reached' && observed.word === 'ready' && !isLate && !hasCaughtUp) {
        hasCaughtUp = true
        // Another observation knows how the command ended.
        if (await caughtUp(holder)) continue
      }
      if (step.done) return answerOf(holder.pid, step.done, options, observed, observation, line)
      if (signal?.aborted) return undefined
      state = step.state
      const rest = crowded > crowd ? Math.min(longestRest, (now - begun) * restPerObservation) : 0
      if (step.delay > 0) await slept(step.delay, rest)
      if (hasStirred) state = stirred(state)
    }
  }

  /** Output wakes, but not before the rest is over. */
  async function slept(delay: number, rest: number): Promise<void> {
    const from = performance.now()
    if (!hasStirred)
      await holder.output.woken(holder.output.marks() ? delay : Math.min(delay, withoutOutputMs))
    const left = rest - (performance.now() - from)
    if (left > 0) await pause(left)
  }

  return {
    answer: () => observations().finally(stop),
    async restart() {
      if (patterns.length === 0) return
      await holder.flush()
      printed.restart()
    },
    stop,
  }
}

/** @returns whether marks had to be waited for */
async function caughtUp({ output, flush }: DrivableHolder): Promise<boolean> {
  const isLate = (): boolean => {
    const marks = output.marks()
    return marks !== undefined && isBehind(marks)
  }
  if (!isLate()) return false
  const until = performance.now() + behindMs
  while (isLate() && performance.now() < until) await output.woken(until - performance.now())
  if (isLate()) await flush()
  return true
}

function asObserved(observation: Observation): Omit<Observed, 'isConsumed' | 'isPrinted' | 'isStill'> {
  const { verdict, isWhole, screen, facts } = observation
  const { observeAgainIn, reader, tier } = verdict
  const cursor = facts ? `${facts.cursor.row} ${facts.cursor.column} ` : ''
  return {
    word: terminalWord(verdict),
    isProven: tier === 'proven',
    isWhole,
    isConclusive: isConclusive(observation),
    screen: `${cursor}${screen?.rows.join('\n')}`,
    lastLine: lastLineOf(screen?.rows ?? []),
    ...(reader === undefined ? {} : { reader }),
    ...(observeAgainIn === undefined ? {} : { observeAgainIn }),
  }
}
