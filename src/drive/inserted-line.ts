/** Checks before Enter that a line editor inserted what was typed, and did nothing else with the keys. */
import { lineLetters, unwrapped } from '../terminal/classify/line-looks.ts'
import { readerOf } from '../terminal/edited-line.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { lineEditor } from '../terminal/probe/line-editor.ts'
import { isLineByLooks } from './refusal.ts'

/** What has read the last key has drawn it soon, on another machine too: ms */
const drawnMs = 2000
/** What it keeps in its memory changes while it reads: ms */
const keptMs = 300
const againMs = 20

/**
 * Called before the text is typed; the caller calls the returned function afterwards. It reads the memory of the line
 * editor, or else the line on the screen; it returns true where it can read neither.
 * @param text without control characters: those do things
 */
export function insertion(pane: DrivenTerminal, before: Observation, text: string): () => Promise<boolean> {
  const reader = readerOf(before)
  const edited = reader && lineEditor(reader)
  if (reader && edited)
    return () =>
      soon(pane, keptMs, async () => {
        const now = lineEditor(reader)
        return now !== undefined && now.busy === undefined && isJoined(edited.line, text, now.line)
      })
  const { screen, verdict } = before
  if ((verdict.state.kind !== 'idle' && !isLineByLooks(before)) || !screen) return async () => true
  const [prompt, typed] = [lineLetters(unwrapped(screen)), lineLetters(text)]
  const isLong = unwrapped(screen).length + text.length >= screen.columns
  // Some editors scroll within their row: then the end is all that is seen.
  const end = isLong ? typed.slice(-seenOfLong) : prompt + typed
  return () =>
    soon(pane, drawnMs, async () => {
      const { screen: now, unanswered } = await pane.observe()
      return !now || unanswered !== undefined || lineLetters(unwrapped(now)).endsWith(end)
    })
}

const seenOfLong = 16

/** Editors that quote what is typed (zsh's url-quote-magic) add backslashes. Bytes that are no UTF-8 have no one reading. */
const plain = (line: string): string => line.replace(/[^\x20-\x5b\x5d-\x7e]/g, '')

/** It may have been typed in the middle of what stood there. */
function isJoined(before: string, text: string, now: string): boolean {
  const [old, added, all] = [plain(before), plain(text), plain(now)]
  return all.length === old.length + added.length && all.includes(added)
}

async function soon(
  { holder }: DrivenTerminal,
  patience: number,
  is: () => Promise<boolean>,
): Promise<boolean> {
  const end = performance.now() + patience
  for (;;) {
    if (await is()) return true
    if (performance.now() >= end) return false
    await holder.output.woken(againMs)
  }
}
