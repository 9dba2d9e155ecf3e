/** Whether the line that a terminal's reader edits is empty: by the reader's own memory, and where that is hidden by its looks. */
import { innermost } from './classify/classify.ts'
import { type EditedLine, emptyLine, lineLooks } from './classify/line-looks.ts'
import { matchPrompt } from './classify/prompts.ts'
import { replOf } from './classify/repl/repls.ts'
import type { Observation } from './observer-step.ts'
import { knownRepls } from './own-repls.ts'
import { type LineEditor, lineEditor } from './probe/line-editor.ts'
import type { TerminalProcess } from './probe/probed.ts'

/** The process that reads the terminal, by the verdict. */
export const readerOf = ({ verdict, probe }: Observation): TerminalProcess | undefined =>
  innermost(probe).processes.find(({ pid }) => pid === verdict.reader)

/** The state of the reader's line editor, where it has one that edits now and can be asked. */
export function editorOf(observation: Observation): LineEditor | undefined {
  const reader = readerOf(observation)
  return reader && innermost(observation.probe).termios?.canonical === false ? lineEditor(reader) : undefined
}

/** Of a question, and of a program that runs, only what the reader keeps itself is known. */
export function editedLine(observation: Observation): EditedLine {
  const { verdict, probe, lines } = observation
  const { state, isContinuation, prompt = '' } = verdict
  const editor = editorOf(observation)
  if (editor?.busy !== undefined) return { is: 'busy', text: editor.busy }
  if (isContinuation) return { is: 'held', text: prompt.trim() }
  const { screen } = innermost(probe)
  const reader = readerOf(observation)
  if (editor?.line === '' || !screen || state.kind === 'exited') return emptyLine
  const repl =
    state.kind === 'idle' && state.at === 'repl' && reader ? replOf(reader, knownRepls()) : undefined
  const looks = lineLooks(screen, lines.slice(0, -1), repl?.prompt)
  if (editor) return { is: 'held', text: looks.text }
  if (state.kind === 'idle') return looks
  // It may be a prompt with a line behind it; a question, or what a program prints, may look so only by accident.
  const before = prompt.slice(0, prompt.lastIndexOf(looks.text))
  const isPrompt =
    state.kind === 'unknown' && looks.is === 'held' && matchPrompt(before)?.category === 'shell'
  return isPrompt ? looks : emptyLine
}
