/** `lull loop pause|resume|skip|stop SESSION`: steers a loop that runs elsewhere, and prints what it does then. */
import { LullError } from '../../core/lull-error.ts'
import { connect, type LoopStatus, placesOf } from '../../index.ts'
import { controlLoop, type LoopControl } from '../../loop/loop-control.ts'
import { stopLoop } from '../../sessions/runs/published-loops.ts'
import { lines, onNotice, print } from '../ui/print.ts'

export async function loopControlCommand(session: string, what: LoopControl | 'stop'): Promise<void> {
  await using lull = await connect({ onNotice })
  const { id } = await lull.find(session)
  const sentence =
    what === 'stop' ? await stopped(id) : sentenceOf((await controlLoop(placesOf(), id, what)).after)
  print(lines(`${id}  ${sentence}`))
}

/** @throws {LullError} NO_SESSION where it is no loop, STILL_RUNS */
async function stopped(id: string): Promise<string> {
  const isEnded = await stopLoop(placesOf().runs, id)
  if (isEnded) return 'stopped'
  if (isEnded === undefined)
    throw new LullError('NO_SESSION', `${id} is no loop that runs: lull ps lists loops`, { address: id })
  throw new LullError('STILL_RUNS', `the loop ${id} still runs: lull explain ${id} shows why`)
}

function sentenceOf({ phase, iteration, isPausing }: LoopStatus): string {
  switch (phase) {
    case 'iterating':
      return isPausing ? `pauses after iteration ${iteration}` : `iteration ${iteration} runs`
    case 'delaying':
      return `waits after iteration ${iteration}`
    case 'paused':
      return `paused after iteration ${iteration}`
    case 'stopped':
      return 'stopped'
  }
}
