/**
 * The verdict of one probe of a terminal. The kernel's evidence comes first: who reads the terminal, how, and how deep in its own
 * code; the prompt's looks only where that is not enough. In doubt it runs, or is unknown: a false ready costs work. Pure.
 */
import type { Tier } from '../../core/evidence/signal.ts'
import { healthy } from '../../core/judge/verdict.ts'
import type { Health, WaitingFor } from '../../core/state.ts'
import type { Grid } from '../../core/text/grid.ts'
import { type Probe, type Relay, readingOf, type TerminalProcess, type Termios } from '../probe/probed.ts'
import { asksForLine } from './drawn-question.ts'
import { hiddenVerdict } from './hidden-classify.ts'
import { type Learned, nothingLearned } from './learned.ts'
import {
  command,
  input,
  isAlternate,
  missingQuiet,
  type PartialVerdict,
  partialBy,
} from './partial-verdict.ts'
import { matchPrompt } from './prompts.ts'
import { readerVerdict, screenKind } from './reader-classify.ts'
import { beforeCursor } from './screen-text.ts'
import { nameOf, readsAsAtPrompt, shellOf } from './shells.ts'
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
/** How soon there may be room again: ms. */
const unreadMs = 50
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

export const innermost = (probe: Probe): Probe =>
  probe.inner && probe.termios?.canonical !== true ? innermost(probe.inner) : probe

