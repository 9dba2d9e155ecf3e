/** Whether a shell that reads as it does at its prompt is there: its own `read -e`, `vared` and open quotes read the same way. Pure. */
import type { Tier } from '../../core/evidence/signal.ts'
import type { State } from '../../core/state.ts'
import type { Probe, TerminalProcess, TerminalRead } from '../probe/probed.ts'
import type { IdleReader, Learned } from './learned.ts'
import { input, type PartialVerdict, partialBy } from './partial-verdict.ts'
import { type Place, placeOf, tierOf } from './place.ts'
import { asksFor, matchPrompt, type PromptPattern } from './prompts.ts'
import { beforeCursor, rowsAbove } from './screen-text.ts'

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
  const place = placeOf(learned, reader, probe.termios?.canonical === true, call, shell)
  const say = (state: State, tier: Tier, why: string): PartialVerdict =>
    partialBy({ ...reader, name: shell }, state, tier, why)
  const ready = (tier: Tier, why: string): PartialVerdict => say({ kind: 'idle', at: 'shell' }, tier, why)

  // The shell itself reports that a command runs: then this is that command's question.
  if (probe.stream?.semantic?.mark === 'C' && place !== 'prompt') {
    return say({ kind: 'waiting', for: asksFor(text) }, 'proven', 'asks something while a command runs')
  }
  if (isContinued(probe, shell, reader, place, text, match, known)) {
    // Some shells read it at the prompt's own depth: then its looks alone decide, and a PS1 may look so, too.
    const tier = place === 'elsewhere' || reader.shows === 'rest' ? 'proven' : 'seen'
    return { ...say(input, tier, 'wants the rest of what was begun'), isContinuation: true }
  }
  switch (place) {
    case 'prompt':
      return ready(tierOf(learned, reader, call), 'reads at its prompt')
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
  // What it runs may ask so, too, and be as deep: how deep its prompt is could not be measured.
  const tier = call.depth === undefined ? 'seen' : 'inferred'
  if (match?.category === 'shell') return ready(tier, 'reads, and shows a prompt')
  if (text === undefined && probe.termios?.canonical && call.count !== undefined)
    return ready('seen', 'reads as at its prompt')
  return say({ kind: 'unknown' }, 'inferred', 'reads, at its prompt or at a question of a command')
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

/**
 * Shells that read the rest of what was begun at depths of its own, whatever was begun: an open quote, a here-document, a
 * loop, a line that ends in a backslash. Measured: zsh 5.9, ksh93u+m 1.0.4, busybox 1.35, yash 2.52. bash's memory has it (prompt-part.ts);
 * dash 0.5.12 reads here-documents at its prompt's depth, mksh 59c what follows a backslash.
 */
const restIsDeeper: ReadonlySet<string> = new Set(['zsh', 'ksh', 'ash', 'yash'])

/** The open rest of a command is read at the prompt's own depth by some shells, behind a prompt of its own. */
function isContinued(
  { screen }: Probe,
  shell: string,
  { shows }: TerminalProcess,
  place: Place,
  text: string | undefined,
  match: PromptPattern | undefined,
  known: IdleReader | undefined,
): boolean {
  if (shows === 'rest' && place !== 'elsewhere') return true
  if (text === undefined) return false
  const isFirst = shows === 'first' || restIsDeeper.has(shell)
  if (place === 'prompt' && isFirst) return match?.id === 'search'
  // What it shows again and again is its prompt, then: silent commands look like the lines of a text that has no end yet.
  const isItsPrompt =
    match?.category === 'shell' || (known?.prompt !== undefined && text.startsWith(known.prompt))
  if (screen && wantsMore(rowsAbove(screen), isItsPrompt ? undefined : text)) return true
  // A prompt that always looks so.
  if (known?.prompt !== undefined && matchPrompt(known.prompt)?.category === 'continuation') return false
  if (match?.category === 'continuation') return true
  // The history search of fish 3.6 and later, below the prompt.
  if (shell === 'fish' && text.startsWith('search: ')) return true
  // fish has no second prompt: it indents to where the first line's text began.
  return shell === 'fish' && match?.category !== 'shell' && /^ {2}/.test(text)
}

/**
 * The text above the cursor's line is a here-document without its end, or ends in a backslash.
 * @param second what the cursor's line shows, where it may be a second prompt
 */
function wantsMore(above: readonly string[], second: string | undefined): boolean {
  if (/(?<!\\)\\$/.test(above.at(-1) ?? '')) return true
  const sign = second?.trimEnd() ?? ''
  const at = above.findLastIndex(row => hereDocument.test(row))
  const end = hereDocument.exec(above[at] ?? '')?.[1]
  // Where it began has scrolled away.
  if (end === undefined) return sign !== '' && above.length > 1 && above.every(row => row.startsWith(sign))
  // Behind whatever stood before it then.
  return !above.slice(at + 1).some(row => row.replace(/^[^\w.-]+/, '') === end)
}

/** `cat <<EOF`, `<<-'END'`; no `<<<`, which wants nothing more. */
const hereDocument = /(?<!<)<<-?\s*['"\\]?([\w.-]+)/

/** The learned prompt, perhaps with something typed behind it; or one of the same make (another folder, another time). */
function isSamePrompt(known: string, now: string): boolean {
  if (known.trim() === '') return now.trim() === ''
  if (now.startsWith(known)) return true
  const make = (prompt: string): string => prompt.trim().replace(/[^\s$#%>❯➜λ»:)\]}]+/gu, 'x')
  return make(known) === make(now)
}
