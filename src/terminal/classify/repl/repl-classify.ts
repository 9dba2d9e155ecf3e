/** Whether a program that is no shell reads instructions: at a prompt that is known, or that has come back. Pure. */
import type { Tier } from '../../../core/evidence/signal.ts'
import type { Probe, TerminalCall, TerminalProcess, TerminalRead } from '../../probe/probed.ts'
import type { Learned } from '../learned.ts'
import { isMenu } from '../menus.ts'
import { command, input, missingQuiet, type PartialVerdict, partialBy } from '../partial-verdict.ts'
import { placeOf, tierOf } from '../place.ts'
import { comesBack, isQuoted, mayComeBack, type Returning } from '../returning-prompt.ts'
import { rowsAbove } from '../screen-text.ts'
import { programName, shellOf } from '../shells.ts'
import type { Repl } from './repl-rows.ts'
import { isNamedPrompt, replOf, runsPrograms } from './repls.ts'

/** A program that waits for more than keys draws while it works; one that asks is quiet. */
export const manyQuietMs = 300

export const running = (reader: TerminalProcess, why: string): PartialVerdict =>
  partialBy(reader, command, 'inferred', why)

/** Undefined where it is no REPL, or not at its prompt. */
export function replClaim(
  probe: Probe,
  learned: Learned,
  reader: TerminalProcess,
  call: TerminalRead,
  text: string | undefined,
): PartialVerdict | undefined {
  const { screen, termios } = probe
  if (text === undefined || !screen) return undefined
  const repl = replOf(reader, learned.repls)
  const above = rowsAbove(screen)
  const isRaw = termios?.canonical === false
  // Its depth proves nothing where it reads by another call.
  const place = repl?.fresh?.by === call.name ? placeOf(learned, reader, !isRaw, call) : 'unknown'
  const ready = (tier: Tier, why: string): PartialVerdict =>
    partialBy(reader, { kind: 'idle', at: 'repl' }, tier, why)
  const isAtPrompt = repl !== undefined && showsPrompt(repl, isRaw, text, above)
  const isSurelyFirst = place === 'prompt' && repl?.isRestDeeper === true
  if (repl?.continuation?.test(text) && !repl.prompt.test(text) && !isSurelyFirst) {
    return { ...partialBy(reader, input, 'seen', 'wants the rest of what was begun'), isContinuation: true }
  }
  if (place === 'elsewhere') {
    // A debugger's prompt is a question of its program's, for what reads there.
    return repl?.inScripts?.test(text) ? ready('inferred', 'reads at the prompt of its debugger') : undefined
  }
  if (isSurelyFirst || (place === 'prompt' && isAtPrompt))
    return ready(tierOf(learned, reader, call), 'reads at its prompt')
  const known = learned.idle.find(({ pid }) => pid === reader.pid)
  const isAsKnown = known?.termios.canonical === termios?.canonical
  if (
    isAsKnown &&
    known?.prompt !== undefined &&
    known.prompt.trim() !== '' &&
    text.startsWith(known.prompt)
  ) {
    return ready(
      known.tier === 'inferred' ? 'inferred' : 'seen',
      'reads at the prompt that it was idle at before',
    )
  }
  // What edits its line itself collects whole lines only while something else runs, and watches the keys on.
  if (repl && !repl.isOfScript && !isRaw && call.name.startsWith('epoll'))
    return running(reader, 'has left its line editor, and watches the terminal beside its work')
  // A program of its own may ask so, too; what it has started and not waited for shows that one runs.
  if (isAtPrompt && (text === '' || !isQuoted(above, text)) && !hasChild(probe, reader))
    return ready(runsPrograms(reader, repl) ? 'inferred' : 'seen', 'reads at its prompt')
  const isReplItself = isRaw && repl !== undefined && !repl.isOfScript
  const isItsPrompt = isReplItself && (place === 'prompt' || !runsPrograms(reader, repl))
  if (isItsPrompt && isNamedAbove(above, text))
    return ready('inferred', 'reads at the prompt that it was given')
  const returning = {
    text,
    words: wordsOf(reader),
    isKeys: isRaw && !reader.hasEditor,
    isListed: isReplItself,
  }
  const hasCome = comesBack(screen, returning) || hasComeUnseen(probe, learned, reader, returning)
  if (hasCome && !readsOn(probe, reader, call) && !isChild(probe, reader) && !isMenu(screen)) {
    const quiet = isBusy(probe, call) ? missingQuiet(probe, manyQuietMs) : undefined
    if (quiet !== undefined) return { ...running(reader, 'may be at its prompt'), observeAgainIn: quiet }
    return ready('inferred', 'reads at a prompt that has come back')
  }
  if (repl || !isNamedPrompt(text, reader)) return undefined
  if (readsOn(probe, reader, call) || isQuoted(above, text)) return undefined
  const quiet = missingQuiet(probe, manyQuietMs)
  // Nobody knows this program; that it is quiet at something like a prompt is all there is.
  if (quiet !== undefined) return { ...running(reader, 'may be at its prompt'), observeAgainIn: quiet }
  return ready('inferred', `reads at a prompt (${call.name})`)
}

