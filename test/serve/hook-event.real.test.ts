/** The door of docs/seeds.md#003 before a running host: its hooks move real sessions, and a transcript that one names is followed. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lullHere } from '../support/lull-here.ts'
import { served } from '../support/served.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

/** Its own: another test's agent, which every host sees, may have the id of any test. */
const session = `hooked-${process.pid}`
const transcript = `.claude/projects/-project/${session}.jsonl`
const row = (type: string, message: object) => ({ type, timestamp: new Date().toISOString(), message })

describe.runIf(process.platform === 'linux')('a hook over HTTP', () => {
  test('belongs to the session of its id, and begins to follow the transcript that it names', async () => {
    const { env, post, read } = await served()
    const agent = await startStandIn()
    const file = agent.write(transcript, '')
    const hook = (event: string, more: object = {}) => ({
      ...{ session_id: session, cwd: agent.cwd, transcript_path: file, hook_event_name: event, ...more },
    })
    const stopped = await until(
      () => post('/api/hook-event', hook('Stop', { background_tasks: [] })),
      ({ status }) => status === 200,
      'its session',
    )
    expect(stopped).toMatchObject({ event: 'Stop', transcript: file })
    const id = stopped.session as string
    const detection = () => read(`/api/sessions/${id}/detection`)
    expect(await detection()).toMatchObject({ stopHookReceived: true, confidence: 100, blocked: false })
    agent.append(transcript, row('user', { role: 'user', content: 'go' }))
    await until(detection, ({ working }) => working === true, 'the turn of its transcript')
    // By lull's id, in the other form.
    const asks = { event: 'permission_prompt', sessionId: id, data: { message: 'May I?' } }
    expect(await post('/api/hook-event', asks)).toMatchObject({ status: 200, session: id })
    expect(await detection()).toMatchObject({ blocked: true, confidence: 0, stopHookTime: null })
    const { hooks } = JSON.parse((await lullHere(['host', 'status', '--json'], env)).stdout)
    expect(hooks.received).toBeGreaterThanOrEqual(2)
  })

  test('names a transcript elsewhere in vain', async () => {
    const { post, read } = await served()
    const agent = await startStandIn()
    const file = path.join(agent.home, 'notes.jsonl')
    writeFileSync(file, '')
    const hook = { event: 'stop', sessionId: `pid:${agent.pid}`, data: { transcript_path: file } }
    const answer = await until(
      () => post('/api/hook-event', hook),
      ({ status }) => status === 200,
      'its session',
    )
    expect(answer.note).toMatch(/^transcript_path was ignored/)
    expect(await read(`/v1/sessions/${answer.session}`)).not.toHaveProperty('transcript')
  })
})
