/** An agent in no terminal, which holds its hook open: watched, and answered over HTTP, by the library and the command line. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../src/connect/connect.ts'
import { noticeShape } from '../../src/shapes/notice-shape.ts'
import { eventStream, type Heard } from '../support/event-stream.ts'
import { startHookedAgent } from '../support/hooked-agents.ts'
import { httpServer } from '../support/http-server.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { servedHost } from '../support/served-host.ts'
import { until } from '../support/until.ts'

const places = ownPlaces()
let host: Awaited<ReturnType<typeof servedHost>>
let token = ''
beforeAll(async () => {
  host = await servedHost(places)
  token = await host.newToken('phone', 'act')
})
afterAll(() => host?.end())

async function call(pathname: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asking = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await fetch(`${host.url}${pathname}`, asking)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const hookedAgent = () => startHookedAgent(places, async pathname => (await call(pathname)).body)

describe('an agent that waits', () => {
  test('is answered over HTTP, and confirmed', async () => {
    const agent = await hookedAgent()
    agent.say('ask rm -rf build')
    const { id, dialog } = await agent.asked()
    expect(dialog).toMatchObject({ via: 'hook', tool: 'Bash', input: { command: 'rm -rf build' } })
    expect((await call(`/v1/sessions/${id}/answer`, { dialog: 'other', choice: 'yes' })).status).toBe(409)
    const { status, body } = await call(`/v1/sessions/${id}/answer`, { dialog: dialog.dialog, choice: 'yes' })
    expect([status, body]).toEqual([200, expect.objectContaining({ confirmed: true, chosen: ['Yes'] })])
    expect(JSON.parse(await agent.printed())).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'allow' } },
    })
    // It asks nothing any more.
    await agent.row(({ state }) => state === 'working')
    expect(
      (await call(`/v1/sessions/${id}/answer`, { dialog: dialog.dialog, choice: 'yes' })).status,
    ).not.toBe(200)
  })

  test('is answered in stages where its client asks for lines, once for a key', async () => {
    const agent = await hookedAgent()
    agent.say('ask make')
    const { id, dialog } = await agent.asked()
    const press = async (dialogId: string, key: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...{ accept: 'application/x-ndjson', 'idempotency-key': key },
      }
      const body = JSON.stringify({ dialog: dialogId, choice: 'yes' })
      const response = await fetch(`${host.url}/v1/sessions/${id}/answer`, { method: 'POST', headers, body })
      const lines = (await response.text()).trim().split('\n')
      return [response.status, ...lines.map(line => JSON.parse(line) as object)]
    }
    const refused = { stage: 'done', status: 409, body: { error: { code: 'REFUSED_TO_TYPE' } } }
    expect(await press('other', 'k1')).toMatchObject([200, { stage: 'received' }, refused])
    const done = { stage: 'done', status: 200, body: { confirmed: true, chosen: ['Yes'] } }
    expect(await press(dialog.dialog, 'k2')).toMatchObject([
      ...[200, { stage: 'received' }, { stage: 'given' }],
      done,
    ])
    expect(await press(dialog.dialog, 'k2')).toMatchObject([200, done])
    // Nothing had begun: this request is another one than the first of its key.
    expect(await press('third', 'k2')).toMatchObject([409, { error: { code: 'KEY_REUSED' } }])
    expect(await agent.printed()).toContain('"allow"')
  })

  test('is answered by a library on another machine, and by lull answer', async () => {
    const agent = await hookedAgent()
    agent.say('ask first')
    const { id } = await agent.asked()
    await using lull = await connect({ url: host.url, token })
    await using terminal = await lull.terminal(id)
    expect(await terminal.dialog()).toMatchObject({ asked: { about: 'first' } })
    expect(await terminal.answer('no')).toMatchObject({ chosen: ['No'], isGone: true })
    expect(await agent.printed()).toContain('"deny"')

    agent.say('ask second')
    await agent.asked()
    const listed = await lullHere(['answer', id, '--list'], places)
    expect([listed.code, listed.stdout]).toEqual([3, expect.stringContaining('  command: second\n')])
    expect(await lullHere(['answer', id, 'yes'], places)).toMatchObject({
      code: 0,
      stdout: 'answered: Yes\n',
    })
    expect(await agent.printed()).toContain('"allow"')
  })

  test('may be answered at its keyboard first: then its hook ends and decides nothing', async () => {
    const agent = await hookedAgent()
    agent.say('ask third')
    const { id, dialog } = await agent.asked()
    agent.say('go on')
    expect(await agent.printed()).toBe('')
    const late = await call(`/v1/sessions/${id}/answer`, { dialog: dialog.dialog, choice: 'no' })
    expect(late.status).not.toBe(200)
  })

  test('is answered by a button of a notification, once, and by no look at its link', async () => {
    const { received, url: hook } = await httpServer()
    const folder = path.join(places.HOME ?? '', '.config/lull')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const agent = await hookedAgent()
    writeFileSync(
      path.join(folder, 'notify.yaml'),
      `to: {phone: {webhook: "${hook}/x", answer_at: "${host.url}"}}\nrules: [{when: waiting, after: 0s}]\n`,
      { mode: 0o600 },
    )
    agent.say('ask <b>make</b>')
    await agent.row(({ state }) => state === 'waiting')
    type Told = { answers?: { page: string; options: { label: string; url: string }[] } }
    const told = await until(
      // The host tells of agents that other tests run, too.
      () => received.find(({ body }) => JSON.stringify(body).includes('make</b>'))?.body as Told | undefined,
      message => message?.answers !== undefined,
      'a message with answers',
    )
    const { page = '', options = [] } = told?.answers ?? {}
    expect(options.map(({ label }) => label)).toEqual(['Yes', 'No'])
    const yes = options[0]?.url ?? ''
    const shown = await (await fetch(page)).text()
    expect(shown).toContain('command: &#60;b&#62;make&#60;/b&#62;')
    expect((await fetch(yes)).status).toBe(200)
    // Nothing that looked has answered.
    await agent.row(({ state }) => state === 'waiting')
    const press = (url: string, headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', headers })
    expect((await press(yes, { origin: 'http://evil.test' })).status).toBe(403)
    expect((await press(page)).status).toBe(410)
    const [first, second] = [await press(yes), await press(options[1]?.url ?? '')]
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('Answered: Yes')])
    expect(second.status).toBe(410)
    expect((await fetch(page)).status).toBe(410)
    expect(await agent.printed()).toContain('"allow"')
    const { stdout } = await lullHere(['history', '--json'], places)
    expect(stdout).toContain('answer by link (webhook)')
  })

  test('is told of on open pages, in the texts of notify.yaml, and again when it is over', async () => {
    const folder = path.join(places.HOME ?? '', '.config/lull')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(
      path.join(folder, 'notify.yaml'),
      'to: {browser: {page: true}}\nrules: [{when: waiting, after: 0s}]\n',
      { mode: 0o600 },
    )
    const closed = await lullHere(['notify', 'test', 'browser'], places)
    expect([closed.code, closed.stdout]).toEqual([1, '✗ browser: no page of lull serve is open\n'])
    const stream = eventStream(host.url, token)
    await stream.has(({ event }) => event === 'snapshot', 'its snapshot')
    const open = await lullHere(['notify', 'test', 'browser'], places)
    expect([open.code, open.stdout]).toEqual([0, expect.stringMatching(/^✓ browser: sent in/)])
    const isSample = ({ event, data }: Heard) => event === 'notice' && data.title === 'lull: a test'
    await stream.has(isSample, 'the sample')
    const secret = `ghp_${'Zb1'.repeat(12)}`
    const agent = await hookedAgent()
    agent.say(`ask push ${secret}`)
    const { id } = await agent.row(({ state }) => state === 'waiting')
    const isOf = ({ event, data }: Heard) => event === 'notice' && data.session === id
    await stream.has(isOf, 'a notice')
    agent.say('go on')
    await stream.has(one => isOf(one) && one.data.withdrawn === true, 'its withdrawal')
    const [told, over] = stream.heard.filter(isOf).map(({ data }) => noticeShape.parse(data))
    expect(told).toMatchObject({ withdrawn: false, text: expect.stringContaining('push [redacted]') })
    expect(over?.id).toBe(told?.id)
    expect(stream.heard.filter(({ event, id }) => event === 'notice' && id !== undefined)).toEqual([])
  })

  test('takes nothing else: what it runs in can’t be reached', async () => {
    const agent = await hookedAgent()
    agent.say('ask fourth')
    const { id } = await agent.asked()
    expect((await call(`/v1/sessions/${id}/send`, { text: 'ls' })).status).toBe(409)
    expect((await call(`/v1/sessions/${id}/keys`, { keys: ['Enter'] })).status).toBe(409)
    await agent.row(({ state }) => state === 'waiting')
  })
})
