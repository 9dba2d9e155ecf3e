/** Which of lull's commands a line is, by lull's own parser. Nothing is done. */
import type { Command } from 'commander'
import { program } from '../../src/cli/program.ts'
import { splitWords } from '../../src/os/spawn/shell-words.ts'

export type Listed = { readonly path: string; readonly command: Command }

const isShown = (command: Command): boolean => !('_hidden' in command && command._hidden === true)

export function allOf(command: Command, path: readonly string[] = []): readonly Listed[] {
  const inner = command.commands.filter(isShown).flatMap(one => allOf(one, [...path, one.name()]))
  return [{ path: path.join(' '), command }, ...inner]
}

/** The words behind `lull`, up to what is the shell's. */
export function wordsOf(example: string): readonly string[] {
  const [own = ''] = example.split(/ (?:&&|\||<|>|>>) /)
  return splitWords(own).slice(1)
}

/** Which command a line is, and what it gives to its options. */
export async function parsed(words: readonly string[]): Promise<Listed | undefined> {
  const lull = await program('0')
  let found: Listed | undefined
  for (const one of allOf(lull))
    one.command.action(() => {
      found = one
    })
  lull.parse(words, { from: 'user' })
  return found
}