/** What reads otherwise than the REPL does is another's question. */
function showsPrompt(repl: Repl, isRaw: boolean, text: string, above: readonly string[]): boolean {
  if (repl.reads !== undefined && (repl.reads === 'keys') !== isRaw) return false
  return repl.prompt.test(text) && repl.above?.test(above.at(-1) ?? '') !== false
}

/** Its event loop watches the terminal beside other things. */
export const isBusy = ({ termios }: Probe, call: TerminalRead): boolean =>
  termios?.canonical === false && (call.others > 0 || call.isTimed || call.name.startsWith('epoll'))

/** Something that it has started is in the foreground, too. */
const hasChild = ({ processes }: Probe, { pid }: TerminalProcess): boolean =>
  processes.some(({ parent, state }) => parent === pid && !/^[ZTtX]/.test(state))

/**
 * The read of the terminal does not prove that the last command ended: a poller in its own thread waits for ever and takes
 * keys for the program, the command runs in another process, or something other than the loaded line editor reads.
 */
function readsOn(probe: Probe, reader: TerminalProcess, call: TerminalRead): boolean {
  if (probe.termios?.canonical !== false) return reader.hasEditor === true
  const isPoller = reader.calls.indexOf(call) > 0 && call.name.startsWith('epoll') && !call.isTimed
  return isPoller || hasWorker(probe, reader) || isBesideEditor(reader, call)
}

/** What was given to it runs in a process that it has started. */
export const hasWorker = ({ processes }: Probe, { pid }: TerminalProcess): boolean =>
  processes.some(({ parent, calls }) => parent === pid && (isWorking(calls[0]) || calls.some(isComputing)))

/** An editor of a library takes one byte after the other. */
export const isBesideEditor = ({ hasEditor }: TerminalProcess, { count = 1 }: TerminalRead): boolean =>
  hasEditor === true && count > 1

/** Also in another thread than the first: that one waits for it, as Java's does. */
const isComputing = ({ type }: TerminalCall): boolean => type === 'running'

/** It computes, or sleeps for a time: who waits for work waits for others. */
const isWorking = (call: TerminalCall | undefined): boolean =>
  call?.type === 'running' || (call?.type === 'blocked' && call.isTimed === true)

/** Who has started it waits in the foreground, and may be a REPL: what was asked before may have been asked by that. */
const isChild = ({ processes }: Probe, { parent }: TerminalProcess): boolean =>
  processes.some(one => one.pid === parent && shellOf(one) === undefined)

/** The command right above is what set it: `.prompt 'db> '`. */
const isNamedAbove = (above: readonly string[], text: string): boolean =>
  text.trim().length > 1 && above.at(-1)?.includes(text.trim()) === true

/** It asked so before something was typed, all of which its output has moved off the screen since. */
function hasComeUnseen(
  { screen }: Probe,
  { asked }: Learned,
  { pid, readChars = 0 }: TerminalProcess,
  returning: Returning,
): boolean {
  const before = asked.find(one => one.pid === pid)
  if (!screen || before?.prompt !== returning.text || readChars < before.readChars + 2) return false
  const now = new Set(rowsAbove(screen))
  return mayComeBack(screen, returning) && !before.above.some(row => now.has(row))
}

/** Words that the line which started it has. */
const wordsOf = (process: TerminalProcess): readonly string[] =>
  [
    programName(process),
    process.program ?? '',
    ...process.args.slice(0, 3).filter(word => !word.startsWith('-')),
  ]
    .map(word => word.split('/').at(-1) as string)
    .filter(word => word.length > 1)
