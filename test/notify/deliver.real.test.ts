/** What is really sent: to servers on loopback, to programs that stand in for others. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { deliver } from '../../src/notify/deliver/deliver.ts'
import type { Destination } from '../../src/notify/rules/destination-fields.ts'
import type { Outgoing } from '../../src/notify/step/compose-step.ts'
import { httpServer } from '../support/http-server.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const hostile = '<!channel> $(touch pwned) `id` "; rm -rf / & <b>x</b> -e'
const message: Outgoing = {
  id: 'run-1',
  withdrawn: false,
  urgent: true,
  title: `claude api: ${hostile}`,
  text: `“${hostile}”\nlull go abcd1234`,
  count: 1,
  sessions: [],
}
const over = { ...message, withdrawn: true }
const around = { env: { PATH: '/usr/bin:/bin' }, sockets: [] }
const send = (to: Destination, what = message, more: object = {}, ref?: string) =>
  deliver(to, what, { ...around, ...more }, ref)

describe('to an address', () => {
  test('a webhook gets all of it as JSON, and again that it is over', async () => {
    const { received, url } = await httpServer()
    const to = { by: 'webhook', url: `${url}/hook?x=1`, format: 'json' } as const
    expect(await send(to)).toEqual({ is: 'done' })
    expect(await send(to, over)).toEqual({ is: 'done' })
    expect(received).toMatchObject([
      { path: '/hook?x=1', body: message },
      { body: { id: 'run-1', withdrawn: true } },
    ])
  })

  test('Slack gets a text in which nothing is a command, and nothing when it is over', async () => {
    const { received, url } = await httpServer()
    const to = { by: 'webhook', url, format: 'slack' } as const
    await send(to)
    expect(await send(to, over)).toEqual({ is: 'nothing' })
    expect(received).toHaveLength(1)
    expect(received[0]?.body.text).toContain('&lt;!channel&gt; $(touch pwned)')
    expect(received[0]?.body.text).not.toContain('<')
  })

  test('ntfy gets its topic, and the later message takes the place of the first without a sound', async () => {
    const { received, url } = await httpServer()
    const token = temporaryFile('token', 'tk_abc\n')
    const to = { by: 'ntfy', url: `${url}/base/my-topic`, tokenFile: token } as const
    await send(to)
    await send(to, { ...over, title: 'over: x' })
    expect(received).toMatchObject([
      {
        path: '/base/',
        headers: { authorization: 'Bearer tk_abc' },
        body: {
          topic: 'my-topic',
          title: message.title,
          message: message.text,
          priority: 5,
          sequence_id: 'run-1',
        },
      },
      { body: { topic: 'my-topic', title: 'over: x', priority: 1, sequence_id: 'run-1' } },
    ])
  })

  test('a message whose links can’t be made is sent without them', async () => {
    const { received, url } = await httpServer()
    const to = { by: 'ntfy', url: `${url}/topic`, answerAt: 'https://box.test' } as const
    const asks = { ...message, sessions: [{ id: 'one', is: 'waiting' }] } as unknown as Outgoing
    const offer = async () => {
      throw new RangeError('Maximum call stack size exceeded')
    }
    expect(await send(to, asks, { offer })).toEqual({ is: 'done' })
    expect(received).toMatchObject([{ body: { message: message.text, click: 'https://box.test/#/s/one' } }])
    expect(received[0]?.body).not.toHaveProperty('actions')
  })

  test('a redirect is not followed, with or without a token', async () => {
    const elsewhere = await httpServer()
    const { url } = await httpServer(() => ({ status: 307, to: elsewhere.url }))
    const tokenFile = temporaryFile('token', 'tk_abc')
    expect(await send({ by: 'webhook', url, format: 'json', tokenFile })).toMatchObject({
      is: 'failed',
      why: expect.stringMatching(/answered 307, and leads elsewhere/),
    })
    expect(elsewhere.received).toEqual([])
  })

  test('a refusal is told in a line, without the token that it repeats', async () => {
    const { url } = await httpServer(() => ({
      status: 403,
      text: `no ${'tk_abc'}\u001b[2J\n${'x'.repeat(1e6)}`,
    }))
    const tokenFile = temporaryFile('token', 'tk_abc')
    const came = await send({ by: 'ntfy', url: `${url}/t`, tokenFile })
    expect(came).toMatchObject({ is: 'failed', why: expect.stringContaining('answered 403: no [redacted]') })
    expect(JSON.stringify(came).length).toBeLessThan(400)
    expect(JSON.stringify(came)).not.toMatch(/\\u001b|tk_abc/)
  })

  test('one that hangs is given up after ten seconds, or when the host ends', async () => {
    const late = new AbortController()
    const { url, received } = await httpServer(() => {
      late.abort()
      return 'hangs'
    })
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    const to = { by: 'webhook', url, format: 'json' } as const
    expect(await send(to)).toMatchObject({ why: expect.stringContaining('did not answer within 10 s') })
    expect(timeout).toHaveBeenCalledWith(10_000)
    timeout.mockRestore()
    const hand = new AbortController()
    const sent = send(to, message, { signal: hand.signal })
    await until(
      () => received.length,
      count => count === 2,
    )
    hand.abort()
    expect(await sent).toMatchObject({ is: 'failed' })
  })

  test('nobody there, and a token that is missing', async () => {
    expect(await send({ by: 'webhook', url: 'http://127.0.0.1:1/', format: 'json' })).toMatchObject({
      why: expect.stringMatching(/127\.0\.0\.1:1 can’t be reached: /),
    })
    expect(await send({ by: 'ntfy', url: 'http://127.0.0.1:1/t', tokenFile: '/nowhere' })).toEqual({
      is: 'failed',
      why: 'its token can’t be read: /nowhere',
    })
  })
})

/** A program on a PATH of its own that notes its arguments, and says what the test wants. */
function standIn(name: string, script = 'echo 42'): { readonly env: NodeJS.ProcessEnv; calls(): string[][] } {
  const folder = temporaryFolder()
  const notes = path.join(folder, 'notes')
  const file = path.join(folder, name)
  writeFileSync(
    file,
    `#!/bin/sh\n{ for word; do printf '%s\\0' "$word"; done; printf '\\1'; } >> ${notes}\n${script}\n`,
  )
  chmodSync(file, 0o755)
  return {
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder },
    calls: () =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .split('\u0001')
            .slice(0, -1)
            .map(call => call.split('\0').slice(0, -1))
        : [],
  }
}

