/** Boxes over a real ssh: each an sshd on loopback. Sessions of theirs are listed, followed, waited for and typed into from here. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bin, lull, type Run, temporaryFolder } from '../support/lull.ts'
import { startLull } from '../support/running.ts'
import { isInstalled, type SshBox, sshBoxes, sshd } from '../support/ssh-boxes.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const falseBox = (what: string): string =>
  `${process.execPath} ${fileURLToPath(new URL('../support/false-box.ts', import.meta.url))} ${what}`

const askingAgent = fileURLToPath(new URL('../support/asking-agent.ts', import.meta.url))

const wanted = {
  box1: {},
  box2: {},
  down: { isDown: true },
  bare: { command: 'nolull' },
  old: { command: falseBox('old') },
  older: {
    command: `sh -c 'case $1 in --version) echo 0.0.1;; *) echo "lull: unknown command" >&2; exit 2;; esac' lull`,
  },
  chatty: { before: `echo motd; printf 'no end of line';` },
  noise: { command: falseBox('noise') },
  hostile: { command: falseBox('hostile') },
  flood: { command: falseBox('flood') },
  swallow: { command: falseBox('swallow') },
  halves: { command: falseBox('halves') },
} as const

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string }

describe.runIf(process.platform === 'linux' && isInstalled)(`boxes over ssh${sshd.skipped}`, () => {
  let fleet: Awaited<ReturnType<typeof sshBoxes<keyof typeof wanted>>>
  const call = (...words: readonly string[]): Promise<Run> => lull(words, [], fleet.env)
  const onBox = (box: SshBox, ...words: readonly string[]): Promise<Run> => lull(words, [], box.env)
  const rowsOf = async (...words: readonly string[]): Promise<readonly Row[]> => {
    const { stdout, stderr } = await call('ps', ...words, '--json')
    expect(stderr).toBe('')
    return (JSON.parse(stdout) as { sessions: Row[] }).sessions
  }
  const kindOf = (row: Row | undefined): unknown =>
    (row?.state as unknown as { kind?: string })?.kind ?? row?.state

  beforeAll(async () => {
    fleet = await sshBoxes(wanted)
    for (const box of [fleet.boxes.box1, fleet.boxes.box2])
      expect(await onBox(box, 'open', 'work', '--', 'bash', '--norc')).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    for (const box of [fleet.boxes.box1, fleet.boxes.box2]) await onBox(box, 'terminals', 'stop', '--force')
    await fleet.end()
  })

  test('are listed together; one that can’t be asked is a row that says why', async () => {
    const rows = await rowsOf('--on', 'box1,box2,down,bare,old,older,chatty,noise')
    const named = rows.filter(({ name }) => name === 'work')
    expect(named.map(({ host, id }) => [host, id.endsWith(`@${host}`)]).toSorted()).toEqual([
      ['box1', true],
      ['box2', true],
    ])
    expect(rows.filter(({ id }) => id === '@chatty')).toEqual([])
    const why = Object.fromEntries(
      rows.filter(({ id }) => id.startsWith('@')).map(row => [row.id, [kindOf(row), row.why]]),
    )
    expect(why).toEqual({
      '@down': ['unknown', expect.stringMatching(/down is not reached \(ssh: .*refused\)/)],
      '@bare': ['unknown', expect.stringContaining('bare has no lull that can be run as "nolull"')],
      '@old': [
        'unknown',
        expect.stringMatching(/old has lull 0\.0\.9, which speaks protocol 4; this lull speaks \d+/),
      ],
      '@older': ['unknown', expect.stringContaining('older has lull 0.0.1, which has no `lull host stdio`')],
      '@noise': ['unknown', expect.stringContaining('noise: it prints much, and no greeting of lull')],
    })
  })

  test('a session is named by SESSION@BOX in every command, and without a box where one box has it', async () => {
    const sent = await call('send', 'work@box1', 'echo $((6 * 7))', '--wait')
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('42') })
    expect(await call('read', 'work', '--on', 'box1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('42'),
    })
    expect(await call('read', 'work@box2')).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('42'),
    })
    expect(await call('keys', 'work@box1', 'C-l')).toMatchObject({ code: 0 })
    expect(await call('explain', 'work@box1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Idle: bash'),
    })
    expect(await call('answer', 'work@box1', '--list')).toMatchObject({
      code: 0,
      stdout: 'no dialog is shown\n',
    })
    expect(await call('wait', 'work@box1', '--timeout', '60s')).toMatchObject({ code: 0 })
    expect(await call('since', '8h', '--on', 'box1,down')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('down: unknown: down is not reached'),
    })
  })

  test('what could mean a session of two boxes is refused, and of one that is away', async () => {
    const both = await call('send', 'work', 'echo no', '--on', 'box1,box2')
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"work" means 2 sessions: .*@box1.*@box2/),
    })
    const away = await call('send', 'work', 'echo no', '--on', 'box1,down')
    expect(away).toMatchObject({ code: 2, stderr: expect.stringContaining('name the box, like work@box1') })
    expect((await call('read', 'work@box1')).stdout).not.toContain('echo no')
    expect(await call('send', 'work@down', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('down is not reached'),
    })
    expect(await call('wait', 'a', 'work@box1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"a" names no box'),
    })
    expect(await call('ps', '--on=-oProxyCommand=x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no name of a box'),
    })
  })

  test('what is typed is judged there: a password is refused as on the box itself', async () => {
    await call('send', 'work@box2', "read -rsp 'Password: ' x")
    const refused = await until(
      () => call('send', 'work@box2', 'secret'),
      ({ code }) => code === 3,
      'a refusal',
    )
    expect(refused).toEqual(await onBox(fleet.boxes.box2, 'send', 'work', 'secret'))
    await call('keys', 'work@box2', 'C-c')
  })

  test('a dialog is shown whole and answered from here, once', async () => {
    const { env } = fleet.boxes.box1
    const notes = path.join(temporaryFolder(), 'notes')
    const agent = `exec -a claude ${process.execPath} ${askingAgent} ${notes} ${env.HOME} 'rm -rf build'`
    expect(await onBox(fleet.boxes.box1, 'open', 'asks', '--', 'bash', '-c', agent)).toMatchObject({
      code: 0,
    })
    const listed = await until(
      () => call('answer', 'asks@box1', '--list'),
      ({ stdout }) => stdout.includes('rm -rf build') && stdout.includes('3'),
      'its dialog',
    )
    expect(listed.stdout).toMatch(/No$/m)
    expect(await call('answer', 'asks@box1', 'no')).toMatchObject({ code: 0 })
    expect(readFileSync(notes, 'utf8')).toBe('No\n')
    expect(await call('answer', 'asks@box1', 'no')).toMatchObject({ code: 1 })
  })

  test('what needs the box itself its own lull does, with the same words and the same exit code', async () => {
    const { box1 } = fleet.boxes
    const ready = await call('wait', 'work@box1', '--ready', '--json')
    expect(ready).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ready.stdout)).toMatchObject({ event: 'ended', outcome: 'reached' })
    const read = await call('read', 'work', '--json', '--on', 'box1')
    expect(JSON.parse(read.stdout)).toMatchObject({ event: 'read', state: 'ready' })
    const explained = await call('explain', 'work@box1', '--processes')
    expect(explained.stdout).toContain('bash')
    const words = ['history', 'no such; session', '--json']
    expect(await call(words[0] ?? '', `${words[1]}@box1`, '--json')).toMatchObject({
      ...(await onBox(box1, ...words)),
    })
    expect(await call('history', 'x@down')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('down is not reached'),
    })
  })

  test('go shows a session of a box in this terminal', async () => {
    onTestFinished(async () => {
      await call('terminals', 'stop', '--force')
    })
    await call('open', 'view', '--', process.execPath, bin, 'go', 'work@box1')
    await call('send', 'work@box1', 'echo seen-$((40+3))')
    await until(
      () => call('read', 'view'),
      ({ stdout }) => stdout.includes('seen-43'),
      'the screen of the box',
    )
  })

  test.each(['swallow', 'halves'])('an action that %s its answer is not known to be done', async box => {
    const lost = await call('keys', `work@${box}`, 'C-c')
    expect(lost).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('whether it was done is not known'),
    })
  })

  test('a hostile box has rows of its own only, printable and bounded', async () => {
    const { stdout, code } = await call('ps', '--on', 'hostile,box1')
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    const rows = await rowsOf('--on', 'hostile,box1')
    const theirs = rows.filter(({ host }) => host === 'hostile')
    expect(theirs.length).toBeGreaterThan(100)
    expect(theirs.length).toBeLessThanOrEqual(500)
    expect(theirs.every(({ id }) => id.endsWith('@hostile'))).toBe(true)
    expect(rows.filter(({ host }) => host === 'box1').map(({ name }) => name)).not.toContain('spoofed')
    expect(JSON.stringify(theirs[0]).length).toBeLessThan(200_000)
  })

  test('a box that floods is read at a bounded pace, and others are shown beside it', async () => {
    const watch = startLull(['watch', '--on', 'flood,box1', '--json'], fleet.env)
    const began = () =>
      watch
        .stdout()
        .split('\n')
        .filter(line => line.includes('"changed"')).length
    await watch.says('@box1')
    await until(began, count => count > 60, 'two seconds of changes')
    const at = performance.now()
    const before = began()
    await onBox(fleet.boxes.box1, 'send', 'work', 'sleep 3')
    await until(
      () => watch.stdout().split('\n'),
      lines => lines.some(line => line.includes('@box1"') && line.includes('"working"')),
      'the other box',
    )
    const seconds = (performance.now() - at) / 1000
    expect(began() - before).toBeLessThan(60 * (seconds + 2))
    watch.kill('SIGINT')
    await watch.ended
  })

  test('a wait ends by what the session does there, not by what is seen from here', async () => {
    const agent = await startStandIn()
    agent.status({ status: 'busy', sessionId: 's', statusUpdatedAt: Date.now() })
    await until(
      () => rowsOf('--on', 'box1'),
      rows => rows.some(row => row.pid === agent.pid && kindOf(row) === 'working'),
      'the agent',
    )
    const wait = startLull(['wait', `pid:${agent.pid}@box1`, '--timeout', '90s'], fleet.env)
    await wait.says('waiting since')
    agent.status({ status: 'idle', sessionId: 's', statusUpdatedAt: Date.now() })
    expect(await wait.ended).toMatchObject({ code: 0 })
  })

  test('a wait begins though its box is away, and goes on once that is there', async () => {
    const { box2 } = fleet.boxes
    await box2.kill()
    const waiting = call('wait', 'work@box2', '--for', 'idle', '--timeout', '60s')
    await box2.start()
    expect(await waiting).toMatchObject({ code: 0 })
  })

  describe('one that goes away while it is watched and waited for', () => {
    test.each(['is stopped', 'is killed'] as const)(
      '%s: unknown, never done; and as it is once it returns',
      async how => {
        const box = fleet.boxes.box2
        const agent = await startStandIn()
        agent.status({ status: 'busy', sessionId: 's', statusUpdatedAt: Date.now() })
        const row = await until(
          async () => (await rowsOf('--on', 'box2')).find(({ pid }) => pid === agent.pid),
          one => kindOf(one) === 'working',
          'the agent',
        )
        const id = row?.id as string
        const watch = startLull(['watch', '--on', 'box1,box2', '--json'], fleet.env)
        const wait = startLull(['wait', id, '--timeout', '110s'], fleet.env)
        const short = startLull(['wait', id, '--timeout', '20s'], fleet.env)
        await Promise.all([watch.says(id), wait.says('waiting since'), short.says('waiting since')])
        onTestFinished(async () => (how === 'is stopped' ? box.thaw() : undefined))
        if (how === 'is stopped') box.freeze()
        else await box.kill()
        agent.status({ status: 'idle', sessionId: 's', statusUpdatedAt: Date.now() })
        const rowsIn = (text: string): readonly Row[] =>
          text.split('\n').flatMap(line => {
            const { session } = line.includes('"changed"') ? (JSON.parse(line) as { session: Row }) : {}
            return session ? [session] : []
          })
        const unknown = await until(
          () => rowsIn(watch.stdout()).find(one => one.id === id && kindOf(one) === 'unknown'),
          one => one !== undefined,
          'the unknown row',
        )
        expect(unknown?.why).toContain('box2 is away')
        expect(await short.ended).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('became of the sessions: box2'),
        })
        expect(wait.isRunning()).toBe(true)
        const since = rowsIn(watch.stdout()).length
        expect(
          rowsIn(watch.stdout())
            .filter(one => one.id === id)
            .map(kindOf),
        ).not.toContain('idle')
        if (how === 'is stopped') box.thaw()
        else await box.start()
        expect(await wait.ended).toMatchObject({ code: 0 })
        await until(
          () => rowsIn(watch.stdout()).slice(since),
          rows => rows.some(one => one.id === id && kindOf(one) === 'idle'),
          'its return',
        )
        watch.kill('SIGINT')
        await watch.ended
      },
    )
  })
})
