/** What silence alone allows to say: the rules of docs/seeds.md#004, which never reach certainty. */
import type { Health, Instant } from '../../core/state.ts'
import type { Window } from './metrics-history.ts'
import { always, type Preset } from './presets.ts'
import type { Fallback } from './run-verdict.ts'

export type Silence = {
  /** Since when it has been silent and has done nothing. */
  readonly calmSince?: Instant
  readonly likelySince?: Instant
}

export type Quiet = {
  readonly at: Instant
  /** Without output that counts, ms. */
  readonly silentFor: number
  /** Without a time slice of any thread, ms. */
  readonly quietFor: number
  readonly window: Window
  /** A source that could wake it was looked for, and none was found: it may be called stuck. */
  readonly isBlocked: boolean
  readonly fallback?: Fallback
}

type Step = { readonly silence: Silence; readonly health: Health }

export function stepSilence(silence: Silence, quiet: Quiet, preset: Preset): Step {
  const { at, silentFor, window, isBlocked, fallback } = quiet
  if (!window.isFull) return { silence: {}, health: { level: 'healthy', certainty: 'low' } }
  if (silentFor < preset.silence) return { silence: {}, health: { level: 'healthy', certainty: 'high' } }
  if (isAtWork(quiet)) return { silence: {}, health: { level: 'healthy', certainty: 'medium' } }
  const suspicious: Health = { level: 'suspicious', cause: 'no_progress', certainty: 'low' }
  const isCalm = window.cpuPercent < preset.stuckCpu && window.ioBytes < preset.stuckIo && !window.isConnected
  if (!isCalm) return { silence: {}, health: suspicious }
  const calmSince = silence.calmSince ?? at
  if (!isBlocked) return { silence: { calmSince }, health: { ...suspicious, certainty: doubt(fallback) } }
  if (at - calmSince < preset.escalate) return { silence: { calmSince }, health: suspicious }
  const likelySince = silence.likelySince ?? at
  const likelyFor = at - likelySince
  return {
    silence: { calmSince, likelySince },
    health: {
      level: likelyFor >= always.confirm ? 'confirmed_stuck' : 'likely_stuck',
      cause: 'no_progress',
      certainty: likelyFor >= always.highAfter ? 'high' : 'medium',
    },
  }
}

/** It computes, reads or writes, or a connection of it was used a moment ago. */
function isAtWork({ quietFor, window }: Quiet): boolean {
  if (window.cpuPercent > always.busyCpu) return true
  if (window.ioBytes > always.busyIoPerSecond * (always.interval / 1000) * always.samples) return true
  return window.isConnected && quietFor < always.quietConnection
}

/** The document's own (lines 78 and 85). */
function doubt(fallback: Fallback | undefined): Health['certainty'] {
  switch (fallback) {
    case 'LIKELY_STDIN_WAITING':
      return 'high'
    case 'LIKELY_HUNG':
      return 'medium'
    case undefined:
      return 'low'
  }
}
