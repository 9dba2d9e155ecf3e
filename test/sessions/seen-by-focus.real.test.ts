/** A person before a real tmux, whose terminal tells of its focus: what they look at is seen, and nothing else is. */
import { appendFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const agentScript = new URL('../support/scripted-agent.ts', import.meta.url).pathname
const [focusIn, focusOut] = ['\u001b[I', '\u001b[O']

async function world() {
  const [env, home, server] = [ownPlaces(), realpathSync(temporaryFolder()), tmuxServer()]
  onTestFinished(() => lullHere(['host', 'stop'], env).then(() => undefined))
  const work = path.join(home, 'api')
  mkdirSync(work)
  server.tmux('set-option', '-g', 'focus-events', 'on')
  const client = spawn('tmux', ['-S', server.socket, 'attach', '-t', 'main:0'], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    env: { ...process.env, TMUX: '' },
  })
  onTestFinished(() => client.kill())
  const flags = () => server.tmux('list-clients', '-F', '#{client_flags} #{client_termfeatures}')
  await until(flags, text => text.includes('focus,'), 'a client whose terminal tells of its focus')
  const focus = async (bytes: string) => {
    client.write(bytes)
    await until(flags, text => text.includes('focused') === (bytes === focusIn), 'the focus')
  }
  const [notes, over] = [path.join(home, 'notes'), path.join(home, 'over')]
  appendFileSync(notes, '')
  const run = `cd "$0" && HOME=${home} exec -a claude ${process.execPath} ${agentScript} ${notes} ${home} ${over}`
  const window = ['new-window', '-d', '-t', 'main:', '-P', '-F', '#{pane_id}', 'bash', '-c', run, work]
  const pane = server.tmux(...window).trim()
  const row = async () => (await rowsHere(env)).find(one => one.pane === pane && one.cwd === work) ?? {}
  /** It lasts until a host has seen it: a short one may pass between two looks of a busy machine. */
  const turn = async () => {
    server.tmux('send-keys', '-t', pane, '-l', 'do it')
    await until(
      () => {
        server.tmux('send-keys', '-t', pane, 'Enter')
        return readFileSync(notes, 'utf8')
      },
      text => text.includes('do it'),
    )
    await until(row, ({ state }) => state === 'working', 'the turn')
    writeFileSync(over, '')
  }
  /** A turn that only its transcript tells of. */
  const writtenTurn = () => {
    const folder = path.join(home, '.claude/projects/-api')
    mkdirSync(folder, { recursive: true })
    const at = { timestamp: new Date().toISOString(), cwd: work, sessionId: 's1' }
    const message = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] }
    const rows = [
      { type: 'user', ...at, message: { role: 'user', content: 'go' } },
      { type: 'assistant', ...at, message },
    ]
    appendFileSync(path.join(folder, 's1.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  }
  return { server, env, pane, focus, row, turn, writtenTurn, notes }
}

describe.runIf(process.platform === 'linux')('a pane that has the focus', () => {
  test('is seen, and stays so once the person has turned to another one', async () => {
    const { server, pane, focus, row, writtenTurn, notes } = await world()
    await focus(focusOut)
    await until(row, ({ state }) => state === 'idle', 'the agent')
    writtenTurn()
    await until(row, ({ need }) => need === 'look', 'done and unseen')
    // It comes to the front of a window behind which nobody sits.
    server.tmux('select-window', '-t', pane)
    expect(await row()).toMatchObject({ need: 'look', seen: false })
    await focus(focusIn)
    expect(await row()).toMatchObject({ need: 'instruction', seen: true })
    server.tmux('select-window', '-t', 'main:0')
    expect(await row()).toMatchObject({ need: 'instruction', seen: true })
    expect(readFileSync(notes, 'utf8')).toBe('')
  })

  test('is seen by a host as well, and another pane is not', async () => {
    const { server, pane, focus, row, turn, env } = await world()
    await lullHere(['host', 'start'], env)
    await until(row, ({ state }) => state === 'idle', 'the agent')
    await turn()
    await until(row, ({ need }) => need === 'look', 'done and unseen, with the focus in another window')
    server.tmux('select-window', '-t', pane)
    await focus(focusIn)
    await until(row, ({ need }) => need === 'instruction', 'seen')
  })
})
