/** `lull serve --on`: sessions of boxes beside those of this machine, read, waited for and acted on over one API and its page. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserProgram, startBrowser } from '../support/browser.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { openLullPage, openSession } from '../support/lull-page.ts'
import { apiOf } from '../support/served.ts'
import { servedHost } from '../support/served-host.ts'
import { isInstalled, type SshBox, sshBoxes, sshd } from '../support/ssh-boxes.ts'
import { until } from '../support/until.ts'

const falseBox = (what: string): string =>
  `${process.execPath} ${fileURLToPath(new URL('../support/false-box.ts', import.meta.url))} ${what}`
const askingAgent = fileURLToPath(new URL('../support/asking-agent.ts', import.meta.url))

const wanted = {
  box1: {},
  down: { isDown: true },
  hostile: { command: falseBox('hostile') },
  halves: { command: falseBox('halves') },
} as const

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string }
type Listed = { readonly sessions: readonly Row[] }

describe.runIf(process.platform === 'linux' && isInstalled)(`served boxes${sshd.skipped}`, () => {
  let fleet: Awaited<ReturnType<typeof sshBoxes<keyof typeof wanted>>>
  let host: Awaited<ReturnType<typeof servedHost>>
  let api: Awaited<ReturnType<typeof apiOf>>
  const onBox = (box: SshBox, ...words: readonly string[]) => lull(words, [], box.env)

  beforeAll(async () => {
    fleet = await sshBoxes(wanted)
    expect(await onBox(fleet.boxes.box1, 'open', 'work', '--', 'bash', '--norc')).toMatchObject({ code: 0 })
    host = await servedHost(fleet.env)
    api = await apiOf(host)
  })
  afterAll(async () => {
    await host.end()
    await onBox(fleet.boxes.box1, 'terminals', 'stop', '--force')
    await fleet.end()
  })

  async function stage(on = 'box1,down,hostile') {
    expect(await host.serveAgain('--on', on)).toMatchObject({ served: true, on: on.split(',') })
    const rows = async () => ((await api.read('/v1/sessions')) as Listed).sessions
    const isWork = (row: Row): boolean => row.name === 'work' && row.host === 'box1'
    const all = await until(rows, found => found.some(isWork), 'the session of the box')
    const work = all.find(isWork)
    const agentThatAsks = async (command: string) => {
      const notes = path.join(temporaryFolder(), 'notes')
      const name = path.basename(path.dirname(notes))
      const { HOME = '' } = fleet.boxes.box1.env
      const agent = `exec -a claude ${process.execPath} ${askingAgent} ${notes} ${HOME} '${command}'`
      await onBox(fleet.boxes.box1, 'open', name, '--', 'bash', '-c', agent)
      const asked = await until(
        () => api.read(`/v1/sessions/${name}@box1`),
        ({ dialog }) => JSON.stringify(dialog ?? '').includes(command),
        'its dialog',
      )
      return { id: asked.id as string, dialog: (asked.dialog as { dialog: string }).dialog, notes }
    }
    return { rows, work: work as Row, agentThatAsks }
  }

  test('are listed, one that is away as a row that says why, beside the sessions of this machine', async () => {
    const { rows, work } = await stage()
    await api.post('/v1/open', { name: 'work', words: ['bash', '--norc'] })
    const all = await until(
      rows,
      found => found.some(({ id }) => id === '@down') && found.some(({ host }) => host === 'hostile'),
      'the other boxes',
    )
    expect(work.id).toMatch(/^[\w-]+@box1$/)
    expect(all.find(({ id }) => id === '@down')).toMatchObject({
      state: 'unknown',
      note: expect.stringContaining('refused'),
    })
    const theirs = all.filter(({ host }) => host === 'hostile')
    expect(theirs.every(({ id }) => id.endsWith('@hostile'))).toBe(true)
    expect(theirs.length).toBeLessThanOrEqual(500)
    // A name without a box is one of this machine.
    expect(await api.read('/v1/sessions/work')).not.toHaveProperty('host')
    expect(await api.read('/v1/wait?session=work&for=idle&timeout=0')).not.toHaveProperty('error')
  })

  test('are asked for as on the box itself: a session, its screen, its states, a wait', async () => {
    const { work } = await stage()
    const at = `/v1/sessions/${encodeURIComponent(work.id)}`
    expect(await api.read(at)).toMatchObject({ id: work.id, host: 'box1', name: 'work' })
    const { pane } = (await api.read(`${at}/terminal`)) as { pane: { tty: string } }
    expect(pane.tty).toContain('/dev/')
    const sent = await api.post(`${at}/send`, { text: 'echo from-$((40+2))', wait: 20 })
    expect(sent).toMatchObject({ status: 200, confirmed: true })
    expect(((await api.read(`${at}/screen`)) as { rows: string[] }).rows.join('\n')).toContain('from-42')
    // No host runs there that would keep one.
    expect(await api.read(`${at}/history`)).toMatchObject({
      error: { code: 'NO_SESSION', facts: { address: work.id } },
    })
    await api.post(`${at}/send`, { text: 'sleep 1' })
    const waited = await api.read(`/v1/wait?session=${encodeURIComponent(work.id)}&for=idle&timeout=60`)
    expect(waited).toMatchObject({ outcome: 'reached', sessions: [{ id: work.id }] })
    expect(await api.read('/v1/sessions/nobody@box1')).toMatchObject({ error: { code: 'NO_SESSION' } })
  })

  test('an action is done once for a key, and a key is that of one device', async () => {
    const { work } = await stage()
    const at = `/v1/sessions/${encodeURIComponent(work.id)}/send`
    const other = { authorization: `Bearer ${await api.newToken('phone', 'act')}` }
    const key = { 'idempotency-key': 'tap-1' }
    const first = await api.post(at, { text: 'echo first' }, key)
    expect(await api.post(at, { text: 'echo first' }, key)).toEqual(first)
    const second = await api.post(at, { text: 'echo second' }, { ...key, ...other })
    expect(second).toMatchObject({ status: 200 })
    expect(second.action).not.toBe(first.action)
    const reader = { authorization: `Bearer ${await api.newToken('tv', 'read')}` }
    expect(await api.post(at, { text: 'echo third' }, reader)).toMatchObject({ status: 403 })
    const screen = await until(
      async () => (await onBox(fleet.boxes.box1, 'read', 'work')).stdout,
      text => text.includes('\nsecond'),
      'what was typed second',
    )
    expect(screen.match(/^first$/gm)).toHaveLength(1)
    expect(screen).not.toContain('third')
  })

  test('a dialog is answered in stages that the box reports', async () => {
    const { agentThatAsks } = await stage()
    const { id, dialog, notes } = await agentThatAsks('rm -rf dist')
    const answer = await api.ask(`/v1/sessions/${encodeURIComponent(id)}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ dialog, choice: 'no' }),
    })
    const stages = (await answer.text()).trim().split('\n')
    expect(stages.map(line => (JSON.parse(line) as { stage: string }).stage)).toEqual([
      'received',
      'given',
      'done',
    ])
    expect(JSON.parse(stages.at(-1) ?? '')).toMatchObject({ status: 200, body: { confirmed: true } })
    expect(readFileSync(notes, 'utf8')).toBe('No\n')
  })

  test('an answer that is cut off after a stage is not known to be given', async () => {
    await stage('box1,halves')
    const answer = await api.ask('/v1/sessions/x@halves/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ dialog: 'd', choice: 'no' }),
    })
    const last = (await answer.text()).trim().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({
      stage: 'done',
      body: { error: { code: 'ACTION_UNKNOWN' } },
    })
  })

  test('a box that goes away: unknown, nothing can be done there, and this machine goes on', async () => {
    const { rows, work } = await stage('box1')
    await fleet.boxes.box1.kill()
    await until(
      async () => (await rows()).find(({ id }) => id === work.id)?.state,
      state => state === 'unknown',
      'that nobody knows',
    )
    expect(await api.post(`/v1/sessions/${encodeURIComponent(work.id)}/keys`, { keys: ['a'] })).toMatchObject(
      {
        status: 503,
        error: { code: 'HOST_GONE' },
      },
    )
    await fleet.boxes.box1.start()
    await until(
      async () => (await rows()).find(({ id }) => id === work.id)?.state,
      state => state !== 'unknown' && state !== undefined,
      'its return',
    )
  })

  test('a name that is none is refused, and what was served still is', async () => {
    const bad = await lullHere(['serve', '--port', String(api.port), '--on', 'no box'], api.env)
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('is no name of a box') })
    expect(await api.read('/v1/status')).toHaveProperty('version')
  })

  describe.runIf(browserProgram.file)(`on the page${browserProgram.skipped}`, () => {
    test('stand in groups of their machines, and are answered there', async () => {
      const { agentThatAsks } = await stage('box1,down')
      await api.post('/v1/open', { name: 'here', words: ['bash', '--norc'] })
      const { id, notes } = await agentThatAsks('rm -rf out')
      const browser = await startBrowser()
      const { page, wrongs } = await openLullPage(browser, api)
      await page.getByLabel('Groups').selectOption('By machine')
      await page.getByRole('region', { name: 'This machine' }).getByText('here').first().waitFor()
      await openSession(page, page.getByRole('region', { name: 'box1' }).locator(`[data-id="${id}"]`))
      await page.getByText('rm -rf out').first().waitFor()
      await page.getByRole('button', { name: 'No', exact: true }).click()
      await until(
        () => existsSync(notes) && readFileSync(notes, 'utf8'),
        text => text === 'No\n',
        'the answer',
      )
      await page
        .getByText(/confirmed/)
        .first()
        .waitFor()
      await page.goto(`${api.url}/#/s/@down`)
      await page.getByText('refused').first().waitFor()
      expect(await page.getByText('Screen', { exact: true }).count()).toBe(0)
      expect(wrongs).toEqual([])
    })
  })
})
