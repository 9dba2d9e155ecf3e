/** Titles in tmux, which nobody has to configure: whose they are, when they count, and that nobody attaches. */
import { chmodSync, realpathSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { type SeenTitle, stepTitle } from '../../src/sessions/agents/pane-step.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { play } from '../support/scenario.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { kindOf, until } from '../support/until.ts'

const old = 60_000

/** The looks at which each title began to count, and the instant from which it does. */
function looks(
  agent: 'gemini' | 'codex' | 'qwen',
  titles: readonly (readonly [at: number, title: string, says: string])[],
  bornAt = -old,
): readonly string[] {
  let seen: SeenTitle | undefined
  return titles.flatMap(([now, title, says]) => {
    const step = stepTitle(seen, { title, state: says }, agents[agent], { now, age: now - bornAt })
    seen = step.seen
    return step.counts === undefined ? [] : [`${says} since ${step.counts}, at ${now}`]
  })
}

describe('a title that is looked at', () => {
  test('counts at the second look, from the first', () => {
    const shown = looks('gemini', [
      [0, 'dev@host', ''],
      [800, '✦  Working… (a)', 'working'],
      [1600, '✦  Working… (a)', 'working'],
      [2400, '◇  Ready (a)', 'idle'],
      [2650, '◇  Ready (a)', 'idle'],
    ])
    expect(shown).toEqual(['working since 800, at 1600', 'idle since 2400, at 2650'])
  })

  test('counts at once where nothing was known before', () => {
    expect(looks('gemini', [[0, '✦  Working… (a)', 'working']])).toEqual(['working since 0, at 0'])
  })

  test('that is shown for one look alone never counts', () => {
    const shown = looks('gemini', [
      [0, '◇  Ready (a)', 'idle'],
      [800, '✦  Working… (a)', 'working'],
      [1600, '◇  Ready (a)', 'idle'],
    ])
    expect(shown).toEqual(['idle since 0, at 0'])
  })

  test('is one while its spinner turns', () => {
    const shown = looks('codex', [
      [0, '⠋ web', 'working'],
      [800, '⠙ web', 'working'],
    ])
    expect(shown).toEqual(['working since 0, at 0'])
  })

  test('without a mark is the agent’s only as what stood behind its mark', () => {
    const own = looks('codex', [
      [0, '⠋ web', 'working'],
      [800, 'web', 'idle'],
      [1600, 'web', 'idle'],
    ])
    expect(own).toEqual(['working since 0, at 0', 'idle since 800, at 1600'])
    const ofShell = looks('codex', [
      [0, '⠋ web', 'working'],
      [800, 'dev@host: ~/web', 'idle'],
      [1600, 'dev@host: ~/web', 'idle'],
    ])
    expect(ofShell).toEqual(['working since 0, at 0'])
    const unmarked = looks('codex', [
      [0, 'web', 'idle'],
      [800, 'web', 'idle'],
    ])
    expect(unmarked).toEqual([])
  })

  test('that an earlier one left behind is not that of an agent that has just started', () => {
    const titles = [
      [100, '◇  Ready (a)', 'idle'],
      [900, '◇  Ready (a)', 'idle'],
    ] as const
    expect(looks('gemini', titles, 0)).toEqual([])
    expect(looks('gemini', titles, -old)).toEqual(['idle since 100, at 100'])
    const changed = [
      ...titles,
      [1700, '✦  Working… (a)', 'working'],
      [2500, '✦  Working… (a)', 'working'],
    ] as const
    expect(looks('gemini', changed, 0)).toEqual(['working since 1700, at 2500'])
  })
})

test('a recorded look at a title is judged again, and is no paint', () => {
  const told = play('gemini', [
    [1, 'f', { title: '✦  Working… (a)' }],
    [20, 'f', { title: '✋  Action Required (a)' }],
    [30, 'f', { title: '◇  Ready (a)' }],
  ])
  expect(told.at(10)).toBe('working')
  expect(told.at(25)).toBe('waiting/dialog')
  expect(told.at(40)).toBe('idle')
})

/** Sets its title to each line that is typed. */
const titled = `#!/bin/bash
while IFS= read -r title; do printf '\\033]0;%s\\007' "$title"; done
`

const lives: LocalSessions[] = []
afterEach(async () => {
  for (const live of lives.splice(0)) await live.close()
})

describe.runIf(hasProgram('tmux'))('in tmux', () => {
  const server = tmuxServer()
  const script = temporaryFile('titled', titled)
  chmodSync(script, 0o755)

  test('is heard without anything that was switched on, and nobody attaches', async () => {
    const home = realpathSync(temporaryFolder())
    const command = `exec -a gemini /bin/bash ${script}`
    const pane = server
      .tmux('new-window', '-d', '-e', `HOME=${home}`, '-P', '-F', '#{pane_id}', command)
      .trim()
    const set = (title: string) => server.tmux('send-keys', '-t', pane, '-l', `${title}\n`)
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder() })
    lives.push(live)
    const own = async () =>
      (await live.list()).find(({ tmux, pane: its }) => tmux === server.socket && its === pane)
    await until(own, session => session !== undefined, 'the agent')
    for (const [title, kind] of [
      ['✦  Working… (a)', 'working'],
      ['✋  Action Required (a)', 'waiting'],
      ['◇  Ready (a)', 'idle'],
    ] as const) {
      set(title)
      await until(own, session => session !== undefined && kindOf(session) === kind, title)
    }
    expect(server.tmux('list-clients')).toBe('')
    expect(server.tmux('display-message', '-p', '-t', pane, '#{pane_pipe}').trim()).toBe('0')
  })
  test('tells where a session is and what its agent calls it', async () => {
    const home = realpathSync(temporaryFolder())
    const command = `exec -a claude /bin/bash ${script}`
    const pane = server
      .tmux('new-window', '-d', '-e', `HOME=${home}`, '-P', '-F', '#{pane_id}', command)
      .trim()
    const place = server.tmux('display-message', '-p', '-t', pane, '#{session_name}:#{window_index}.0').trim()
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder() })
    lives.push(live)
    const own = async () =>
      (await live.list()).find(({ tmux, pane: its }) => tmux === server.socket && its === pane)
    await until(own, session => session?.place === place, 'its place')
    expect(await own()).not.toHaveProperty('window')
    expect(await own()).not.toHaveProperty('title')
    server.tmux('rename-window', '-t', pane, 'the api')
    server.tmux('send-keys', '-t', pane, '-l', '✳ Fix the login form\n')
    const named = await until(
      own,
      session => session?.title !== undefined && session.window !== undefined,
      '',
    )
    expect(named).toMatchObject({ place, window: 'the api', title: 'Fix the login form' })
  })
})
