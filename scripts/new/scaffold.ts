/** What is written for a new agent, cause or command: data, so that nothing is written where a part of it can't be. */

export type Scaffold = {
  /** New files: a path below the repository, and its text. */
  readonly files: Readonly<Record<string, string>>
  readonly edits: readonly Edit[]
  /** What a person has to do then. */
  readonly left: readonly string[]
}

/** A text that goes into a file that is there, before or after the one place that the pattern finds. */
export type Edit = {
  readonly file: string
  readonly at: RegExp
  readonly where: 'before' | 'after'
  readonly text: string
}

/** @returns undefined where the place is not found, or not once */
export function applyEdit(content: string, { at, where, text }: Edit): string | undefined {
  const found = [...content.matchAll(new RegExp(at, `${at.flags.replace('g', '')}g`))]
  const [first] = found
  if (!first || found.length > 1) return undefined
  const index = where === 'before' ? first.index : first.index + first[0].length
  return content.slice(0, index) + text + content.slice(index)
}

/** `closed_wait`, `run-all` → `closedWait`, `runAll`. */
export const camel = (name: string): string =>
  name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())

export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
