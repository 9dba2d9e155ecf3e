/** A loop for people: a line for each event, and a countdown while it waits. */

import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Printable } from '../../core.ts'
import { isFirstRow } from '../../loop/headless-rows.ts'
import type { DelayWhy, LoopEvent, Tally } from '../../loop/loop-events.ts'
import { clockOf, dayOf } from './clock-words.ts'
import { lines, own } from './print.ts'

const reasons: Readonly<Record<DelayWhy, string>> = {
  delay: '',
  idle: 'nothing to do, ',
  until: 'until the time that the agent named, ',
  limit: 'the provider’s limit, ',
  at_once: 'the agent ends at once, ',
}

const clearLine = '\r\u001b[K'

/** The wait of a loop: one line, redrawn each second in a terminal; a line a minute elsewhere. */
function createCountdown(write: (text: Printable) => boolean, width?: () => number) {
  let timer: NodeJS.Timeout | undefined
  let isDrawn = false

  /** Makes room for other lines; the next tick draws it again. */
  function clear(): void {
    if (isDrawn) write(own(clearLine))
    isDrawn = false
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    clear()
  }

  return {
    start(why: DelayWhy, delay: number): void {
      stop()
      const end = performance.now() + delay
      const draw = (): void => {
        const left = Math.max(0, end - performance.now())
        const text = `${reasons[why]}next run in ${inSeconds(left)} (Ctrl+C: run now, twice: stop)`
        // A terminal without a known size has 0 columns.
        const cells = width?.() || Infinity
        if (width) write(own(`${clearLine}${text.slice(0, Math.max(1, cells - 1))}`))
        else write(lines(text))
        isDrawn = width !== undefined
      }
      draw()
      timer = setInterval(draw, width ? 1000 : 60_000)
    },
    clear,
    stop,
  }
}

/** No tenths: they would run past. */
const inSeconds = (ms: number): string =>
  ms < 9500 ? `${Math.ceil(ms / 1000)} s` : formatDuration(Math.ceil(ms / 1000) * 1000)

/** @param width the terminal's, in cells; none where there is no terminal */
export function createLoopPrinter(write: (text: Printable) => boolean, width?: () => number) {
  const countdown = createCountdown(write, width)
  /** The agent prints rows for programs: only its last message is shown. */
  let hasRows = false
  return {
    /** False where the reader should be waited for. */
    print(event: LoopEvent): boolean {
      if (event.type === 'ITERATION_STARTED') hasRows = false
      if (event.type === 'AGENT_ACTIVITY' || isRow(event)) hasRows = true
      if (event.type === 'DELAY_ENDED') countdown.stop()
      const shown = linesOf(event, hasRows)
      if (shown.length > 0) countdown.clear()
      const isRoom = write(lines(...shown))
      if (event.type === 'DELAY_STARTED') countdown.start(event.why, event.delay)
      return isRoom
    },
    close: countdown.stop,
  }
}

/** Copilot's first rows come before any activity. */
const isRow = (event: LoopEvent): boolean =>
  event.type === 'AGENT_OUTPUT_LINE' && event.stream === 'stdout' && isFirstRow(event.line)

