/** The host beside the day: kept, or killed again and again. */
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../live/processes.ts'
import { signal } from './below.ts'

/** How long it is away after a kill, ms. */
const away = 5000

/**
 * @param env what lull runs with
 * @param betweenKills ms; it is not killed where not given
 */
export async function keepHost(env: NodeJS.ProcessEnv, betweenKills?: number) {
  const over = new AbortController()
  await run(['host', 'start'], env)
  const kills = betweenKills === undefined ? undefined : killing(betweenKills)

  async function killing(betweenKills: number): Promise<void> {
    const until = (ms: number) => pause(ms, undefined, { signal: over.signal }).catch(() => undefined)
    for (;;) {
      await until(betweenKills)
      if (over.signal.aborted) return
      const { stdout } = await run(['host', 'status', '--json'], env)
      signal(JSON.parse(stdout).pid, 'SIGKILL')
      await until(away)
      await run(['host', 'start'], env)
    }
  }

  return {
    async stop(): Promise<void> {
      over.abort()
      await kills
      await run(['host', 'stop'], env)
    },
  }
}
