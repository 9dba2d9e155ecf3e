/** Keeps how programs read, and how their prompts look, from observations that found them there. Pure. */
import { type Probe, readingOf } from '../probe/probed.ts'
import { classify } from './classify.ts'
import type { IdleReader, Learned } from './learned.ts'
import { beforeCursor } from './screen-text.ts'

/** Nobody runs more shells in one terminal; the oldest are forgotten. */
const mostKept = 32

/**
 * Keeps how the reader of an idle terminal reads. To be called with any probe of a steady observation, as often as one likes.
 * @returns the same object where nothing was to be learned
 */
export function learn(learned: Learned, probe: Probe): Learned {
  if (probe.inner) return learn(learned, probe.inner)
  const { state, reader, observeAgainIn, tier } = classify(probe, learned)
  const isAtPrompt = state.kind === 'idle' && observeAgainIn === undefined
  const process = probe.processes.find(({ pid }) => pid === reader)
  const call = process && readingOf(process)
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
