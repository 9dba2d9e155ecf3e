/** What programs tell the terminal about themselves in passing: prompt marks, bracketed paste, the other screen. Pure. */
import type { Instant } from '../core/state.ts'
import type { StreamMarks } from './probe/probed.ts'

export type Stream = {
  readonly marks: StreamMarks
  /** The beginning of a sequence that is not complete yet. */
  readonly rest: string
}

export const newStream = (at: Instant): Stream => ({ marks: { lastOutput: at }, rest: '' })

/** The longest sequence that is waited for: an OSC 633;E carries a whole command line. */
const longestRest = 8192

const sequence =
  /\u001b\](?<osc>133|633);(?<mark>[ABCD])(?:;(?<code>-?\d+(?!\d)))?[^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[\?(?<modes>[\d;]+)(?<set>[hl])|\u001bc/g

/** Where an unfinished sequence may begin. */
const unfinished = /\u001b(?:\[[?\d;]*|\][^\u0007\u001b]*\u001b?)?$/

/**
 * @param text what was printed, in the order that it came; sequences may be cut between two calls
 * @param at monotonic, ms
 */
export function readStream(stream: Stream, text: string, at: Instant): Stream {
  if (text === '') return stream
  const whole = stream.rest + text
  if (!whole.includes('\u001b')) return { marks: { ...stream.marks, lastOutput: at }, rest: '' }
  let marks: StreamMarks = { ...stream.marks, lastOutput: at }
  for (const { 0: found, groups = {} } of whole.matchAll(sequence)) {
    const { mark, code, modes, set } = groups
    if (mark !== undefined) {
      marks = {
        ...marks,
        semantic: { mark: mark as 'A' | 'B' | 'C' | 'D', ...exitCodeAt(mark, code, marks), at },
      }
    } else if (modes !== undefined) {
      marks = withModes(marks, modes.split(';'), set === 'h', at)
    } else if (found === '\u001bc') {
      // A reset of the terminal switches both off.
      marks = withModes(marks, ['2004', '1049'], false, at)
    }
  }
  const rest = unfinished.exec(whole)?.[0] ?? ''
  return { marks, rest: rest.length > longestRest ? '' : rest }
}

/** A line or a key is about to be entered: the code of what ended before is not that of what it begins. */
export function withEntered({ marks, rest }: Stream, at: Instant): Stream {
  const { semantic, ...others } = marks
  if (!semantic) return { marks: { ...others, entered: at }, rest }
  const { exitCode: _, ...mark } = semantic
  return { marks: { ...others, semantic: mark, entered: at }, rest }
}

/**
 * Of a program that is known to be at its prompt again: what it printed on the way there has not come yet, or not all of it.
 * A shell marks its end and its prompt, and one that takes pastes whole asks for that at each prompt.
 */
export function isBehind({ entered, lastOutput, semantic, bracketedPaste }: StreamMarks): boolean {
  if (entered === undefined) return false
  if (lastOutput < entered) return true
  if (bracketedPaste && !bracketedPaste.on && bracketedPaste.at >= entered) return true
  return semantic !== undefined && (semantic.mark === 'C') === semantic.at >= entered
}

/** The prompt that follows an end is still that of the command which ended; of the next one nothing is known yet. */
function exitCodeAt(
  mark: string,
  code: string | undefined,
  { semantic }: StreamMarks,
): { readonly exitCode?: number } {
  const known = mark === 'D' ? code : mark === 'C' ? undefined : semantic?.exitCode
  return known === undefined ? {} : { exitCode: Number(known) }
}

function withModes(marks: StreamMarks, modes: readonly string[], on: boolean, at: Instant): StreamMarks {
  return {
    ...marks,
    ...(modes.includes('2004') ? { bracketedPaste: { on, at } } : {}),
    ...(modes.some(mode => ['47', '1047', '1049'].includes(mode)) ? { alternate: { on, at } } : {}),
  }
}