function linesOf(event: LoopEvent, hasRows: boolean): string[] {
  switch (event.type) {
    case 'RUN_STARTED':
      return [`${clean(event.ralph)}: ${clean(event.agent.join(' '))}`]
    case 'ITERATION_STARTED':
      return ['', `iteration ${event.iteration}`]
    case 'COMMANDS_COMPLETED':
      return event.results.flatMap(({ name, code = 0, problem }) => {
        if (problem) return [`  the command ${name} ${problems[problem]}`]
        return code === 0 ? [] : [`  the command ${name} ended with ${code}; its output is in the prompt`]
      })
    case 'AGENT_ACTIVITY':
      return activityOf(event).map(what => `  · ${clean(what)}`)
    case 'AGENT_OUTPUT_LINE':
      return hasRows && event.stream === 'stdout' ? [] : agentLine(event.line)
    case 'ITERATION_COMPLETED':
      return [
        ...resultLines(event, hasRows),
        `iteration ${event.iteration} completed after ${ms(event.duration)}`,
      ]
    case 'ITERATION_IDLE': {
      const why = event.reason === undefined ? '' : `: ${clean(event.reason)}`
      const times =
        event.idleCount === 1 ? '' : `, ${event.idleCount} times in a row, for ${ms(event.idleFor)}`
      const what = `iteration ${event.iteration} ${event.state}${why}, after ${ms(event.duration)}${times}`
      return [...resultLines(event, hasRows), what]
    }
    case 'ITERATION_FAILED': {
      const why = event.error === undefined ? '' : `: ${clean(event.error)}`
      return [`iteration ${event.iteration} ${failureOf(event)} after ${ms(event.duration)}${why}`]
    }
    case 'ITERATION_TIMED_OUT':
      return [`iteration ${event.iteration} took longer than ${ms(event.timeout)} and was ended`]
    case 'STATE_REPORTED':
      if (event.isKnown) return reportOf(event)
      return [`  the agent reports the state ${clean(event.name)}, which has no meaning here`]
    case 'BLOCKED': {
      const what = event.for === undefined ? 'a person is needed' : `it waits for a person (${event.for})`
      return [`  ${what}${event.reason === undefined ? '' : `: ${clean(event.reason)}`}`]
    }
    case 'RUN_PAUSED':
      return ['paused']
    case 'RUN_RESUMED':
      return ['resumed']
    case 'RUN_STOPPED':
      return ['', clean(event.message), summary(event)]
    case 'LOG_MESSAGE':
      return [event.level === 'warning' ? `warning: ${clean(event.message)}` : clean(event.message)]
    case 'COMMANDS_STARTED':
    case 'PROMPT_ASSEMBLED':
    case 'DELAY_STARTED':
    case 'DELAY_ENDED':
      return []
  }
}

type Of<Type extends LoopEvent['type']> = Extract<LoopEvent, { readonly type: Type }>

/** Its tool; or what keeps it from going on while it still works. */
function activityOf({ tool, state }: Of<'AGENT_ACTIVITY'>): string[] {
  if (tool !== undefined) return [tool]
  const { doing } = state.kind === 'working' ? state : {}
  return doing === 'retrying' || doing === 'compacting' ? [doing] : []
}

/** The end of the iteration prints the state's effect. Its duration is printed only here. */
function reportOf({ name, until }: Of<'STATE_REPORTED'>): string[] {
  if (until === undefined) return []
  const when = 'in' in until ? `for ${ms(until.in)}` : `until ${dayOf(until.at)} ${clockOf(until.at)}`
  return [`  the agent reports ${clean(name)} ${when}`]
}

const problems = {
  timed_out: 'timed out and was ended; its output is in the prompt',
  not_found: 'can’t be run',
  killed: 'was ended by a signal; its output is in the prompt',
} as const

function failureOf({ reason, exitCode, signal }: Extract<LoopEvent, { type: 'ITERATION_FAILED' }>): string {
  switch (reason) {
    case 'exit':
      return `failed with exit code ${exitCode}`
    case 'signal':
      return `was ended by ${clean(signal ?? 'a signal')}`
    case 'not_started':
      return 'could not start the agent'
    case 'turn':
      return 'failed'
    case 'limit':
      return 'ran into the provider’s limit'
    case 'stopped':
      return 'was stopped'
  }
}

const resultLines = ({ resultText }: { readonly resultText?: string }, hasRows: boolean): string[] =>
  hasRows && resultText !== undefined ? resultText.trim().split('\n').flatMap(agentLine) : []

/** What an agent prints is text and nothing else: no control character of it is carried out. */
const clean = (text: string): string => oneLine(text, 1000)
const agentLine = (line: string): string[] => [`  ${oneLine(line, 10_000)}`.trimEnd()]

const ms = formatDuration

function summary({ iterations, tally, duration }: Extract<LoopEvent, { type: 'RUN_STOPPED' }>): string {
  const count = iterations === 1 ? '1 iteration' : `${iterations} iterations`
  return `${count} in ${ms(duration)}: ${counts(tally)}`
}

const words: Readonly<Record<keyof Tally, string>> = {
  completed: 'completed',
  idle: 'idle',
  failed: 'failed',
  timedOut: 'timed out',
  limited: 'limited',
}

function counts(tally: Tally): string {
  const kinds = Object.keys(words) as (keyof Tally)[]
  const some = kinds.filter(kind => tally[kind] > 0).map(kind => `${tally[kind]} ${words[kind]}`)
  return some.length === 0 ? 'none of them finished' : some.join(', ')
}
