/** Whether a shell that reads as it does at its prompt is there: its own `read -e`, `vared` and open quotes read the same way. Pure. */
import type { Tier } from '../../core/evidence/signal.ts'
import type { State } from '../../core/state.ts'
import type { Probe, TerminalProcess, TerminalRead } from '../probe/probed.ts'
import type { IdleReader, Learned } from './learned.ts'
import { input, type PartialVerdict, partialBy } from './partial-verdict.ts'
import { asksFor, matchPrompt, type PromptPattern } from './prompts.ts'
import { beforeCursor } from './screen-text.ts'

/** How soon a line editor is observed again that waits for the rest of an escape sequence; readline waits 500 ms. */
const keySequenceMs = 100

export function shellVerdict(
  probe: Probe,
  learned: Learned,
  reader: TerminalProcess,
  shell: string,
  call: TerminalRead,
): PartialVerdict {
  const known = learned.idle.find(({ pid }) => pid === reader.pid)
  const text = afterTypedAhead(probe, known, probe.screen && beforeCursor(probe.screen))
  const match = text === undefined ? undefined : matchPrompt(text)
  const place = placeOf(learned, known, reader, shell, probe.termios?.canonical === true, call)
  const say = (state: State, tier: Tier, why: string): PartialVerdict =>
    partialBy({ ...reader, name: shell }, state, tier, why)
  const ready = (tier: Tier, why: string): PartialVerdict => say({ kind: 'idle', at: 'shell' }, tier, why)

  // It says itself that a command runs: then this is that command's question.
  if (probe.stream?.semantic?.mark === 'C' && place !== 'prompt') {
    return say({ kind: 'waiting', for: asksFor(text) }, 'proven', 'asks something while a command runs')
  }
  if (isContinued(shell, text, match, known)) {
    // Some shells read it at the prompt's own depth: then its looks alone decide, and a PS1 may look so, too.
    const tier = place === 'elsewhere' ? 'proven' : 'seen'
    return { ...say(input, tier, 'wants the rest of what was begun'), isContinuation: true }
  }
  switch (place) {
    case 'prompt':
      return ready(tierOf(learned, known, reader, call), 'reads at its prompt')
    case 'elsewhere': {
      if (shell === 'zsh' && match?.id === 'shell-symbol' && isMarkedPrompt(probe))
        return ready('seen', 'told of its prompt')
      const asks = say({ kind: 'waiting', for: asksFor(text) }, 'proven', 'reads, but not at its prompt')
      // The rest of a key sequence, where nothing else is asked: it goes on by itself.
      const isPrompt =
        match?.category === 'shell' || (known?.prompt !== undefined && isSamePrompt(known.prompt, text ?? ''))
      return call.isTimed && isPrompt ? { ...asks, observeAgainIn: keySequenceMs } : asks
    }
    case 'unknown':
      break
  }
  if (known?.prompt !== undefined && text !== undefined && isSamePrompt(known.prompt, text)) {
    return ready('seen', 'reads at the prompt that it had before')
  }
  if (probe.stream?.semantic && probe.stream.semantic.mark !== 'C') return ready('seen', 'told of its prompt')
  if (match?.category === 'shell') return ready('seen', 'reads, and shows a prompt')
  if (text === undefined && probe.termios?.canonical && call.count !== undefined)
    return ready('seen', 'reads as at its prompt')
  return say({ kind: 'unknown' }, 'inferred', 'reads, at its prompt or at a question of a command')
}

/** A depth that was learned from a prompt's looks is worth no more than they are. */
function tierOf(
  { references }: Learned,
  known: IdleReader | undefined,
  { pid }: TerminalProcess,
  { depth }: TerminalRead,
): Tier {
  const isMeasured = references.some(one => one.pid === pid && one.depth === depth)
  return isMeasured || known === undefined ? 'proven' : known.tier
}

/**
 * zsh's line editor may run inside of itself at each prompt (`zle recursive-edit` in zle-line-init). vared, and widgets
 * that read keys, are as deep; so its own marks have to tell, and no search or menu may stand below the prompt.
 */
function isMarkedPrompt({ stream, screen }: Probe): boolean {
  const mark = stream?.semantic?.mark
  if ((mark !== 'A' && mark !== 'B') || !screen?.cursor) return false
  return screen.rows.slice(screen.cursor.row + 1).every(row => row.trim() === '')
}

/**
 * How deep the stack is where it reads, which is the same at each prompt of a shell, and another in its `read`:
 * bash 5.2 reads at 5,344 bytes at its prompt, at 2,496 in `read -e`.
 */
function placeOf(
  learned: Learned,
  known: IdleReader | undefined,
  { pid }: TerminalProcess,
  shell: string,
  canonical: boolean,
  call: TerminalRead,
): 'prompt' | 'elsewhere' | 'unknown' {
  const references = [
    ...(known?.call.depth === undefined
      ? []
      : [{ canonical: known.termios.canonical, call: known.call.name, depth: known.call.depth }]),
    ...learned.references.filter(reference => reference.pid === pid),
  ].filter(reference => reference.canonical === canonical)
  if (call.depth === undefined) return 'unknown'
  if (references.some(({ depth }) => depth === call.depth)) return 'prompt'
  // Another call may be made from the same place: zsh polls where it has a key to wait for.
  // bash that waits by pselect6 at its prompt reads keys by `read -s -n 1` alone: `Press any key`.
  const isOther = ({ call: known }: { readonly call: string }) =>
    known === call.name || (known === 'pselect6' && call.name === 'read' && shell === 'bash')
  return references.some(isOther) ? 'elsewhere' : 'unknown'
}

/**
 * A shell without a line editor prints its second prompt for each line that was typed ahead of it, one behind the other,
 * and then its first, which it had before.
 */
function afterTypedAhead(
  { termios }: Probe,
  known: IdleReader | undefined,
  text: string | undefined,
): string | undefined {
  const rest = text?.replace(/^(?:> )+/, '')
  const isPrompt = rest !== text && known?.prompt !== undefined && rest?.trim() === known.prompt.trim()
  return termios?.canonical && isPrompt ? rest : text
}

/** The open rest of a command is read at the prompt's own depth by some shells, behind a prompt of its own. */
function isContinued(
  shell: string,
  text: string | undefined,
  match: PromptPattern | undefined,
  known: IdleReader | undefined,
): boolean {
  if (text === undefined) return false
  // A prompt that always looks so.
  if (known?.prompt !== undefined && matchPrompt(known.prompt)?.category === 'continuation') return false
  if (match?.category === 'continuation') return true
  // The history search of fish 3.6 and later, below the prompt.
  if (shell === 'fish' && text.startsWith('search: ')) return true
  // fish has no second prompt: it indents to where the first line's text began.
  return shell === 'fish' && match?.category !== 'shell' && /^ {2}/.test(text)
}

/** The learned prompt, perhaps with something typed behind it; or one of the same make (another folder, another time). */
function isSamePrompt(known: string, now: string): boolean {
  if (known.trim() === '') return now.trim() === ''
  if (now.startsWith(known)) return true
  const make = (prompt: string): string => prompt.trim().replace(/[^\s$#%>❯➜λ»:)\]}]+/gu, 'x')
  return make(known) === make(now)
}
