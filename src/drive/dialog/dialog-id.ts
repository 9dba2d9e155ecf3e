/** The id of a dialog: a hash of its text, without parts that change by themselves. */
import type { RowAbove } from '../../agents/screen/find-dialog.ts'

/** The ticks of a row of tabs, as answers are given. */
export const ticks = /[☐☑☒✔]/gu

/** A clock runs in a column of its own, beside the program's text. */
export const clock = /\s\s\s(?:\d{1,4}(?:\.\d)?(?:ms|[smh]) ?){1,3}$/u

/** The only thing that moves above the options in the recorded dialogs. */
const spinner = /^\s*[\u2800-\u28ff](?=\s)/u

/** Where a list goes on beyond its edge. */
export const isArrow = (row: string): boolean => /^\s*[▲▼↑↓]\s*$/u.test(row)

/** Eight characters of a hash: another text has another one. */
export const idOfRows = (rows: readonly string[]): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', rows.join('\n')).slice(0, 8)

/**
 * In a row of what is asked about each sign, each blank and each duration counts.
 * @param hasTabs its questions stand beside each other
 */
export function stillRow({ text, isOwn }: RowAbove, hasTabs: boolean): string {
  const still = hasTabs && /^\s*←.*→\s*$/u.test(text) ? text.replace(ticks, '') : text
  return isOwn ? still.replace(clock, '').replace(spinner, '').trimEnd() : still
}
