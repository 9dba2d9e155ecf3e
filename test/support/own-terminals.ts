/** Terminals of lull's own for a test: in places of their own, and gone when the test is over. */
import { onTestFinished } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { runningServer } from '../../src/owned/start-server.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import { lull, type Run } from './lull.ts'
import { isAlive } from './ralph.ts'
import { ownPlaces } from './running.ts'
import { until } from './until.ts'

export type OwnTerminals = {
  readonly env: Readonly<Record<string, string>>
  readonly places: ReturnType<typeof placesOf>
  readonly requests: ReturnType<typeof terminalRequests>
  lull(...args: readonly string[]): Promise<Run>
  /** Of the process that holds them. */
  serverPid(): Promise<number | undefined>
}

export function ownTerminals(): OwnTerminals {
  const env = {
    ...ownPlaces(),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    SHELL: '/bin/bash',
    TMUX: '',
    TMUX_PANE: '',
    LULL_TERMINAL: '',
    LULL_PANE: '',
  }
  const places = placesOf(env)
  const requests = terminalRequests(places.terminals)
  const serverPid = async () => (await runningServer(places).catch(() => undefined))?.pid
  onTestFinished(async () => {
    const pid = await serverPid()
    if (pid === undefined) return
    const names = (await requests.list()).filter(({ end }) => !end).map(({ name }) => name)
    await Promise.all(names.map(name => requests.close(name, true).catch(() => undefined)))
    await requests.stop().catch(() => undefined)
    // It notes last what it has held, in a folder that goes with the test.
    await until(
      () => isAlive(pid),
      alive => !alive,
      `the end of the terminal server ${pid}`,
    )
  })
  return { env, places, requests, serverPid, lull: (...args) => lull(args, [], env) }
}
