/** An agent in a terminal of lull's own that a respawn keeps going. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { lull, temporaryFolder } from './lull.ts'
import type { OwnTerminals } from './own-terminals.ts'
import { until } from './until.ts'

const program = path.resolve(import.meta.dirname, 'scripted-agent.ts')

let agents = 0

type Listed = { readonly sessions: readonly { readonly name?: string; readonly state: string }[] }

/**
 * With a name that no other agent of this machine has, until the test is over.
 * @param own the terminals of the file
 * @param ms that a turn of it takes
 */
export async function respawnedAgent(own: OwnTerminals, ms = 300) {
  const name = `web-${process.pid}-${agents++}`
  const folder = temporaryFolder()
  const notes = path.join(folder, 'notes')
  writeFileSync(notes, '')
  const home = own.env.HOME as string
  const start = `cd ${folder} && exec -a claude ${process.execPath} ${program} ${notes} ${home} ${ms}`
  expect(await own.lull('open', name, '--', 'bash', '-c', start)).toMatchObject({ code: 0 })
  onTestFinished(async () => void (await own.requests.close(name, true).catch(() => undefined)))
  const { pid } = await own.requests.describe(name)
  await until(
    () => existsSync(path.join(home, '.claude/sessions', `${pid}.json`)),
    isUp => isUp,
    'its first status',
  )
  await until(
    async () => JSON.parse((await own.lull('ps', '--json')).stdout) as Listed,
    ({ sessions }) => sessions.some(session => session.name === name && session.state === 'idle'),
  )
  return {
    ...own,
    name,
    /** A process of its own, which others steer. */
    start: (...flags: readonly string[]) => lull(['respawn', name, ...flags, '--held', '100ms'], [], own.env),
    prompts: () => readFileSync(notes, 'utf8').split('\n').slice(0, -1),
  }
}
