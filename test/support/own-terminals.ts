/** Terminals of lull's own for a test: in places of their own, and gone when the test is over. */
import { onTestFinished } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { runningServer } from '../../src/owned/start-server.ts'
import { terminalRequests } from '../../src/owned/terminal-requests.ts'
import type { Run } from './lull.ts'
import { lullHere } from './lull-here.ts'
import { isAlive } from './ralph.ts'
import { ownPlaces } from './running.ts'
import { until } from './until.ts'

export type OwnTerminals = {
  readonly env: Readonly<Record<string, string>>
  readonly places: ReturnType<typeof placesOf>
  readonly requests: ReturnType<typeof terminalRequests>
  /** In this process, one after the other. */
  lull(...args: readonly string[]): Promise<Run>
  /** Of the process that holds them. */
  serverPid(): Promise<number | undefined>
}

/** @param over when they end: with the test, or (`afterAll`) with its file */
export function ownTerminals(over: (end: () => Promise<void>) => void = onTestFinished): OwnTerminals {
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
  over(async () => {
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
  return { env, places, requests, serverPid, lull: (...args) => lullHere(args, env) }
}
