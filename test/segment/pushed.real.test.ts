/** The segment in the status line of a real tmux, as a host pushes it: where the person's tmux.conf asks for it, and nowhere else. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readStat } from '../../src/os/proc/stat.ts'
import { defaultName, socketNamed } from '../../src/os/tmux/socket-path.ts'
import { pushSegment } from '../../src/segment/push-segment.ts'
import { shownFormat } from '../../src/segment/step/push-step.ts'
import { realClock } from '../../src/track/clock.ts'
import { fakeServer } from '../support/fake-tmux.ts'
import { fakeLive, permission, withVerdict } from '../support/live.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const hostile = '#(touch pwned)#[fg=red]#{pid}%H web'

/** @param isHidden whether no other host finds the server: hosts of other tests find this agent as well, and ask the server around it */
function world({ isHidden = false } = {}) {
  const env = {
    ...ownPlaces(),
    HOME: temporaryFolder(),
    XDG_CONFIG_HOME: '',
    TMUX: '',
    TMUX_TMPDIR: temporaryFolder(),
  }
  onTestFinished(() => lullHere(['host', 'stop'], env).then(() => undefined))
  const home = realpathSync(temporaryFolder())
  const ownDefault = socketNamed(defaultName, env)
  mkdirSync(path.dirname(ownDefault), { mode: 0o700 })
  const server = tmuxServer([120, 20], isHidden ? ownDefault : undefined)
  const cwd = path.join(home, hostile)
  mkdirSync(cwd)
  const idle = 'setInterval(() => {}, 1e6)'
  const run = `cd "$0" && ${isHidden ? 'unset TMUX; ' : ''}HOME=${home} exec -a claude "${process.execPath}" -e "${idle}"`
  const format = '#{pane_pid}'
  const pid = Number(
    server.tmux('new-window', '-d', '-t', 'main:', '-P', '-F', format, 'bash', '-c', run, cwd),
  )
  const says = (status: string) => {
    mkdirSync(path.join(home, '.claude/sessions'), { recursive: true })
    const file = path.join(home, `.claude/sessions/${pid}.json`)
    const at = {
      pid,
      procStart: readStat(pid)?.startTicks,
      sessionId: `s${pid}`,
      cwd,
      statusUpdatedAt: Date.now(),
    }
    const asks = status === 'waiting' ? { waitingFor: 'permission prompt' } : {}
    writeFileSync(file, JSON.stringify({ ...at, status, ...asks }))
  }
  const option = (name: string) => server.tmux('show-options', '-gqv', name).trimEnd()
  const shown = () => server.tmux('display-message', '-p', `#{T:status-right}`)
  return { env, home, server, says, option, shown, run: (...args: readonly string[]) => lullHere(args, env) }
}

describe.runIf(process.platform === 'linux')('the host', () => {
  test('pushes it as sessions change, runs no word of theirs, and takes it back at its end', async () => {
    const { env, server, says, option, shown, run } = world({ isHidden: true })
    says('waiting')
    expect((await run('tmux', 'install', '--bind', 'g')).code).toBe(0)
    server.tmux('source-file', path.join(env.HOME, '.tmux.conf'))
    server.tmux('source-file', path.join(env.HOME, '.tmux.conf'))
    expect(server.tmux('list-keys', '-T', 'prefix', 'g')).toMatch(/run-shell "?.*go/)
    expect(option('status-right').split('#{@lull}')).toHaveLength(2)
    // As unsafe as a person can have it: what the option holds is itself read as a format. No clock, which goes on meanwhile.
    const withoutClock = option('status-right').replace(/%[A-Za-z]/g, '')
    server.tmux('set-option', '-g', 'status-right', `${withoutClock} #{T:@lull} #{T:@control}`)
    await run('host', 'start')
    const text = await until(
      () => option('@lull'),
      said => said.includes('wait'),
      'the segment',
    )
    expect(text).toMatch(/^#\[fg=yellow\]\d+ wait \([\p{L}\p{N}._:@+ -]{1,16}\)#\[fg=default\]/u)
    // Agents of other tests come and go meanwhile, and the text with them.
    await until(
      () => [option('@lull'), shown()] as const,
      ([now, line]) => now !== '' && line.includes(now),
      'the segment in the line',
    )
    says('busy')
    await until(
      () => option('@lull'),
      said => said !== text && said.includes('work'),
      'what it does since',
    )
    // A command in a format that is not made safe would have been run by then.
    const made = path.join(env.HOME, 'made')
    server.tmux('set-option', '-g', '@control', `#(touch ${made})`)
    await until(
      () => {
        shown()
        return existsSync(made)
      },
      isThere => isThere,
      'the control',
    )
    expect(
      existsSync(path.join(server.tmux('display-message', '-p', '#{pane_current_path}').trim(), 'pwned')),
    ).toBe(false)
    await run('host', 'stop')
    // A host does not wait long for a server that is slow to take it.
    await until(
      () => [option('@lull'), option('@lull-until')].join(),
      left => left === ',',
      'that it is taken back',
    )
  })

  test('sets nothing where nobody asked for it, and takes it up once they do', async () => {
    const { server, says, option, run } = world()
    says('waiting')
    await run('host', 'start')
    await until(
      () => run('tmux', '--plain').then(({ stdout }) => stdout),
      text => text.includes('wait'),
      'the segment of lull tmux',
    )
    expect(server.tmux('show-options', '-g').match(/@lull/g)).toBeNull()
    server.tmux('set-option', '-g', '@lull-push', 'on')
    await until(
      () => option('@lull'),
      said => said.includes('wait'),
      'the segment',
    )
  })
})

test('a host takes it back also from a server that did not answer the push', async () => {
  const { socket, received } = await fakeServer()
  const { live, tell } = fakeLive()
  const segment = await pushSegment({
    env: { TMUX_TMPDIR: temporaryFolder() },
    sessions: live,
    clock: realClock(),
  })
  tell({ type: 'changed', session: withVerdict({ state: permission }, { tmux: socket }) })
  const asked = () => received().toString()
  await until(asked, text => text.includes('1 wait'), 'the push')
  await segment.close()
  // A host does not wait long for a server that is slow to take it.
  await until(asked, text => text.includes('"set-option" "-gu" "@lull"'), 'that it is taken back')
})

test('of a host that was killed the line says that it is gone', () => {
  const server = tmuxServer()
  const shown = () => server.tmux('display-message', '-p', '#{T:@format}').trim()
  server.tmux('set-option', '-g', '@format', shownFormat)
  expect(shown()).toBe('')
  server.tmux('set-option', '-g', '@lull', '#(touch pwned)')
  server.tmux('set-option', '-g', '@lull-until', String(Math.floor(Date.now() / 1000) + 1000))
  expect(shown()).toBe('#(touch pwned)')
  server.tmux('set-option', '-g', '@lull-until', String(Math.floor(Date.now() / 1000) - 1))
  expect(shown()).toBe('lull: no host')
})
