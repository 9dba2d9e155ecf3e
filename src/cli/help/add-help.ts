/** What stands below each help: how times are written, and examples to begin from. */
import type { Command } from 'commander'
import { examples } from './examples.ts'

const times = 'A <time> is 90s, 1h30m or 250ms; a bare number is seconds.'

/** @param path the words behind `lull` that lead to the command */
export function addHelp(command: Command, path: readonly string[] = []): void {
  const takesTime = command.options.some(({ flags }) => flags.includes('<time>'))
  const shown = examples[path.join(' ')] ?? []
  const below = [
    ...(takesTime ? ['', times] : []),
    ...(shown.length > 0 ? ['', 'Examples:', ...shown.map(example => `  $ ${example}`)] : []),
  ]
  if (below.length > 0) command.addHelpText('after', below.join('\n'))
  for (const inner of command.commands) addHelp(inner, [...path, inner.name()])
}
