/** An agent in a terminal of lull's own that a respawn keeps going. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { lull, temporaryFolder } from './lull.ts'
import { ownTerminals } from './own-terminals.ts'
import { until } from './until.ts'

const program = path.resolve(import.meta.dirname, 'scripted-agent.ts')

/** Its own: another agent of this machine may be called `web`. */
export const agentName = `web-${process.pid}`

type Listed = { readonly sessions: readonly { readonly name?: string; readonly state: string }[] }

export async function respawnedAgent(ms = 300) {
  const own = ownTerminals()
  const folder = temporaryFolder()
  const notes = path.join(folder, 'notes')
  writeFileSync(notes, '')
  const home = own.env.HOME as string
  const start = `cd ${folder} && exec -a claude ${process.execPath} ${program} ${notes} ${home} ${ms}`
  expect(await own.lull('open', agentName, '--', 'bash', '-c', start)).toMatchObject({ code: 0 })
  await until(
    async () => JSON.parse((await own.lull('ps', '--json')).stdout) as Listed,
    ({ sessions }) => sessions.some(session => session.name === agentName && session.state === 'idle'),
  )
  return {
    ...own,
    /** A process of its own, which others steer. */
    start: (...flags: readonly string[]) =>
      lull(['respawn', agentName, ...flags, '--held', '100ms'], [], own.env),
    prompts: () => readFileSync(notes, 'utf8').split('\n').slice(0, -1),
  }
}
