/**
 * What one probe of a terminal says. The kernel's evidence first: who reads the terminal, how, and how deep in its own
 * code; the prompt's looks only where that is not enough. In doubt it runs, or is unknown: a false ready costs work. Pure.
 */
import type { Tier } from '../../core/evidence/signal.ts'
import { healthy } from '../../core/judge/verdict.ts'
import type { WaitingFor } from '../../core/state.ts'
import { type Probe, readingOf, type TerminalProcess } from '../probe/probed.ts'
import { hiddenVerdict } from './hidden-classify.ts'
import { type Learned, nothingLearned } from './learned.ts'
import { command, missingQuiet, type PartialVerdict, partialBy } from './partial-verdict.ts'
import { readerVerdict } from './reader-classify.ts'
import { beforeCursor } from './screen-text.ts'
import type { TerminalVerdict } from './terminal-verdict.ts'

/** Nine in ten, and so on: `npm run bench:terminal` counts them. */
const confidence: Readonly<Record<Tier, number>> = {
  proven: 0.99,
  declared: 0.98,
  seen: 0.95,
  inferred: 0.8,
  asked: 0.5,
}

/** Output that stops for so long while a program is kept from writing is stopped by somebody, and not slow. */
const frozenQuietMs = 1000
/** Somebody typed after it stopped: that is not taken either. */
const frozenTypedMs = 500
/** How soon what is only passing is observed again. */
const passingMs = 2

export function classify(probe: Probe, learned: Learned = nothingLearned): TerminalVerdict {
  const claim = claimOf(probe, learned)
  const { screen, stream } = innermost(probe)
  const prompt = screen && beforeCursor(screen).trimEnd()
  const exitCode = claim.state.kind === 'idle' ? stream?.semantic?.exitCode : undefined
  return {
    health: healthy,
    ...claim,
    confidence: claim.state.kind === 'unknown' ? 0 : confidence[claim.tier],
    ...(prompt === undefined || prompt === '' ? {} : { prompt }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

const innermost = (probe: Probe): Probe =>
  probe.inner && probe.termios?.canonical !== true ? innermost(probe.inner) : probe

function claimOf(probe: Probe, learned: Learned): PartialVerdict {
  if (probe.gone) {
    return { state: { kind: 'exited', ...probe.gone }, tier: 'proven', why: 'its process has ended' }
  }
  if (!probe.hasKernel) return hiddenVerdict(probe, learned, 'a machine that tells nothing of processes')
  const relayed = relayClaim(probe, learned)
  if (relayed) return relayed

  const stuck = stuckClaim(probe)
  if (stuck) return stuck

  const reader = probe.processes.findLast(process => isReader(process, probe))
  if (reader) return asSure(withReader(probe, learned, reader), reader)
  return withoutReader(probe, learned)
}

/** What lies behind a relay is judged instead, unless the relay itself asks something (ssh its password). */
function relayClaim(probe: Probe, learned: Learned): PartialVerdict | undefined {
  const { relay, inner, termios } = probe
  if (!relay) return undefined
  if (inner) {
    // A relay passes keys on one by one; while the outer terminal collects lines, it does not.
    if (termios?.canonical) return undefined
    const claim = claimOf(inner, learned)
    if (claim.state.kind !== 'exited') return claim
    return { state: command, tier: 'proven', why: `what ${relay.name} showed has ended, and it goes on` }
  }
  if (termios && isAskedHere(probe, relay.pid)) return undefined
  return hiddenVerdict(probe, learned, relay.name)
}

/** The relay reads the local terminal itself, a line at a time or without echo. */
function isAskedHere({ termios, processes }: Probe, relay: number): boolean {
  if (!termios?.canonical) return false
  if (!termios.echo) return true
  const process = processes.find(({ pid }) => pid === relay)
  return process !== undefined && readingOf(process)?.name === 'read'
}

/** Kept from going on by the terminal or by a signal, not by its work. */
function stuckClaim(probe: Probe): PartialVerdict | undefined {
  const { processes, queued = 0 } = probe
  const writer = processes.find(({ calls }) => calls.some(({ type }) => type === 'writes'))
  if (writer) {
    const missing = missingQuiet(probe, queued > 0 ? frozenTypedMs : frozenQuietMs)
    if (missing !== undefined) {
      return {
        ...partialBy(writer, command, 'proven', 'waits for its output to be taken'),
        observeAgainIn: missing,
      }
    }
    return {
      state: command,
      health: { level: 'confirmed_stuck', cause: 'output', certainty: 'certain' },
      tier: 'proven',
      why: `${writer.name} can't write: the terminal's output is stopped (Ctrl-S); Ctrl-Q goes on`,
      reader: writer.pid,
    }
  }
  const [first] = processes
  if (first && processes.every(({ state }) => state === 'T')) {
    return {
      state: command,
      health: { level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' },
      tier: 'proven',
      why: `${first.name} is stopped by a signal`,
      reader: first.pid,
    }
  }
  return undefined
}

/** A poll whose descriptors are hidden is one of the terminal only where the terminal was set up for it. */
function isReader(process: TerminalProcess, { termios }: Probe): boolean {
  const reading = readingOf(process)
  return reading !== undefined && !(reading.isGuessed && reading.others > 0 && termios?.canonical)
}

function withReader(probe: Probe, learned: Learned, reader: TerminalProcess): PartialVerdict {
  const { termios, queued = 0 } = probe
  const hands = reader.pid
  if (!termios) return hiddenVerdict(probe, learned, `${reader.name}, whose terminal may not be asked`)
  // It is about to wake: what it reads lies there.
  if (queued > 0) {
    return {
      state: command,
      tier: 'proven',
      why: `${reader.name} has ${queued} bytes of input to take yet`,
      reader: hands,
      observeAgainIn: passingMs,
    }
  }
  if (termios.canonical && !termios.echo) return waiting('password', reader, 'reads a line without echo')
  if (!termios.canonical && termios.echo) return waiting('keypress', reader, 'reads a single key')
  return readerVerdict(probe, learned, reader, termios)
}

/** What rests on a guess at the call is proven no more. */
const asSure = (claim: PartialVerdict, reader: TerminalProcess): PartialVerdict =>
  readingOf(reader)?.isGuessed && claim.tier === 'proven' ? { ...claim, tier: 'seen' } : claim

function withoutReader(probe: Probe, learned: Learned): PartialVerdict {
  const { processes, termios } = probe
  const hidden = processes.find(({ calls }) => calls.some(({ type }) => type === 'hidden'))
  if (hidden && termios?.canonical && !termios.echo) {
    return { ...waiting('password', hidden, 'has switched echo off'), tier: 'seen' }
  }
  if (hidden) return hiddenVerdict(probe, learned, `${hidden.name}, which may not be looked into`)
  const busy = processes.at(-1)
  return {
    state: command,
    tier: 'proven',
    why: busy ? `${busy.name} ${doing(busy)}, and nobody reads the terminal` : 'nobody reads the terminal',
    ...(busy ? { reader: busy.pid } : {}),
  }
}

function doing({ calls, state }: TerminalProcess): string {
  const blocked = calls.find(call => call.type === 'blocked' || call.type === 'writes')
  return blocked && 'name' in blocked && state !== 'R' ? `is in ${blocked.name}` : 'runs'
}

const waiting = (reason: WaitingFor, process: TerminalProcess, why: string): PartialVerdict =>
  partialBy(process, { kind: 'waiting', for: reason }, 'proven', why)
