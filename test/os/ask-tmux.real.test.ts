/** What a tmux server is asked: any byte in, and a clear end. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { areShown, moves } from '../../src/core/text/row-pattern.ts'
import { attempt } from '../../src/os/attempt.ts'
import { actIf, askTmux, pasteIf } from '../../src/os/tmux/ask-tmux.ts'
import { captureLines } from '../../src/os/tmux/capture.ts'
import { rowsShown, tmuxLine, tmuxWord } from '../../src/os/tmux/control-words.ts'
import { socketOf } from '../../src/os/tmux/socket-path.ts'
import { isRecent, listPanes } from '../../src/os/tmux/tmux-server.ts'
import { temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

describe('a word of a command', () => {
  test('keeps what tmux would read as something else', () => {
    expect(tmuxWord('a;"$HOME"\\~\n')).toBe('"a;\\042\\044HOME\\042\\134\\176\\012"')
    expect(tmuxLine(['display-message', '#{pane_id}'])).toBe('"display-message" "#{pane_id}"')
  })
  test('can’t hold a NUL', () => {
    expect(() => tmuxWord('a\0b')).toThrow(RangeError)
  })
})

describe('versions and sockets', () => {
  test.each([
    ['3.2', true],
    ['3.3a', true],
    ['next-3.6', true],
    ['10.0', true],
    ['master', true],
    ['openbsd-7.4', true],
    ['3.1c', false],
    ['2.9', false],
    ['', false],
  ])('tmux %j is recent: %j', (version, expected) => {
    expect(isRecent(version)).toBe(expected)
  })
  test('a socket is a path, a name, or what is around', () => {
    expect(socketOf('/tmp/x/../y', {})).toBe('/tmp/y')
    expect(socketOf('name', { TMUX_TMPDIR: '/run' })).toMatch(/^\/run\/tmux-\d+\/name$/)
    expect(socketOf(undefined, { TMUX: '/tmp/sock,123,0' })).toBe('/tmp/sock')
    expect(socketOf('other', { TMUX: '/tmp/sock,123,0' })).toMatch(/^\/tmp\/tmux-\d+\/other$/)
  })
})

describe.runIf(hasProgram('tmux'))('with a tmux server', () => {
  const server = tmuxServer()

  test('every byte survives on its way to a pane, and no buffer is left of it', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
    const file = path.join(temporaryFolder(), 'saved')
    const reads = `stty raw -echo; printf ready; head -c 256 > ${file}`
    const pane = server
      .tmux('new-window', '-d', '-t', 'main:', '-P', '-F', '#{pane_id}', 'sh', '-c', reads)
      .trim()
    await until(
      () => server.screen(pane),
      rows => rows.includes('ready'),
    )
    const buffer = { buffer: 'all', bytes, isPaste: false }
    expect(await pasteIf(server.socket, pane, ['0'], buffer)).toBe(false)
    expect(await pasteIf(server.socket, '%999', ['1'], buffer)).toBe(false)
    expect(server.tmux('list-buffers')).toBe('')
    expect(await pasteIf(server.socket, pane, ['1'], buffer)).toBe(true)
    await until(
      () => attempt(() => readFileSync(file)) ?? bytes.subarray(0, 0),
      held => held.length === 256,
    )
    // As a keyboard does, tmux sends a carriage return for the end of a line.
    expect(readFileSync(file)).toEqual(bytes.map(byte => (byte === 10 ? 13 : byte)))
    expect(server.tmux('list-buffers')).toBe('')
  })

  test('a refusal is told from a server that is not there', async () => {
    await expect(askTmux(server.socket, 'list-panes', '-t', 'nowhere')).rejects.toMatchObject({
      code: 'REFUSED',
    })
    await expect(askTmux('/nowhere/socket', 'list-panes')).rejects.toMatchObject({ code: 'ENDED' })
  })

  test('does something only if it is true at that moment', async () => {
    const [pane] = await listPanes(server.socket)
    const id = pane?.id ?? ''
    const does = (of: string, condition: string, value: string) =>
      actIf(server.socket, of, [condition], 'set-option', '-p', '-t', id, '@mark', value)
    expect(await does(id, `#{==:#{pane_pid},${pane?.pid}}`, 'yes')).toBe(true)
    expect(await does(id, '#{==:#{pane_pid},1}', 'no')).toBe(false)
    expect(await does('%999', `#{==:#{pane_pid},${pane?.pid}}`, 'no')).toBe(false)
    await expect(actIf(server.socket, id, [], 'no-such-command')).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await askTmux(server.socket, 'display-message', '-p', '-t', id, '#{@mark}')).toBe('yes\n')
  })

  test('does nothing of what it was asked for before it stood still, once nobody waits for that any more', async () => {
    const id = (await listPanes(server.socket))[0]?.id ?? ''
    const pid = Number(await askTmux(server.socket, 'display-message', '-p', '#{pid}'))
    const mark = () => askTmux(server.socket, 'display-message', '-p', '-t', id, '#{@late}')
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(pid, 'SIGCONT'))
    const begun = performance.now()
    const asked = actIf(server.socket, id, [], 'set-option', '-p', '-t', id, '@late', 'yes')
    await expect(asked).rejects.toMatchObject({ code: 'NO_ANSWER' })
    await until(
      () => performance.now() - begun,
      waited => waited > 4000,
    )
    process.kill(pid, 'SIGCONT')
    expect(await mark()).toBe('\n')
    expect(await actIf(server.socket, id, [], 'set-option', '-p', '-t', id, '@late', 'now')).toBe(true)
    expect(await mark()).toBe('now\n')
  })

  /** A pane that shows these rows, and whether tmux and JavaScript find others on it. */
  async function paneWith(rows: readonly string[]) {
    const folder = temporaryFolder()
    writeFileSync(path.join(folder, 'rows'), rows.join('\n'))
    const shows = ['sh', '-c', `cat ${folder}/rows; read -r line`]
    const id = server
      .tmux('new-session', '-d', '-x', '120', '-y', '60', '-P', '-F', '#{pane_id}', ...shows)
      .trim()
    await until(
      () => captureLines(server.socket, id, rows.length),
      lines => lines.length === rows.length,
    )
    return async (...wanted: readonly string[]) => {
      const isFound = await actIf(
        server.socket,
        id,
        rowsShown(wanted),
        'set-option',
        '-p',
        '-t',
        id,
        '@seen',
        'yes',
      )
      expect([wanted, areShown(wanted, rows)]).toEqual([wanted, isFound])
      return isFound
    }
  }

  test('knows whether rows stand on a pane, whatever they are made of', async () => {
    const rows = [
      '│ Do you want to run "rm -rf a,b #{x}" (y/n)? │',
      '  ❯ 1. Yes, né 日本語; [ab]*\\ %s',
      '  2. No',
      '⠏ Waiting since 12s for a{2} ^$ + | end                     1m 2s',
    ]
    const isShown = await paneWith(rows)
    const bare = ['Do you want to run "rm -rf a,b #{x}" (y/n)?', '1. Yes, né 日本語; [ab]*\\ %s', '2. No']
    expect(await isShown(...rows)).toBe(true)
    expect(await isShown(...bare)).toBe(true)
    expect(await isShown(`Waiting since ${moves} for a{2} ^$ + | end ${moves}`)).toBe(true)
    expect(await isShown(...Array.from({ length: 40 }, () => rows).flat())).toBe(true)
    expect(await isShown('', '────')).toBe(true)
    expect(await isShown('#(')).toBe(false)
    expect(await isShown(...rows, 'Do you want to run rm -rf a c')).toBe(false)
    expect(await isShown('2 No 1')).toBe(false)
    expect(await isShown('Do you want', 'no such row')).toBe(false)
  })

  test('a row is that row alone: each sign counts, and nothing stands before it, behind it or between', async () => {
    const signs = Array.from({ length: 0x7f - 0x21 }, (_, n) => String.fromCharCode(0x21 + n))
    const both = signs.map((sign, n) => [`a${sign}b`, `a${signs[(n + 1) % signs.length]}b`] as const)
    const isShown = await paneWith(
      [signs.filter((_, n) => n % 2 === 0), signs.filter((_, n) => n % 2 > 0)].map(some => some.join('')),
    )
    for (const half of [0, 1]) {
      const some = both.filter((_, n) => n % 2 === half)
      const shows = await paneWith(some.map(([is]) => is))
      for (const [is, other] of some) {
        expect(await shows(is)).toBe(true)
        expect(await shows(other)).toBe(false)
      }
    }
    expect(await isShown(signs.filter((_, n) => n % 2 === 0).join(''))).toBe(true)
    const blanks = await paneWith(['Quelle base\u00a0?', '本番に\u3000出しますか', '  ./*', 'x 1h ..'])
    expect(await blanks('Quelle base\u00a0?', '本番に\u3000出しますか', './*')).toBe(true)
    for (const other of ['Quelle base ?', '/*', `x ${moves}`])
      expect([other, await blanks(other)]).toEqual([other, false])
    const commands = await paneWith([
      'rm -rf ~ / build',
      '│ git push --force │',
      'curl x | sh',
      '| sh',
      'cd /; rm x',
    ])
    for (const shorter of ['rm build', 'rm -rf build', 'git push', 'curl x', 'sh', 'rm x', 'cd / rm x'])
      expect([shorter, await commands(shorter)]).toEqual([shorter, false])
    expect(await commands('rm -rf ~ / build', 'git push --force', '| sh')).toBe(true)
  })
})
