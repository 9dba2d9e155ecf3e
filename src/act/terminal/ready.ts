/** Waits until a pane is as wanted: woken by its output and by a timer, silent in between. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, answerOf, lastLineOf } from './answer.ts'
import type { Look, OpenPane } from './open-pane.ts'
import { lineWatch } from './printed-lines.ts'
import { type ReadyRequest, type Seen, startReady, stepReady, stirred } from './ready-step.ts'
import { terminalWord } from './terminal-word.ts'

export type ReadyOptions = ReadyRequest & {
  /** ms */
  readonly timeout: number
  /** Whether what was typed has been read, as far as a look tells; always, where nothing was typed. */
  readonly isConsumed?: (look: Look) => boolean
  readonly signal?: AbortSignal
}

export type ReadyWait = {
  /** Looks until it is over. @returns undefined where the signal ended it */
  answer(): Promise<Answer | undefined>
  /** What was printed before, the echo of what was typed, does not count. */
  restart(): Promise<void>
  /** Hears nothing any more. */
  stop(): void
}

/** Looks that follow one another this soon (ms) are a crowd; after so many of them comes a rest, some times as long. */
const crowdGap = 10
const crowd = 8
const restPerLook = 4
/** ms */
const longestRest = 5

/** Registers: what is printed from here on counts. The looking begins with `answer`. */
export function startReadyWait(pane: OpenPane, options: ReadyOptions): ReadyWait {
  const { goals, timeout, isConsumed = () => true, signal } = options
  const patterns = goals.flatMap(goal => (goal.type === 'output' ? [goal.pattern] : []))
  const printed = lineWatch(line => patterns.some(pattern => pattern.test(line)))
  let hasStirred = false
  const stop = pane.listen(text => {
    hasStirred = true
    if (patterns.length > 0) printed.take(text)
  })

  async function looks(): Promise<Answer | undefined> {
    let state = startReady(performance.now(), timeout)
    let [crowded, ended]: [number, number] = [0, -Infinity]
    let last: Look | undefined
    for (;;) {
      hasStirred = false
      const begun = performance.now()
      crowded = begun - ended < crowdGap ? crowded + 1 : 0
      const isLate = begun >= state.deadline
      // The screen is asked after the line was heard, so that it holds it.
      const line = printed.found()
      const needsScreen = isLate || line !== undefined
      const look = (needsScreen ? undefined : pane.glimpse()) ?? (await pane.look())
      const now = performance.now()
      ended = now
      const seen = {
        ...seenOf(look),
        isConsumed: isConsumed(look),
        isPrinted: line !== undefined,
        isStill: look === last,
      }
      last = look
      const step = stepReady(options, state, seen, now)
      if (step.done === 'timeout' && !isLate) continue
      if (step.done) return answerOf(pane, step.done, look, line)
      if (signal?.aborted) return undefined
      state = step.state
      const rest = crowded > crowd ? Math.min(longestRest, (now - begun) * restPerLook) : 0
      if (step.delay > 0) await slept(step.delay, rest)
      if (hasStirred) state = stirred(state)
    }
  }

  /** Output wakes, but not before the rest is over. */
  async function slept(delay: number, rest: number): Promise<void> {
    const from = performance.now()
    if (!hasStirred) await pane.woken(delay)
    const left = rest - (performance.now() - from)
    if (left > 0) await pause(left)
  }

  return {
    answer: () => looks().finally(stop),
    async restart() {
      if (patterns.length === 0) return
      await pane.flush()
      printed.restart()
    },
    stop,
  }
}

function seenOf({
  verdict,
  isSteady,
  isWhole,
  screen,
  facts,
}: Look): Omit<Seen, 'isConsumed' | 'isPrinted' | 'isStill'> {
  const { lookAgainIn, reader, tier } = verdict
  const cursor = facts ? `${facts.cursor.row} ${facts.cursor.column} ` : ''
  return {
    word: terminalWord(verdict),
    isProven: tier === 'proven',
    isWhole,
    isRipe: isSteady && lookAgainIn === undefined,
    screen: `${cursor}${screen?.rows.join('\n')}`,
    lastLine: lastLineOf(screen?.rows ?? []),
    ...(reader === undefined ? {} : { reader }),
    ...(lookAgainIn === undefined ? {} : { lookAgainIn }),
  }
}
