/** What an installation would do, in a few lines, and the question whether it should: a person is asked before files change. */
import { printable } from '../../../core/text/printable.ts'
import type { FileChange } from '../../../hooks/install/install.ts'
import { homeFolder } from '../../../sessions/caller-context.ts'
import { shortFolder } from '../../../sessions/session-names.ts'
import { lines, print } from '../../ui/print.ts'

/** What hooks of one agent change. `named`: its name, and its version where that is known. */
export type Planned = {
  readonly named: string
  readonly events: number
  readonly changes: readonly FileChange[]
}

type Choice = 'yes' | 'no' | 'diff'

/** A row for each file: whose it is, and how many lines are new in it. */
export function summary(planned: readonly Planned[], home: string): readonly string[] {
  const told = new Set<string>()
  const rows = planned.flatMap(({ named, events, changes }) =>
    changes.flatMap(change => {
      if (told.has(change.file)) return []
      told.add(change.file)
      const isShared = planned.filter(one => one.changes.some(({ file }) => file === change.file)).length > 1
      const what = isShared ? 'all' : `${named}, ${events} events`
      return [[`${what}:`, `${shortFolder(change.file, home)} (${sizeOf(change)})`]]
    }),
  )
  const width = Math.max(0, ...rows.map(([what = '']) => what.length))
  return [
    'lull hooks install would change:',
    ...rows.map(([what = '', file]) => `  ${what.padEnd(width)} ${file}`),
    'These agents then report prompts, permissions and the end of a turn to lull at once. lull hooks uninstall removes all of it.',
  ]
}

function sizeOf({ before, after = '' }: FileChange): string {
  const count = (text: string): number => (text === '' ? 0 : text.trimEnd().split('\n').length)
  if (before === undefined) return `new, ${count(after)} lines`
  const more = count(after) - count(before)
  return more < 0 ? `${-more} lines fewer` : `${more} lines more`
}

/** @returns undefined for what is none of the three; nothing typed means no */
export function answerOf(line: string): Choice | undefined {
  const word = line.trim().toLowerCase()
  if (word === '') return 'no'
  return (['yes', 'no', 'diff'] as const).find(answer => answer.startsWith(word))
}

/** @param showDiff called where the person asks for it; then it asks again */
export async function isWanted(planned: readonly Planned[], showDiff: () => void): Promise<boolean> {
  print(lines(...summary(planned, homeFolder())))
  const ask = () => print(printable('Install them? yes, no (default) or diff: '))
  ask()
  let rest = ''
  // The terminal itself edits the line, and Ctrl-C ends the program.
  for await (const piece of process.stdin.setEncoding('utf8')) {
    const typed = `${rest}${piece}`.split('\n')
    rest = typed.pop() ?? ''
    for (const line of typed) {
      const answer = answerOf(line)
      if (answer === 'yes' || answer === 'no') return answer === 'yes'
      if (answer === 'diff') showDiff()
      ask()
    }
  }
  return false
}