function claimOf(probe: Probe, learned: Learned): PartialVerdict {
  if (probe.gone) {
    const { how, ...end } = probe.gone
    return { state: { kind: 'exited', ...end }, tier: 'proven', why: endings[how ?? 'ended'] }
  }
  if (probe.unread !== undefined) {
    const why = `nothing can be read of its processes: ${probe.unread}`
    return { state: { kind: 'unknown' }, tier: 'inferred', why, observeAgainIn: unreadMs }
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

const endings = {
  ended: 'its process has ended',
  closed: 'its terminal was closed',
  replaced: 'its pane holds another program now',
} as const

/** What lies behind a relay is judged instead, unless the relay itself asks something (ssh its password). */
function relayClaim(probe: Probe, learned: Learned): PartialVerdict | undefined {
  const { relay, inner, termios } = probe
  if (!relay) return undefined
  if (relay.isSeen) return seenRelayClaim(probe, relay, learned)
  if (inner) {
    // A relay passes keys on one by one; while the outer terminal collects lines, it does not.
    if (termios?.canonical) return undefined
    const claim = claimOf(inner, learned)
    if (relay.isInMode && keysWanted.has(claim.state.kind)) return inMode(relay)
    if (claim.state.kind !== 'exited') return claim
    return { state: command, tier: 'proven', why: `what ${relay.name} showed has ended, and it goes on` }
  }
  if (termios && isAskedHere(probe, relay.pid)) return undefined
  return hiddenVerdict(probe, learned, relay.name)
}

const keysWanted: ReadonlySet<string> = new Set(['idle', 'waiting', 'unknown'])

/** What is typed would move about in what it shows. */
const inMode = ({ pid, name }: Relay): PartialVerdict => ({
  state: { kind: 'waiting', for: 'pager' },
  tier: 'seen',
  why: `${name} is in copy mode, and takes the keys itself`,
  reader: pid,
})

/**
 * A program that waits for another terminal may only pass it on, or show something else besides: what it shows is ready where
 * it looks so, too. An editor's own terminals are a part of it.
 */
function seenRelayClaim(probe: Probe, relay: Relay, learned: Learned): PartialVerdict | undefined {
  const process = probe.processes.find(({ pid }) => pid === relay.pid)
  if (process && screenKind(process)) return undefined
  const { inner } = probe
  const unknown = (why: string): PartialVerdict => ({
    state: { kind: 'unknown' },
    tier: 'inferred',
    why: `${relay.name} ${why}`,
    reader: relay.pid,
    behind: relay.name,
  })
  if (!inner) return unknown('passes a terminal on, and which one is not known')
  const claim = claimOf(inner, learned)
  if (claim.state.kind === 'exited')
    return { state: command, tier: 'proven', why: `what ${relay.name} showed has ended, and it goes on` }
  if (claim.state.kind !== 'idle') return claim
  if (!looksIdle(inner, learned, claim))
    return unknown('passes a terminal on whose program is ready, and shows something else')
  return isAlternate(probe)
    ? { ...claim, tier: 'inferred' }
    : claim.tier === 'proven'
      ? { ...claim, tier: 'seen' }
      : claim
}

/** Signs that a shell's prompt ends with; programs with a line of their own end it with others: `>`, `❯`, `›`. */
const shellSign = /[$#%] ?$/

function looksIdle(
  { screen, processes }: Probe,
  { idle }: Learned,
  { reader, state, tier }: PartialVerdict,
): boolean {
  if (!screen) return false
  const text = beforeCursor(screen)
  const written = processes.find(({ pid }) => pid === reader)?.prompt?.trimEnd()
  if (written && written.length < screen.columns) return text.startsWith(written)
  const known = idle.find(({ pid }) => pid === reader)?.prompt?.trim()
  if (known && text.startsWith(known)) return true
  const category = matchPrompt(text)?.category
  // A REPL that was recognized by its prompt has shown it.
  if (state.kind === 'idle' && state.at === 'repl')
    return category === 'repl' || (tier !== 'proven' && text.trim() !== '>')
  return category === 'shell' && shellSign.test(text)
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
  const { processes, queued = 0, isOutputStopped } = probe
  const writer = processes.find(({ calls }) => calls.some(({ type }) => type === 'writes'))
  // Who reads has not tried to write yet: the echo of the first key would stop it.
  const held = writer ?? (isOutputStopped && processes.findLast(process => isReader(process, probe)))
  if (held) {
    const missing = missingQuiet(probe, queued > 0 ? frozenTypedMs : frozenQuietMs)
    if (missing !== undefined) {
      const why = 'waits for its output to be taken'
      return { ...partialBy(held, command, 'proven', why), observeAgainIn: missing }
    }
    const why = "can't write: the terminal's output is stopped (Ctrl-S); Ctrl-Q goes on"
    return { ...partialBy(held, command, 'proven', why), health: stuckBy('output') }
  }
  const [first] = processes
  if (first && processes.every(({ state }) => state === 'T')) {
    const why = 'is stopped by a signal'
    return { ...partialBy(first, command, 'proven', why), health: stuckBy('stopped') }
  }
  return undefined
}

const stuckBy = (cause: 'output' | 'stopped'): Health => ({
  level: 'confirmed_stuck',
  cause,
  certainty: 'certain',
})

/** A poll with hidden descriptors counts as a read of the terminal only if the terminal was set up for it. */
function isReader(process: TerminalProcess, { termios }: Probe): boolean {
  const reading = readingOf(process)
  return reading !== undefined && !(reading.isGuessed && reading.others > 0 && termios?.canonical)
}

function withReader(probe: Probe, learned: Learned, reader: TerminalProcess): PartialVerdict {
  const { termios, queued = 0 } = probe
  if (!termios) return hiddenVerdict(probe, learned, `${nameOf(reader)}, whose terminal may not be asked`)
  // It is about to wake: what it reads lies there.
  if (queued > 0) {
    const why = `has ${queued} bytes of input to take yet`
    return { ...partialBy(reader, command, 'proven', why), observeAgainIn: passingMs }
  }
  if (termios.canonical && !termios.echo && !isShellAtPrompt(reader, termios))
    return waiting('password', reader, 'reads a line without echo')
  if (!termios.canonical && termios.echo) return echoedVerdict(probe, reader)
  return readerVerdict(probe, learned, reader, termios)
}

/** After `stty -echo` a shell without a line editor reads its commands as it reads a password. */
function isShellAtPrompt(reader: TerminalProcess, termios: Termios): boolean {
  const [shell, call] = [shellOf(reader), readingOf(reader)]
  if (!shell?.isInteractive || !call || call.isGuessed) return false
  return readsAsAtPrompt(shell.name, termios, call)
}

/** The terminal echoes, and hands out each key: a single one is wanted, unless what is asked wants a line of them. */
function echoedVerdict({ screen }: Probe, reader: TerminalProcess): PartialVerdict {
  const isLine = readingOf(reader)?.count !== 1 && screen && (asksForLine(screen) || isPrompt(screen))
  if (!isLine) return waiting('keypress', reader, 'reads a single key')
  return partialBy(reader, input, 'seen', 'reads keys of a line')
}

const isPrompt = (screen: Grid): boolean => prompts.has(matchPrompt(beforeCursor(screen))?.category ?? 'none')
const prompts: ReadonlySet<string> = new Set(['shell', 'repl'])

/** What rests on a guess at the call is proven no more. */
const asSure = (claim: PartialVerdict, reader: TerminalProcess): PartialVerdict =>
  readingOf(reader)?.isGuessed && claim.tier === 'proven' ? { ...claim, tier: 'seen' } : claim

function withoutReader(probe: Probe, learned: Learned): PartialVerdict {
  const { processes, termios } = probe
  const hidden = processes.find(({ calls }) => calls.some(({ type }) => type === 'hidden'))
  if (hidden && termios?.canonical && !termios.echo) {
    return { ...waiting('password', hidden, 'has switched echo off'), tier: 'seen' }
  }
  if (hidden) return hiddenVerdict(probe, learned, `${nameOf(hidden)}, which may not be looked into`)
  const busy = processes.at(-1)
  if (busy) return partialBy(busy, command, 'proven', `${doing(busy)}, and nobody reads the terminal`)
  return { state: command, tier: 'proven', why: 'nobody reads the terminal' }
}

function doing({ calls, state }: TerminalProcess): string {
  const blocked = calls.find(call => call.type === 'blocked' || call.type === 'writes')
  return blocked && 'name' in blocked && state !== 'R' ? `is in ${blocked.name}` : 'runs'
}

const waiting = (reason: WaitingFor, process: TerminalProcess, why: string): PartialVerdict =>
  partialBy(process, { kind: 'waiting', for: reason }, 'proven', why)
