/**
 * Whether a prompt was answered: it stands above the composer, and something below it. A turn that is over before anybody looks is
 * seen by nothing else where only the screen tells. Pure.
 */
import { layoutOf } from '../agents/screen/screen-layout.ts'
import { printedAbove } from '../agents/screen/sent-prompt.ts'

export function isAnsweredAbove(rows: readonly string[], prompt: string): boolean {
  const typed = prompt.replace(/\s+/gu, '')
  const layout = layoutOf({ rows })
  const above = printedAbove(layout)
  const at = above.lastIndexOf(typed)
  return layout.composer !== undefined && typed !== '' && at >= 0 && at + typed.length < above.length
}
