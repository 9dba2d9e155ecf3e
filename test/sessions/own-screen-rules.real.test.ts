/** A person's own rules over screens hold for live agents too, as their file stands now. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScreen } from '../../src/agents/screen/read-screen.ts'
import { keepRules } from '../../src/sessions/screens/rules-now.ts'
import { replay } from '../../src/track/replay.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const deploys = `
rules:
  - { id: deploy, part: bottom, pattern: '^Deploying', state: working/tool }
  - { id: approve, part: bottom, pattern: '^Release it', state: waiting/confirmation }
`

function rulesIn(home: string, agent = 'claude') {
  const file = path.join(home, `.config/lull/agents/${agent}/screen.yaml`)
  mkdirSync(path.dirname(file), { recursive: true })
  return { write: (text: string) => writeFileSync(file, text, { mode: 0o600 }), remove: () => rmSync(file) }
}

test('the file is read again where it has changed; one that is wrong says so, and lull’s own hold', async () => {
  const home = temporaryFolder()
  const rules = keepRules({ HOME: home })
  const file = rulesIn(home)
  const says = async () => {
    const { rules: found, isOwn, mistake } = await rules.of('claude')
    const { state } = readScreen(found, { grid: { rows: ['Deploying it'] } })
    return [state.kind, isOwn, mistake]
  }
  expect(await says()).toEqual(['unknown', false, undefined])
  file.write(deploys)
  expect(await says()).toEqual(['working', true, undefined])
  file.write('rules: 3\n')
  expect(await says()).toEqual([
    'unknown',
    false,
    expect.stringContaining('screen.yaml:1:8: rules must be a list'),
  ])
  file.remove()
  expect(await says()).toEqual(['unknown', false, undefined])
})

test('lull doctor tells of a file that is wrong, and where', async () => {
  const places = ownPlaces()
  const doctor = async () => (await lullHere(['doctor'], places)).stdout
  expect(await doctor()).not.toContain('your rules')
  rulesIn(places.HOME as string).write(deploys)
  expect(await doctor()).toMatch(/your rules over screens\n {2}✓ rules for claude\n/)
  rulesIn(places.HOME as string).write('rules: 3\n')
  expect(await doctor()).toMatch(
    /✗ rules for claude: .*screen\.yaml:1:8: rules must be a list.*; lost: what they say/,
  )
})

describe.runIf(hasProgram('tmux'))('in a pane', () => {
  const server = tmuxServer()
  /** Panes of other servers have the same ids. */
  const isIn = (pane: string) => (one: { readonly pane?: string; readonly tmux?: string }) =>
    one.pane === pane && one.tmux === server.socket

  test('lull ps tells what they say, and lull send types nothing where they tell of a dialog', async () => {
    const places = ownPlaces()
    const env = { ...places, TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
    rulesIn(places.HOME as string).write(deploys)
    const program = `let n = 0; console.log('Deploying it'); process.stdin.on('data', () => console.log('\\x1b[2J\\x1b[HRelease it now'))`
    const words = `${process.execPath} -e ${JSON.stringify(program)}`
    const pane = server
      .tmux('new-window', '-d', '-P', '-F', '#{pane_id}', 'bash', '-c', `exec -a claude ${words}`)
      .trim()
    const shows = (text: string) =>
      until(
        () => server.screen(pane),
        screen => screen.includes(text),
      )
    await shows('Deploying')
    const state = async () => {
      const { sessions } = JSON.parse((await lullHere(['ps', '--json'], env)).stdout)
      const found = sessions.find(isIn(pane))
      return found && [found.state, found.doing ?? found.for, found.rule]
    }
    await until(state, found => found?.[0] === 'working' && found[1] === 'tool')
    server.tmux('send-keys', '-t', pane, 'Enter')
    await shows('Release')
    const sent = await lullHere(['send', `tmux:${pane}`, 'hello', '--socket', server.socket], env)
    expect([sent.code, sent.stderr]).toEqual([3, expect.stringContaining('waiting for a confirmation')])
  })

  test('they make an agent of a program that lull does not know, whoever runs its script', async () => {
    const places = ownPlaces()
    const env = { ...places, TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
    rulesIn(places.HOME as string, 'deployer').write(deploys)
    const script = path.join(temporaryFolder(), 'deployer')
    writeFileSync(script, `console.log('Deploying it'); process.stdin.resume()`)
    const pane = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', process.execPath, script).trim()
    const found = async () => {
      const { sessions } = JSON.parse((await lullHere(['ps', '--json'], env)).stdout)
      return sessions.find(isIn(pane))
    }
    const session = await until(found, one => one?.state === 'working')
    expect(session).toMatchObject({ agent: 'deployer', state: 'working', doing: 'tool' })
    // It may have worked for long before it was looked at.
    expect(session.held).toBeUndefined()
  })
})

test('what was recorded of an agent that lull does not know is replayed by what its rules said', () => {
  const header = { version: 2, width: 80, height: 24, lull: { trace: 1, agent: 'deployer', isOwn: true } }
  const screen = (at: number, state: string) => [at, 'f', JSON.stringify({ rows: ['x'], read: { state } })]
  const text = [header, screen(1, 'working'), screen(9, 'waiting/confirmation')].map(row =>
    JSON.stringify(row),
  )
  const states = [...replay(text)].map(({ verdict }) => verdict.state.kind)
  expect(states.slice(0, 3)).toEqual(['starting', 'working', 'waiting'])
})
