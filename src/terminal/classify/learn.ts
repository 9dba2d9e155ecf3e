/** Keeps how programs read, and how their prompts look, from observations that found them there. Pure. */
import type { Grid } from '../../core/text/grid.ts'
import { type Probe, readingOf, type TerminalProcess } from '../probe/probed.ts'
import { classify } from './classify.ts'
import type { IdleReader, Learned } from './learned.ts'
import { beforeCursor, rowsAbove } from './screen-text.ts'
import { shellOf } from './shells.ts'

/** Nobody runs more shells in one terminal; the oldest are forgotten. */
const mostKept = 32

/**
 * Keeps how the reader of an idle terminal reads. To be called with any probe of a steady observation, as often as one likes.
 * @returns the same object where nothing was to be learned
 */
export function learn(learned: Learned, probe: Probe): Learned {
  const { state, reader, observeAgainIn, tier } = classify(probe, learned)
  // What a relay does not show is no prompt of what it feeds.
  if (probe.inner) return probe.relay?.isSeen && state.kind !== 'idle' ? learned : learn(learned, probe.inner)
  const isAtPrompt = state.kind === 'idle' && observeAgainIn === undefined
  const process = probe.processes.find(({ pid }) => pid === reader)
  const call = process && readingOf(process)
  const isQuestion = state.kind === 'waiting' && state.for === 'input'
  if (isQuestion && process && !shellOf(process)?.isInteractive) return withAsked(learned, probe, process)
  if (!isAtPrompt || !call || !probe.termios) return learned
  const prompt = probe.screen && beforeCursor(probe.screen)
  const known = learned.idle.find(({ pid }) => pid === process.pid)
  // What is typed after the prompt is no part of it.
  const isTyped =
    known?.prompt !== undefined && known.prompt.trim() !== '' && prompt?.startsWith(known.prompt)
  const next: IdleReader = {
    pid: process.pid,
    termios: probe.termios,
    call,
    tier,
    ...(prompt === undefined ? {} : { prompt: isTyped ? (known.prompt as string) : prompt }),
  }
  return {
    ...learned,
    idle: [...learned.idle.filter(({ pid }) => pid !== process.pid), next].slice(-mostKept),
  }
}

/** The first of its questions that is alike is kept: what is typed behind it makes another. */
function withAsked(learned: Learned, { screen }: Probe, { pid, readChars = 0 }: TerminalProcess): Learned {
  const prompt = screen && beforeCursor(screen)
  const known = learned.asked.find(one => one.pid === pid)
  if (!prompt?.trim() || (known && prompt.startsWith(known.prompt))) return learned
  const above = rowsAbove(screen as Grid).filter(row => row !== '')
  const others = learned.asked.filter(one => one.pid !== pid)
  return { ...learned, asked: [...others, { pid, prompt, above, readChars }].slice(-mostKept) }
}
