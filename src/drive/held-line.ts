/** Reads the line that a text would be typed into, and clears it as a person would. */
import { setTimeout as pause } from 'node:timers/promises'
import { isAgentName } from '../agents/agent-names.ts'
import type { LullError } from '../core/lull-error.ts'
import { colouredRows } from '../core/text/coloured-rows.ts'
import { composerLooks, cursorRowLooks, solidText } from '../terminal/classify/ghost-text.ts'
import { type EditedLine, emptyLine } from '../terminal/classify/line-looks.ts'
import { editedLine } from '../terminal/edited-line.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { type Judged, refusedToType } from './refusal.ts'

export async function heldLine(
  { holder }: DrivenTerminal,
  { observation, agent, isStranger }: Judged,
): Promise<EditedLine> {
  const isAgent = agent !== undefined || isStranger
  const line = isAgent ? emptyLine : editedLine(observation)
  if (!isAgent && !line.isBeside) return line
  const { screen } = observation
  const rows = colouredRows(await holder.readLines(0, { screen: true, raw: true }))
  if (isAgent) {
    // Loaded where an agent is there: most terminals have none.
    const { findComposer } = await import('../agents/screen/find-composer.ts')
    const composer = findComposer(rows.map(({ text }) => text.trimEnd()))
    if (composer) return composerLooks(rows, composer, screen)
    // Of another agent it is not known what it draws.
    return agent && isAgentName(agent.agent) ? cursorRowLooks(rows, screen) : line
  }
  const row = rows[screen?.cursor?.row ?? -1]
  return row !== undefined && !solidText(row).includes(line.text) ? emptyLine : line
}

export const lineRefusal = ({ is, text }: EditedLine): LullError<'REFUSED_TO_TYPE'> =>
  refusedToType('waitsForPerson', sentences[is](JSON.stringify(text), text), 0, text)

const sentences: Readonly<Record<EditedLine['is'], (quoted: string, text: string) => string>> = {
  empty: () => 'its line is empty',
  held: (quoted, text) =>
    text === ''
      ? 'it wants the rest of what was begun; --clear ends that, --append types the rest'
      : `its line is not empty: ${quoted}; --clear clears it, --append types behind it`,
  unsure: quoted =>
    `its line may not be empty, its prompt is not known: ${quoted}; --clear clears it, --append types all the same`,
  busy: (_, text) => `its line editor takes the next key for ${text}, not as text; --clear leaves that`,
}

const [endOfLine, killLine, interrupt] = ['\u0005', '\u0015', '\u0003']

/**
 * Types Ctrl-U, after Ctrl-E if there is text right of the cursor. If that does not clear the line, types Ctrl-C, which
 * gives shells and REPLs a new prompt. An agent gets no Ctrl-C: it may end the turn.
 * @param type types a key
 * @param judge waits until nothing moves
 * @returns what is there then
 * @throws {LullError} REFUSED_TO_TYPE where the line is not seen to be empty then
 */
export async function clearLine(
  pane: DrivenTerminal,
  first: Judged,
  type: (key: string) => Promise<void>,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  let [now, line] = [first, await heldLine(pane, first)]
  if (line.is === 'empty') return now
  const isAgent = first.agent !== undefined || first.isStranger
  // A search looks like something begun, and is left by Ctrl-U as well.
  const isLine = line.is === 'busy' || !first.observation.verdict.isContinuation
  if (isLine) {
    if (hasBeside(first.observation)) await type(endOfLine)
    await type(killLine)
    now = await judge()
    line = await heldLine(pane, now)
    // It draws when it likes.
    for (
      const end = performance.now() + drawnMs;
      isAgent && line.is !== 'empty' && performance.now() < end;
    ) {
      await pause(againMs)
      line = await heldLine(pane, now)
    }
  }
  if (line.is !== 'empty' && !isAgent) {
    await type(interrupt)
    now = await judge()
    line = await heldLine(pane, now)
    const isNew = placeOf(now.observation) !== placeOf(first.observation)
    // The text before the cursor is then the prompt, however it looks.
    if (line.is === 'unsure' && isNew && now.observation.verdict.state.kind === 'idle') return now
  }
  if (line.is !== 'empty')
    throw refusedToType('waitsForPerson', `its line could not be cleared: ${JSON.stringify(line.text)}`)
  return now
}

const [drawnMs, againMs] = [1000, 50] as const

const hasBeside = ({ screen }: Observation): boolean =>
  (screen?.rows[screen.cursor?.row ?? -1] ?? '').slice(screen?.cursor?.column ?? 0).trim() !== ''

const placeOf = ({ screen, facts }: Observation): string =>
  JSON.stringify([facts?.historySize, screen?.cursor, screen?.rows[screen.cursor?.row ?? -1]])
