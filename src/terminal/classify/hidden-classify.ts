/**
 * The verdict without the kernel's evidence: the program runs on another machine, in a container, as another user, or
 * there is no /proc. It rests on the output, the look of the prompt, and quiet; the verdict names that. Pure.
 */
import type { State } from '../../core/state.ts'
import type { Probe } from '../probe/probed.ts'
import { multiplexers } from '../probe/relays.ts'
import type { Learned } from './learned.ts'
import { command, input, isAlternate, missingQuiet, type PartialVerdict } from './partial-verdict.ts'
import { asksFor, matchPrompt } from './prompts.ts'
import { beforeCursor, isFreshLine } from './screen-text.ts'

/** Output over a network comes in pieces. */
const remoteQuietMs = 500
/** What a line editor switches on comes with the prompt that it draws. */
const markedQuietMs = 20

/** @param behind what hides it, for people */
export function hiddenVerdict(probe: Probe, learned: Learned, behind: string): PartialVerdict {
  const { screen, stream, termios, relay } = probe
  const reader = relay?.pid ?? probe.processes.at(-1)?.pid
  const say = (state: State, why: string): PartialVerdict => ({
    state,
    tier: 'inferred',
    why: `${behind}: ${why}`,
    behind,
    ...(reader === undefined ? {} : { reader }),
  })
  const text = screen && beforeCursor(screen)
  const match = text === undefined ? undefined : matchPrompt(text)
  const paste = stream?.bracketedPaste
  const mark = stream?.semantic?.mark
  const afterQuiet = (claim: PartialVerdict, wanted: number): PartialVerdict => {
    const missing = missingQuiet(probe, wanted)
    return missing === undefined ? claim : { ...claim, state: command, observeAgainIn: missing }
  }

  if (termios?.canonical && !termios.echo) {
    return say({ kind: 'waiting', for: 'password' }, 'echo is off')
  }
  if (probe.queued !== undefined && probe.queued > 0) {
    return { ...say(command, 'input is not taken yet'), observeAgainIn: markedQuietMs }
  }
  if (isAlternate(probe) && relay && multiplexers.has(relay.name)) {
    const isAsked = match?.category === 'confirmation'
    const state: State = isAsked ? { kind: 'waiting', for: 'confirmation' } : { kind: 'unknown' }
    return afterQuiet(say(state, 'which of its terminals is shown is not known'), remoteQuietMs)
  }
  if (isAlternate(probe)) {
    const state: State = { kind: 'waiting', for: isPager(probe, match?.category) ? 'pager' : 'keypress' }
    return afterQuiet(say(state, 'something fills the screen'), remoteQuietMs)
  }
  // Marks of the shell's own, or of the line editor, tell a prompt from output that looks like one.
  const runs = mark === 'C' || (mark === undefined && paste?.on === false)
  const edits = mark === 'A' || mark === 'B' || (mark !== 'C' && paste?.on === true)
  if (match?.category === 'continuation') {
    const claim = say(input, 'the rest of what was begun is wanted')
    return afterQuiet({ ...claim, isContinuation: true }, edits ? markedQuietMs : remoteQuietMs)
  }
  if (!runs && (match?.category === 'shell' || isLearned(learned, probe, text))) {
    const why = edits ? 'its line editor is at a prompt' : 'it is quiet at what looks like a prompt'
    return afterQuiet(say({ kind: 'idle', at: 'shell' }, why), edits ? markedQuietMs : remoteQuietMs)
  }
  if (!runs && match?.category === 'repl') {
    return afterQuiet(
      say({ kind: 'idle', at: 'repl' }, 'it is quiet at what looks like a prompt'),
      remoteQuietMs,
    )
  }
  if (match && asks.has(match.category) && (match.strength === 'strict' || edits)) {
    const state: State = { kind: 'waiting', for: asksFor(text) }
    return afterQuiet(say(state, 'it is quiet at what looks like a question'), remoteQuietMs)
  }
  // A prompt is text; an untouched line is what a command leaves while it runs.
  if (screen && isFreshLine(screen)) return say(command, 'it shows no prompt')
  if (runs) return say(command, 'a command was begun, and no prompt came since')
  return afterQuiet(say({ kind: 'unknown' }, 'nothing tells whether it is done'), remoteQuietMs)
}

/** Pagers keep the cursor behind their prompt on the last row; editors in the text. */
const isPager = ({ screen }: Probe, category: string | undefined): boolean =>
  category === 'pager' || (screen?.cursor !== undefined && screen.cursor.row === screen.rows.length - 1)

const asks: ReadonlySet<string> = new Set(['confirmation', 'question', 'password', 'keypress', 'pager'])

const isLearned = ({ idle }: Learned, { relay }: Probe, text: string | undefined): boolean => {
  const known = idle.find(({ pid }) => pid === relay?.pid)?.prompt
  return known !== undefined && known.trim() !== '' && text?.startsWith(known) === true
}
