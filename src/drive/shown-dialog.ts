/** The dialog that stands on an agent's screen, as it can be answered. Pure but for the rules, which are loaded when asked for. */
import { createHash } from 'node:crypto'
import { isAgentName } from '../agents/agent-names.ts'
import type { Option } from '../agents/screen/screen-rows.ts'
import type { ScreenRules } from '../agents/screen/screen-rule.ts'
import type { WaitingFor } from '../core/state.ts'

export type ShownDialog = {
  readonly for: WaitingFor
  /** What it shows, options included, without its frame. */
  readonly rows: readonly string[]
  readonly options: readonly Option[]
  /** Names what is shown: another text, another id. Where it points does not count. */
  readonly id: string
}

/** @param agent its name, where one is known */
export async function readDialog(
  rows: readonly string[],
  agent: string | undefined,
): Promise<ShownDialog | undefined> {
  const [{ noRules, readScreen }, { agents }] = await Promise.all([
    import('../agents/screen/read-screen.ts'),
    import('../agents/registry.ts'),
  ])
  const rules: ScreenRules = agent !== undefined && isAgentName(agent) ? agents[agent].screens : noRules
  const { state, isMenu, options = [], layout } = readScreen(rules, { grid: { rows } })
  if (state.kind !== 'waiting' || isMenu || options.length === 0 || !layout.dialog) return undefined
  return { for: state.for, rows: layout.dialog.rows, options, id: idOf(layout.dialog.rows, options) }
}

/** Spinners, pointers and clocks move while a dialog stands. */
const moving = /[\u2800-\u28ff❯›>●◉▸▶→➤»]|\b\d+(?::\d\d)+\b|\b\d+(?:\.\d+)?[smh]\b/gu

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
