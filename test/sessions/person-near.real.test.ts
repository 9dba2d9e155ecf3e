/** When a person was last at a pane of a real tmux, seen by a client on a terminal of its own. */
import { spawn } from '@lydell/node-pty'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Focus, readClients } from '../../src/os/tmux/tmux-clients.ts'
import { nearIn, personNear } from '../../src/sessions/person-near.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { bash, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

test('keys of a person count in the pane that they have before them; keys that are sent do not', async () => {
  const server = tmuxServer()
  const pane = server.start(...bash)
  const other = server.start(...bash)
  const at = async (of: string) => (await personNear({ tmux: server.socket, pane: of } as LiveSession))?.keyAt
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

describe('who is there', () => {
  const now = 1_000_000
  const at = (ago: number, focus: Focus) => ({ pane: '%1', signAt: now - ago, focus })
  test.each([
    [
      'who has just pressed a key',
      [at(5000, 'unreported')],
      { until: now + 55_000, seenAt: now, hasFocus: false },
    ],
    ['who has the focus', [at(5000, 'here')], { until: now + 55_000, seenAt: now, hasFocus: true }],
    ['who sits still', [at(90_000, 'here')], { until: now - 30_000, seenAt: now - 30_000, hasFocus: true }],
    ['who turned away', [at(5000, 'elsewhere')], { seenAt: now - 5000, hasFocus: false }],
    ['a program', [at(5000, 'program')], { until: now + 55_000, hasFocus: false }],
    ['a clock set back', [at(-90_000, 'unreported')], { hasFocus: false }],
    [
      'two, of whom one turned away',
      [at(9000, 'elsewhere'), at(70_000, 'here')],
      { until: now - 10_000, seenAt: now - 9000, hasFocus: true },
    ],
  ] as const)('%s', (_, clients, { ...expected }) => {
    const { keyAt: __, ...near } = nearIn(clients, '%1', now) ?? {}
    expect(near).toEqual(expected)
    expect(nearIn(clients, '%2', now)).toBeUndefined()
  })

  test.each([
    ['attached,focused,UTF-8', '1', '0', '256,focus,title', 'here'],
    ['attached,UTF-8', '1', '0', '256,focus,title', 'elsewhere'],
    ['attached,focused,UTF-8', '0', '0', '256,focus,title', 'unreported'],
    ['attached,focused', '1', '0', '', 'unreported'],
    ['attached,focused,suspended', '1', '0', 'focus', 'elsewhere'],
    ['attached,focused,control-mode', '1', '1', 'focus', 'program'],
  ])('%s, focus-events %s, control mode %s, of %s: %s', (flags, events, control, features, focus) => {
    const line = ['client', '100', '99', control, events, flags, features, '%1'].join('\t')
    expect(readClients(`%1\tclient\n${line}\n`)).toEqual([{ pane: '%1', signAt: 100_000, focus }])
  })
})
