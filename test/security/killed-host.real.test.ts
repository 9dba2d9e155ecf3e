/**
 * A served host that is killed again and again, under load: no action is done twice, none is lost without a word, clients go on.
 * LULL_KILLS=30 for more moments than a usual run has time for.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventStream, faultsOf } from '../support/event-stream.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { served } from '../support/served.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const kills = Number(process.env.LULL_KILLS ?? 5)

type Reply = {
  readonly status: number
  readonly confirmed?: boolean
  readonly error?: { readonly code: string }
}

test.runIf(process.platform === 'linux')(
  'no action is done twice or lost silently, and clients go on',
  { timeout: 60_000 + kills * 20_000 },
  async () => {
    const { env, url, token, read, post } = await served()
    const notes = path.join(temporaryFolder(), 'notes')
    writeFileSync(notes, '')
    expect(await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })).toMatchObject({ status: 200 })
    const agent = await startStandIn()
    const stream = eventStream(url, token)
    let isOver = false
    const endLoad = async (): Promise<void> => {
      isOver = true
      await load
    }
    onTestFinished(endLoad)
    // Changes all the time.
    const load = (async () => {
      for (let n = 0; !isOver; n++) {
        agent.status({ status: n % 2 === 0 ? 'busy' : 'idle', statusUpdatedAt: Date.now() })
        await pause(15)
      }
    })()

    const replies = new Map<string, Reply | 'cut'>()
    const act = async (key: string): Promise<void> => {
      const body = { text: `echo ${key} >> ${notes}` }
      const reply = await post('/v1/sessions/box/send', body, { 'idempotency-key': key }).catch(
        () => 'cut' as const,
      )
      replies.set(key, reply as Reply | 'cut')
    }
    const pidOf = async (): Promise<number> => Number((await read('/v1/status')).pid)
    for (let moment = 0; moment < kills; moment++) {
      const pid = await pidOf()
      const under = act(`k${moment}`)
      // Another moment of the action each time: it takes some tens of ms.
      await pause((moment * 13) % 60)
      process.kill(pid, 'SIGKILL')
      await under
      expect(await lullHere(['host', 'start'], env)).toMatchObject({ code: 0, stderr: '' })
      await until(
        () => pidOf().catch(() => pid),
        now => now !== pid,
        'the next host',
      )
      // The client asks again with the same key, until it is told.
      const key = `k${moment}`
      for (let tries = 0; tries < 20 && replies.get(key) === 'cut'; tries++) await act(key)
    }
    await endLoad()

    const lines = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean)
    const done = [...replies]
      .filter(([, reply]) => reply !== 'cut' && reply.status === 200)
      .map(([key]) => key)
    await until(lines, all => done.every(key => all.includes(key)), 'each action that was answered')
    expect(new Set(lines()).size).toBe(lines().length)
    const told = [...replies.values()].map(reply => (reply === 'cut' ? 'cut' : (reply.error?.code ?? 'done')))
    // What nobody knows is said so; the line may not be empty after that: such an action is refused.
    expect(told.filter(one => !['done', 'ACTION_UNKNOWN', 'REFUSED_TO_TYPE'].includes(one))).toEqual([])

    const connections = () => new Set(stream.heard.map(({ connection }) => connection)).size
    await until(connections, count => count > kills / 2, 'clients that came back')
    expect(faultsOf(stream.heard)).toEqual([])

    const { stdout } = await lullHere(['history', '--json', '--since', '1h'], env)
    const begun = stdout
      .split('\n')
      .filter(line => line.includes('"api.begun"') && line.includes('echo k'))
      .map(line => /echo (k\d+)/.exec(line)?.[1])
    expect(begun).toHaveLength(new Set(begun).size)
  },
)
