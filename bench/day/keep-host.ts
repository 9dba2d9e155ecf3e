/** The host beside the day: kept, killed again and again, or none. */
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../live/processes.ts'
import { signal } from './below.ts'

const betweenKills = 60_000
const away = 5000

/** @param env what lull runs with */
export async function keepHost(how: 'kept' | 'killed' | 'none', env: NodeJS.ProcessEnv) {
  const over = new AbortController()
  if (how !== 'none') await run(['host', 'start'], env)
  const kills = how === 'killed' ? killing() : undefined

  async function killing(): Promise<void> {
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
      if (how !== 'none') await run(['host', 'stop'], env)
    },
  }
}
