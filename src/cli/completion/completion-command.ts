/** `lull completion SHELL`, and what its script asks at each Tab. */
import type { Command } from 'commander'
import { limitClosing, limitTo } from '../../connect/time-limit.ts'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { connect } from '../../index.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { lines, print, tabbed } from '../ui/print.ts'
import { type Proposal, type Proposals, proposalsFor } from './proposals.ts'
import { sessionWords } from './session-words.ts'
import { filesMark, shellNames, shellScripts } from './shell-scripts.ts'

export function completionCommand(given: string): void {
  const shell = shellNames.find(name => name === given)
  if (shell === undefined)
    throw new LullError(
      'USAGE',
      `completion ${oneLine(given, 60)}: unknown shell; use ${shellNames.join(', ')}`,
    )
  print(lines(...shellScripts[shell].trimEnd().split('\n')))
}

/** @param typed the words behind `lull`; the last is the one that is being typed */
export async function completeCommand(lull: Command, typed: readonly string[]): Promise<void> {
  const current = typed.at(-1) ?? ''
  const { words, also, prefix = '' } = proposalsFor(lull, typed)
  const all = [...words, ...(await ofMachine(also))].map(one => ({ ...one, word: prefix + one.word }))
  // bash shows a word of `--for=idle` alone.
  const shown = all.filter(({ word }) => word.startsWith(current))
  if (shown.length > 0) print(tabbed(...shown.map(({ word, about }) => [word, oneLine(about, 80)])))
  if (also === 'files') print(lines(filesMark))
}

/** A prompt that does not come back is worse than one without proposals: ms. */
const patienceMs = 2000

async function ofMachine(also: Proposals['also']): Promise<readonly Proposal[]> {
  if (also === undefined || also === 'files') return []
  limitTo(patienceMs)
  await using lull = await connect()
  const sessions = await lull.sessions()
  const meant = also === 'terminals' ? sessions.filter(({ terminal }) => terminal !== undefined) : sessions
  limitClosing(patienceMs)
  return sessionWords(meant, callerContext())
}
