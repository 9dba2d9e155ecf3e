/** OSC 7501 in tmux: an agent that asks is answered, anything else is not, and what is told is believed. */
import { chmodSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { kindOf, until } from '../support/until.ts'

/** Asks once it is told to, notes what comes back, then says that it is blocked, and stays. */
const asker = `#!/bin/bash
stty raw -echo
IFS= read -r -d '!'
printf '\\033]7501;?\\033\\\\'
IFS= read -r -d '\\\\' -t 60 answer
printf '%s' "$answer" | od -An -c | tr -d ' \\n' > "$1"
printf '\\033]7501;state=blocked:app=claude-code:kind=permission\\033\\\\'
sleep 60
`

const lives: LocalSessions[] = []
afterEach(async () => {
  for (const live of lives.splice(0)) await live.close()
})

describe.runIf(hasProgram('tmux'))('an agent in tmux', () => {
  const server = tmuxServer()
  const home = realpathSync(temporaryFolder())
  const script = temporaryFile('ask', asker)
  chmodSync(script, 0o755)

  function start(argv0: string): { readonly pane: string; readonly told: string } {
    const told = path.join(home, `answer-${argv0}`)
    const command = `exec -a ${argv0} /bin/bash ${script} ${told}`
    const pane = server
      .tmux('new-window', '-d', '-e', `HOME=${home}`, '-P', '-F', '#{pane_id}', command)
      .trim()
    return { pane, told }
  }
  const isHeard = (pane: string) =>
    server.tmux('display-message', '-p', '-t', pane, '#{pane_pipe}').trim() === '1'
  const asks = (pane: string) => server.tmux('send-keys', '-t', pane, '!')
  const answer = (file: string) => attempt(() => readFileSync(file, 'utf8')) ?? ''
  const watch = (answers7501: string): LocalSessions => {
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder(), answers7501 })
    lives.push(live)
    return live
  }

  test('that asks for a status terminal is answered, another program is not heard, and nobody attaches', async () => {
    const live = watch(server.socket)
    const mine = async () => (await live.list()).filter(({ tmux }) => tmux === server.socket)
    const [agent, other] = [start('claude'), start('vim')]
    await until(() => isHeard(agent.pane), Boolean, 'the pipe')
    for (const { pane } of [agent, other]) asks(pane)
    expect(
      await until(
        () => answer(agent.told),
        text => text !== '',
      ),
    ).toBe('033]7501;?033')
    const waiting = await until(mine, all => all.some(session => kindOf(session) === 'waiting'), 'its status')
    expect(waiting.find(session => kindOf(session) === 'waiting')?.session.verdict.because).toEqual(
      expect.arrayContaining([expect.objectContaining({ source: 'osc7501' })]),
    )
    expect(isHeard(other.pane)).toBe(false)
    expect(answer(other.told)).toBe('')
    expect(server.tmux('list-clients')).toBe('')
    await live.close()
    // A busy tmux does what it was asked for later.
    await until(
      () => isHeard(agent.pane),
      is => !is,
      'no pipe',
    )
  })

  test('of another server than the one that is meant is left alone', async () => {
    const { pane } = start('claude')
    const live = watch(path.join(home, 'another'))
    await until(
      () => live.list(),
      all => all.some(({ tmux, pane: its }) => tmux === server.socket && its === pane),
    )
    expect(isHeard(pane)).toBe(false)
  })
})