describe('on open pages', () => {
  const page = { by: 'page' } as const

  test('the words are shown, with the session that they are of', async () => {
    const shown: object[] = []
    const show = async (notice: object) => shown.push(notice) > 0
    const who: Pick<Outgoing['sessions'][number], 'id' | 'agent' | 'is'> = {
      ...{ id: 'abcd1234', agent: 'claude' },
      is: 'waiting',
    }
    const session = { ...who, what: 'waiting for a permission', held: 12, go: 'lull go abcd1234' }
    const { sessions: _, ...words } = message
    const sessions = [session]
    expect(await send(page, { ...message, sessions }, { show })).toEqual({ is: 'done' })
    expect(shown).toEqual([{ ...words, session: 'abcd1234' }])
    const digest = { ...message, sessions: [session, session], count: 2 }
    expect(await send(page, digest, { show })).toEqual({ is: 'done' })
    expect(shown[1]).toEqual({ ...words, count: 2 })
  })

  test('that are none is a failure, but for a message that is over', async () => {
    const show = async () => false
    expect(await send(page, message, { show })).toEqual({
      ...{ is: 'failed', why: expect.stringContaining('no page') },
    })
    expect(await send(page, message, {})).toMatchObject({ is: 'failed' })
    expect(await send(page, over, { show })).toEqual({ is: 'nothing' })
  })
})

describe('on the desktop', () => {
  const desktop = { by: 'desktop' } as const

  test('notify-send gets words, its markup escaped, and closes what it showed', async () => {
    const { env, calls } = standIn('notify-send')
    const how = { env, platform: 'linux' }
    expect(await send(desktop, message, how)).toEqual({ is: 'done', ref: '42' })
    expect(await send(desktop, { ...over, title: '-over' }, how, '42')).toMatchObject({ is: 'done' })
    expect(await send(desktop, over, how)).toEqual({ is: 'nothing' })
    const escaped = message.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(calls()).toEqual([
      ['--app-name=lull', '--urgency=critical', '--print-id', '--', message.title, escaped],
      [
        '--app-name=lull',
        '--urgency=low',
        '--expire-time=1000',
        '--print-id',
        '--replace-id=42',
        '--',
        '-over',
        '',
      ],
    ])
  })

  test('an old one that knows no ids shows it all the same', async () => {
    const { env, calls } = standIn(
      'notify-send',
      'case "$*" in *--print-id*) echo "Unknown option --print-id" >&2; exit 1;; esac',
    )
    expect(await send(desktop, message, { env, platform: 'linux' })).toEqual({ is: 'done' })
    expect(calls()).toHaveLength(2)
  })

  test('osascript gets the texts as arguments, none as a part of its script', async () => {
    const { env, calls } = standIn('osascript', '')
    expect(await send(desktop, message, { env, platform: 'darwin' })).toEqual({ is: 'done' })
    expect(calls()[0]?.slice(-2)).toEqual([message.title, message.text])
    expect(calls()[0]?.slice(0, -2).join(' ')).not.toContain('touch')
  })

  test('one that is missing, or fails, is named', async () => {
    expect(await send(desktop, message, { env: { PATH: temporaryFolder() }, platform: 'linux' })).toEqual({
      is: 'failed',
      why: 'notify-send: no such command',
    })
    const { env } = standIn('notify-send', 'echo "no \\033[31mbus" >&2; exit 3')
    expect(await send(desktop, message, { env, platform: 'linux' })).toEqual({
      is: 'failed',
      why: expect.stringMatching(/^notify-send ended by exit code 3: no .*bus$/),
    })
  })
})

describe('a command', () => {
  test('gets JSON on stdin and lines in its environment, and nothing of it is run', async () => {
    const out = path.join(temporaryFolder(), 'out')
    const script = temporaryFile('tell', `#!/bin/sh\n{ cat; echo "$LULL_NOTIFY_TITLE"; pwd; } > ${out}\n`)
    chmodSync(script, 0o755)
    expect(await send({ by: 'command', words: [script] })).toEqual({ is: 'done' })
    const [json = '', title, cwd] = readFileSync(out, 'utf8').split('\n')
    expect(JSON.parse(json)).toEqual(message)
    expect([title, cwd]).toEqual([message.title, '/'])
    expect(existsSync('/pwned')).toBe(false)
    expect(await send({ by: 'command', words: [script] }, over)).toEqual({ is: 'nothing' })
  })

  test('that writes without end, or does not read, is no harm', async () => {
    const script = temporaryFile('tell', '#!/bin/sh\nhead -c 20000000 /dev/zero >&2\nexit 1\n')
    chmodSync(script, 0o755)
    expect(await send({ by: 'command', words: [script] })).toMatchObject({ is: 'failed' })
  })

  test('that does not end is ended', async () => {
    const hand = new AbortController()
    const sent = send({ by: 'command', words: ['sleep', '1000'] }, message, { signal: hand.signal })
    setImmediate(() => hand.abort())
    expect(await sent).toMatchObject({ is: 'failed', why: 'sleep did not end within 10 s' })
  })
})
