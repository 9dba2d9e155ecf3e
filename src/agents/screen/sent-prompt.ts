/**
 * Detects a sent prompt: the draft of the composer moves above it. For its first seconds a turn may show no other sign
 * (OpenCode's first: 1.0 s from the prompt to `esc interrupt`), and a short turn begins and ends between two captures. Pure.
 */
import { withoutBlanks } from '../../core/text/grid.ts'
import type { ScreenLayout } from './screen-layout.ts'
import { isBlank, isEdge, unframed } from './screen-rows.ts'

/** What is written in the composer, without blanks: it is broken into rows in another way where it is shown as sent. */
export function draftOf({ composer = [] }: ScreenLayout): string {
  const rows = composer.map(unframed)
  const first = rows.findIndex(row => !isBlank(row))
  if (first < 0) return ''
  // Below an empty row OpenCode names the model.
  const end = rows.findIndex((row, at) => at > first && isBlank(row))
  return withoutBlanks(rows.slice(first, end < 0 ? rows.length : end).join('')).replace(/^[❯›>▌]/u, '')
}

/** What was printed last above the composer, without blanks; or all that is seen of it. */
export const printedAbove = ({ recent }: ScreenLayout): string => textOf(recent)
export const allAbove = ({ above }: ScreenLayout): string => textOf(above)

const textOf = (rows: readonly string[]): string =>
  withoutBlanks(
    rows
      .filter(row => !isEdge(row))
      .map(unframed)
      .join(''),
  )

/** What begins so is a command of the CLI's own, and begins no turn. */
export const isCommand = (draft: string): boolean => /^[/!:]/.test(draft)
