/** What listens at a host's socket and is none: that is said, and nothing that is asked of it hangs or lies. */
import { mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { protocol } from '../../src/host/messages.ts'
import { connect } from '../../src/index.ts'
import { falseHost, greets } from '../support/false-host.ts'
import { lull } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

function newRuntime() {
  const env = ownPlaces()
  const folder = env.LULL_RUNTIME_DIR as string
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { env, folder }
}

const hostile: Readonly<Record<string, string>> = {
  'answers nothing': '',
  'drips its answer': "response.writeHead(200); setInterval(() => response.write(' '), 100)",
  'never ends its line':
    "response.writeHead(200); const more = () => response.write('x'.repeat(1e6), more); more()",
  'speaks no JSON': "response.end('hello')",
  'ends at once': 'request.socket.destroy()',
  nests: "response.end('['.repeat(100000))",
  'says what is no session': `${greets(protocol)}; response.end('[{"id":{"toString":1},"session":null}]')`,
  'greets and is silent': greets(protocol),
}

describe.runIf(process.platform === 'linux')('what listens there and is no host', () => {
  test.each(Object.entries(hostile))(
    '%s: it is told, and the sessions are found without',
    async (_, answer) => {
      const { env, folder } = newRuntime()
      const agent = await startStandIn()
      await falseHost(folder, answer)
      const { stdout, code, stderr } = await lull(['ps', '--json'], [], env)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({
        sessions: expect.arrayContaining([expect.objectContaining({ pid: agent.pid })]),
      })
      process.env.LULL_RUNTIME_DIR = folder
      await using here = await connect()
      let isRegistered = false
      const waits = here.waitFor(`pid:${agent.pid}`, {
        until: ['waiting', 'exited'],
        onRegistered: () => {
          isRegistered = true
        },
      })
      await until(
        () => isRegistered,
        registered => registered,
      )
      await agent.kill()
      const { outcome, sessions } = await waits
      expect([outcome, sessions[0]?.session.verdict.state.kind]).toEqual(['reached', 'exited'])
    },
  )

  test('and holds no lock is foreign, and nothing is done to it', async () => {
    const { env, folder } = newRuntime()
    const other = await falseHost(folder, greets(protocol), { locks: false })
    const { stdout } = await lullHere(['host', 'status', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ running: false, is: 'foreign' })
    expect(await lullHere(['host', 'start'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no host of lull’s'),
    })
    await lullHere(['host', 'stop'], env)
    expect(other.hasEnded()).toBe(false)
  })

  test('and is gone once it has answered was a host that was killed: the next one starts', async () => {
    const { env, folder } = newRuntime()
    // It may be asked before it has ended: the process that it names has.
    const ended = "process.getBuiltinModule('node:child_process').spawnSync('true').pid"
    const answer = greets(protocol).replace('process.pid', ended)
    const killed = `response.on('finish', () => process.kill(process.pid, 'SIGKILL')); ${answer}`
    await falseHost(folder, killed, { locks: false })
    expect(await lullHere(['host', 'start'], env)).toMatchObject({ code: 0, stderr: '' })
    await lullHere(['host', 'stop'], env)
  })
})
