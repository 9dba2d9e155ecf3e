/** OSC 7501 in tmux: an agent that asks is answered, anything else is not, and what is told is believed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readControlLine } from '../../src/os/tmux/control-lines.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { kindOf, until } from '../support/until.ts'

const hasTmux = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux')
  } catch {
    return false
  }
})()

describe('a line of a control client', () => {
  test('holds bytes in octal', () => {
    const read = readControlLine('%output %3 a\\033]7501;?\\033\\134b\\303\\251')
    expect(read).toMatchObject({ type: 'output', pane: '%3' })
    expect(read?.type === 'output' && read.bytes.toString()).toBe('a\u001b]7501;?\u001b\\bé')
  })
  test.each(['%output', '%output x y', '%begin 1 2 3', '', 'anything'])(
    'or nothing of interest: %j',
    line => {
      expect(readControlLine(line)).toBeUndefined()
    },
  )
})

/** Asks, notes what comes back in 2 s, then says that it is blocked, and stays. */
const asker = `#!/bin/bash
stty raw -echo
printf '\\033]7501;?\\033\\\\'
IFS= read -r -d '\\\\' -t 5 answer
printf '%s' "$answer" | od -An -c | tr -d ' \\n' > "$1"
printf '\\033]7501;state=blocked:app=claude-code:kind=permission\\033\\\\'
sleep 60
`

const servers: string[] = []
const lives: LocalSessions[] = []
afterEach(async () => {
  // The control client ends before its server.
  for (const live of lives.splice(0)) await live.close()
  for (const name of servers.splice(0)) execFileSync('tmux', ['-L', name, 'kill-server'])
})

describe.runIf(hasTmux)('an agent in tmux', () => {
  test('that asks for a status terminal is answered, another program is not', async () => {
    const name = `lull-test-${process.pid}`
    servers.push(name)
    const home = realpathSync(temporaryFolder())
    const script = temporaryFile('ask', asker)
    chmodSync(script, 0o755)
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], { encoding: 'utf8' })
    const asks = (argv0: string): string => {
      const told = path.join(home, `answer-${argv0}`)
      tmux('new-window', '-d', '-e', `HOME=${home}`, `exec -a ${argv0} /bin/bash ${script} ${told}`)
      return told
    }
    tmux('new-session', '-d', '-e', `HOME=${home}`, 'exec -a claude /bin/bash -c "read -r _"')
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder(), answers7501: true })
    lives.push(live)
    const mine = async () => (await live.list()).filter(({ tmux: socket }) => socket?.endsWith(name))
    await until(mine, found => found.length === 1, 'the agent that was there')
    await until(
      () => tmux('list-clients'),
      clients => clients !== '',
      'the control client',
    )
    const [agent, other] = [asks('claude'), asks('vim')]
    const read = (file: string) => () => {
      try {
        return execFileSync('cat', [file], { encoding: 'utf8', stdio: 'pipe' })
      } catch {
        return ''
      }
    }
    expect(await until(read(agent), text => text !== '')).toBe('033]7501;?033')
    const waiting = await until(mine, all => all.some(session => kindOf(session) === 'waiting'), 'its status')
    expect(waiting.find(session => kindOf(session) === 'waiting')?.session.verdict.because).toEqual(
      expect.arrayContaining([expect.objectContaining({ source: 'osc7501' })]),
    )
    // It gives up by itself after 5 s.
    expect(
      await until(
        () =>
          execFileSync('sh', ['-c', `test -e ${other} && wc -c < ${other} || echo no`], {
            encoding: 'utf8',
          }).trim(),
        text => text !== 'no',
      ),
    ).toBe('0')
  })
})
