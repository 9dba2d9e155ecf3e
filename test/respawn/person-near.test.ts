/** When a person was last at a pane of a real tmux, seen by a client on a terminal of its own. */
import { spawn } from '@lydell/node-pty'
import { expect, onTestFinished, test } from 'vitest'
import { personAt } from '../../src/respawn/person-near.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { bash, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

test('keys of a person count in the pane that they have before them; keys that are sent do not', async () => {
  const server = tmuxServer()
  const pane = server.start(...bash)
  const other = server.start(...bash)
  const at = (of: string) => personAt({ tmux: server.socket, pane: of } as LiveSession)
  server.tmux('send-keys', '-t', pane, 'x')
  expect(await at(pane)).toBeUndefined()
  server.tmux('select-window', '-t', pane)
  const client = spawn('tmux', ['-S', server.socket, 'attach'], { cols: 80, rows: 24 })
  onTestFinished(() => client.kill())
  const came =
    (await until(
      () => at(pane),
      found => found !== undefined,
    )) ?? 0
  // tmux tells whole seconds.
  await until(
    async () => Date.now(),
    now => now > came + 2000,
  )
  server.tmux('send-keys', '-t', pane, 'y')
  expect(await at(pane)).toBe(came)
  client.write('z')
  await until(
    () => at(pane),
    (found = 0) => found > came,
  )
  expect(await at(other)).toBeUndefined()
})
