/** Whether a command runs that a person was asked about. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { findGrant } from '../../src/sessions/agents/find-grant.ts'
import { hook, play } from '../support/scenario.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) process.kill(-(child.pid as number), 'SIGKILL')
})

/** An agent that runs a shell with this text. */
async function agentThatRuns(text: string): Promise<number> {
  const script = `require('child_process').spawn('bash', ['-c', ${JSON.stringify(text)}]); console.log('up'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  children.push(child)
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return child.pid as number
}

const asks = (command: string, answered = false) =>
  play(
    'claude',
    [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'go' }),
      hook(2, 'PermissionRequest', { prompt_id: 'p1', tool_name: 'Bash', tool_input: { command } }),
      ...(answered ? [hook(3, 'PostToolUse', { prompt_id: 'p1', tool_name: 'Bash' })] : []),
    ],
    { until: 4 },
  ).session

const asked = 2000
const later = asked + 600_000

test.runIf(process.platform === 'linux')(
  'it was allowed where a shell below the agent runs it since',
  async () => {
    const pid = await agentThatRuns('sleep 60 && make')
    const found = findGrant(pid, asks('sleep 60 && make'), later)
    const [agent, shell] = JSON.parse(found ?? '').procs
    expect([agent, shell]).toMatchObject([{ pid }, { cmd: 'bash -c sleep 60 && make' }])
    expect(findGrant(pid, asks('sleep 61'), later)).toBeUndefined()
    expect(findGrant(pid, asks('sleep 60 && make', true), later)).toBeUndefined()
    // Asked a minute after it was started.
    expect(findGrant(pid, asks('sleep 60 && make'), asked - 60_000)).toBeUndefined()
  },
)

test.runIf(process.platform === 'linux')(
  'lull’s own hook, which runs while the dialog stands, is not the command',
  async () => {
    const pid = await agentThatRuns(`test -x '/bin/sh' && /bin/sh -c 'sleep 60; :' || true # lull`)
    for (const command of ['true', 'sleep 60', '/bin/sh'])
      expect([command, findGrant(pid, asks(command), later)]).toEqual([command, undefined])
  },
)
