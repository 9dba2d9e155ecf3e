/**
 * The question of a program that reads keys and draws its question itself: a list of choices, a box, a line with hidden
 * letters. Prompt kits for JavaScript, Python, Go and Rust draw alike. Valid only while a program reads the terminal. Pure.
 */
import type { WaitingFor } from '../../core/state.ts'
import type { Grid } from '../../core/text/grid.ts'
import { asksFor, matchPrompt } from './prompts.ts'
import { beforeCursor, isFreshLine } from './screen-text.ts'

/** An open question: inquirer, prompts, questionary, survey and dialoguer write `?`, clack `◆`; what was answered has another sign. */
const openTitle = /^\s*(?:\[\?\]|[?◆❓])\s+\S/u

/** The row that is chosen now. */
const pointer = /^[\s│┃|]*[❯›▸▶►»→>●◉◆]\s*\S/u

/** What is asked for, at the end of a title or of the cursor's line; what somebody types may end so, too, but for the blank. */
const secret =
  /\b(?:password|passphrase|passcode|pin|secret|token|(?:api|access|auth|secret)[ -]?(?:key|token))(?: \([^()]{0,40}\)| for \S.{0,40}?)?(?:\s*[:：›‣>…»]\s*|\s?\?\s+|(?<title>\s+))(?:(?:\[?(?:input is |will be )?(?:hidden|masked)\]?|\([^()]{1,40}\))\s*)?(?<mask>[*•●▪·∙⚬]*)[_█▌▏|]?\s*$/iu

/** A question is shorter; patterns take long for the lines of a program that never ends one. */
const longest = 300

function asksSecret(text: string): boolean {
  const found = secret.exec(text.slice(-longest))
  // Without a sign behind it, only a title or masked letters ask.
  return (
    found !== null && (found.groups?.title === undefined || found.groups.mask !== '' || openTitle.test(text))
  )
}

/** Nothing, or masked letters. */
const masked = /^[\s│┃|└╰>*•●▪·∙⚬_]*$/u

/** A list is longer only where it scrolls. */
const longestBlock = 30

/** Undefined where nothing is asked in a way that is known. */
export function drawnQuestion(screen: Grid): WaitingFor | undefined {
  const text = beforeCursor(screen)
  if (openTitle.test(text)) return asksOf([text])
  if (!isFreshLine(screen) && text.trim() !== '') return asksSecret(text) ? 'password' : undefined
  // Who has drawn its own cursor hides the terminal's.
  if (!screen.isCursorHidden) return undefined
  const block = blockAbove(screen)
  if (asksSecret(`${block.at(-1) ?? ''} `)) return 'password'
  const title = block.findLastIndex(row => openTitle.test(row))
  // Blanks at the ends of rows are cut.
  if (title >= 0) return asksOf([`${block[title]} `, ...block.slice(title + 1)])
  return isList(block) ? 'input' : undefined
}

function asksOf([title = '', ...body]: readonly string[]): WaitingFor {
  const isSecret = asksSecret(title) && body.every(row => masked.test(row))
  if (isSecret) return 'password'
  if (body.some(row => /\byes\b\W{1,8}\bno\b/i.test(row))) return 'confirmation'
  return body.length === 0 ? asksFor(title) : 'input'
}

/** The rows right above the cursor's, up to a blank one; one may lie between. */
function blockAbove({ rows, cursor }: Grid): readonly string[] {
  const above = rows.slice(0, (cursor?.row ?? 0) + 1)
  const end = above.findLastIndex(row => row.trim() !== '') + 1
  if (end < above.length - 2) return []
  const block = above.slice(Math.max(0, end - longestBlock), end)
  return block.slice(block.findLastIndex(row => row.trim() === '') + 1)
}

/** One of several rows is pointed at. Where all of them are, they are a list of things to read. */
const isList = (rows: readonly string[]): boolean =>
  rows.length > 1 && rows.filter(row => pointer.test(row)).length === 1

/** A question that stays on the cursor's line is asked, whatever moves beside it. */
export const isQuestionLine = (text: string): boolean =>
  openTitle.test(text) || asksSecret(text) || questions.has(matchPrompt(text)?.category ?? '')

const questions: ReadonlySet<string> = new Set(['question', 'confirmation', 'password'])

/** Keys that are named one by one: a text would press them. */
const namesKeys = /\b(?:press|hit|type|key)\b|[[(<]\w[\])>]/i

/** A sign that a text is asked for, perhaps with a default behind it: `Name: `, `package name: (kits) `, `? Your name `. */
const line = /(?:[:?：›‣]|^\s*\?\s.*\S)\s*(?:\([^()]{1,80}\)|\[[^[\]]{1,80}\])?\s+$/u

/** Whether a line of text is asked for at the cursor, by its looks alone. */
export function asksForLine(screen: Grid): boolean {
  const text = beforeCursor(screen)
  return screen.isCursorHidden !== true && text.length <= longest && line.test(text) && !namesKeys.test(text)
}
