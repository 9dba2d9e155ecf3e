/** `npm run respawn-table`: writes respawn's table of transitions into docs/respawn.md, as the code has it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { phases } from '../src/respawn/step/respawn-state.ts'
import { transitions } from '../src/respawn/step/transitions.ts'

const page = path.resolve(import.meta.dirname, '../docs/respawn.md')

const phasesIn = (from: readonly string[]): string => {
  if (from.length === phases.length - 1) return 'any'
  const others = phases.filter(phase => phase !== 'stopped' && !from.includes(phase))
  return others.length === 1 ? `any but ${others[0]}` : from.join(', ')
}

/** Markdown, padded as the formatter wants it. */
export function transitionTable(): string {
  const rows = transitions.map(({ from, on, if: guard, does, to }) => [
    phasesIn(from),
    on,
    guard === 'always' ? '' : guard,
    does.join(', '),
    to ?? 'the same',
  ])
  const head = ['phase', 'on', 'if', 'does', 'next']
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map(row => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const dashes = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`
  return [line(head), dashes, ...rows.map(line)].join('\n')
}

export const withTable = (text: string): string =>
  text.replace(
    /<!-- table -->[\s\S]*<!-- \/table -->/,
    () => `<!-- table -->\n\n${transitionTable()}\n\n<!-- /table -->`,
  )

if (import.meta.main) writeFileSync(page, withTable(readFileSync(page, 'utf8')))
