/** Agents whose loop was killed: nobody reads them or ends them any more, and the next loop would run beside them. */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../os/attempt.ts'
import { isGroupAlive, signalGroup } from '../../os/spawn/process-group.ts'
import type { LiveSession } from '../session-source.ts'
import { isLeftBehind, publishedIn } from './published-runs.ts'

export type LeftBehind = {
  readonly session: LiveSession
  /** Ends it with all that it started. False where some of it still runs then. */
  end(): Promise<boolean>
}

/** As a loop ends its own: SIGTERM, and SIGKILL so much later (docs/loop.md#keys-and-signals). */
const patienceMs = 3000
const pollMs = 50

/** @param folder where runs are published */
export const findLeftBehind = (folder: string): readonly LeftBehind[] =>
  publishedIn(folder)
    .filter(({ published }) => isLeftBehind(published))
    .map(({ file, published }) => ({
      session: published.session,
      async end() {
        const { pid } = published.process
        for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
          // Its number is another's as soon as it has ended.
          if (isLeftBehind(published)) signalGroup(pid, signal)
          await hasEnded(pid)
        }
        const isOver = !isLeftBehind(published)
        if (isOver) attempt(() => rmSync(file, { force: true }))
        return isOver
      },
    }))

async function hasEnded(group: number): Promise<void> {
  const until = performance.now() + patienceMs
  while (isGroupAlive(group) && performance.now() < until) await pause(pollMs)
}
