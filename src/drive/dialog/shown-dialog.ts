/** The dialog that stands on an agent's screen, as it can be answered. */
import { createHash } from 'node:crypto'
import type { ScreenReading } from '../../agents/screen/read-screen.ts'
import type { Option } from '../../agents/screen/screen-rows.ts'
import type { WaitingFor } from '../../core/state.ts'
import type { KeptRules } from '../../sessions/screens/rules-now.ts'

export type ShownDialog = {
  readonly for: WaitingFor
  /** What it shows, options included, without its frame. */
  readonly rows: readonly string[]
  readonly options: readonly Option[]
  /** Names what is shown: another text, another id. Where it points does not count. */
  readonly id: string
}

let kept: KeptRules | undefined

/**
 * What a screen says now, by a person's own rules too. All are loaded when they are asked for.
 * @param agent its name; one that is not known is read by what all agents share
 */
export async function readAgentScreen(
  rows: readonly string[],
  agent: string | undefined,
): Promise<ScreenReading> {
  const [{ readScreen }, { keepRules }] = await Promise.all([
    import('../../agents/screen/read-screen.ts'),
    import('../../sessions/screens/rules-now.ts'),
  ])
  kept ??= keepRules()
  const { rules } = await kept.of(agent)
  return readScreen(rules, { grid: { rows } })
}

/** @param agent its name, where one is known */
export async function readDialog(
  rows: readonly string[],
  agent: string | undefined,
): Promise<ShownDialog | undefined> {
  const { state, isMenu, options = [], layout } = await readAgentScreen(rows, agent)
  if (state.kind !== 'waiting' || isMenu || options.length === 0 || !layout.dialog) return undefined
  return { for: state.for, rows: layout.dialog.rows, options, id: idOf(layout.dialog.rows, options) }
}

/** A pointer, or a spinner, moves while a dialog stands; inside a row the same signs are part of what is asked. */
const moving = /^\s*[\u2800-\u28ff❯›>●◉▸▶→➤»](?=\s)/u

/** The hints below the options change with the one that is pointed at. */
function idOf(rows: readonly string[], options: readonly Option[]): string {
  const label = options.at(-1)?.label ?? ''
  const last = rows.findLastIndex(row => row.includes(label))
  return createHash('sha256')
    .update(
      rows
        .slice(0, last + 1)
        .map(row => row.replace(moving, '').replace(/\s+/g, ' ').trim())
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 8)
}
