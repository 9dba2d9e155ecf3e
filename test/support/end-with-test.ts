/** Processes that a test starts end with it. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from 'vitest'

const running: (readonly [ChildProcess, NodeJS.Signals])[] = []
afterEach(async () => {
  for (const [child, signal] of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill(signal)
    await once(child, 'exit')
  }
})

/** @param signal one that lets it put something in order before its end */
export function endWithTest(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  running.push([child, signal])
}
