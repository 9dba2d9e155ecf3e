/** What is known of a terminal's programs: how they read when they are at their prompt, and how that prompt looks. */
import type { Tier } from '../../core/evidence/signal.ts'
import { type Probe, type Reading, readingOf, type Termios } from '../probe/probed.ts'
import { classify } from './classify.ts'
import { beforeCursor } from './screen-text.ts'

/** How a process reads at its prompt, learned while it was there; no surer than what told so. */
export type IdleReader = {
  readonly pid: number
  readonly termios: Termios
  readonly call: Reading
  readonly tier: Tier
  /** The cursor's line up to the cursor, where there was a screen. */
  readonly prompt?: string
}

/** How deep in its own code a program reads at its prompt, measured on a fresh one of the same file. */
export type Reference = {
  readonly pid: number
  readonly canonical: boolean
  /** The call's name. */
  readonly call: string
  readonly depth: number
}

export type Learned = { readonly idle: readonly IdleReader[]; readonly references: readonly Reference[] }

export const nothingLearned: Learned = { idle: [], references: [] }

/** Nobody runs more shells in one terminal; the oldest are forgotten. */
const mostKept = 32

/**
 * Keeps how the reader of an idle terminal reads. To be called with any look that is steady, as often as one likes.
 * @returns the same object where nothing was to be learned
 */
export function learn(learned: Learned, probe: Probe): Learned {
  if (probe.inner) return learn(learned, probe.inner)
  const { state, reader, lookAgainIn, tier } = classify(probe, learned)
  const isAtPrompt = state.kind === 'idle' && lookAgainIn === undefined
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
