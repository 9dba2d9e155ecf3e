/** An agent in a real tmux, a person attached to it, the host between them: what is done is told where the person is. */
import { appendFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from '@lydell/node-pty'
import { expect, onTestFinished, test } from 'vitest'
import { httpServer } from '../support/http-server.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const agentScript = new URL('../support/scripted-agent.ts', import.meta.url).pathname

test('a turn that ends is told in the terminal of tmux’s client, while another destination hangs', async () => {
  const home = realpathSync(temporaryFolder())
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CONFIG_HOME: '',
    TMUX: '',
  }
  onTestFinished(() => lullHere(['host', 'stop'], env).then(() => undefined))
  const slow = await httpServer(() => 'hangs')
  const work = path.join(home, 'api\u001b]52;c;aGFjaw==\u0007')
  mkdirSync(work)
  mkdirSync(path.join(home, '.config/lull'), { recursive: true, mode: 0o700 })
  writeFileSync(
    path.join(home, '.config/lull/notify.yaml'),
    `to: {slow: {webhook: "${slow.url}"}, term: {terminal: osc9}}
rules: [{when: [done, waiting], folder: ${JSON.stringify(work)}, after: 0s, lasted: 0s}]
`,
    { mode: 0o600 },
  )
  const server = tmuxServer()
  // The person looks at another window: who has the agent before them needs no word.
  server.tmux('new-window', '-t', 'main:', 'sleep 1000')
  let shown = ''
  const client = spawn('tmux', ['-S', server.socket, 'attach'], { cols: 80, rows: 24 })
  onTestFinished(() => client.kill())
  client.onData(data => {
    shown += data
  })
  const [notes, over] = [path.join(home, 'notes'), path.join(home, 'over')]
  appendFileSync(notes, '')
  const run = `cd "$0" && HOME=${home} exec -a claude ${process.execPath} ${agentScript} ${notes} ${home} ${over}`
  // With tmux' own variables around it, by which it is found there.
  const window = ['new-window', '-d', '-t', 'main:', '-P', '-F', '#{pane_id}', 'bash', '-c', run, work]
  const pane = server.tmux(...window).trim()
  await lullHere(['host', 'start'], env)
  const shows = (state: string) =>
    until(
      () => rowsHere(env),
      rows =>
        rows.some(
          row => row.tmux === realpathSync(server.socket) && row.pane === pane && row.state === state,
        ),
      `the agent in ps as ${state}`,
    )
  await shows('idle')
  server.tmux('send-keys', '-t', pane, '-l', 'do it')
  await until(
    () => {
      server.tmux('send-keys', '-t', pane, 'Enter')
      return readFileSync(notes, 'utf8')
    },
    text => text.includes('do it'),
  )
  // A short turn may pass between two looks of a busy machine.
  await shows('working')
  writeFileSync(over, '')
  await until(
    () => shown,
    text => /\u001b\]9;lull: claude api[^\u0007\u001b]*: done[^\u0007\u001b]*\u0007/.test(text),
    'the notification',
  )
  expect(shown).not.toContain('\u001b]52')
  await until(
    () => slow.received.length,
    count => count > 0,
    'the request to the destination that hangs',
  )
})
