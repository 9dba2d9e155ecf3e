/** No text ends a wait, kills a host or makes a reader fail: what can't be read is passed over, and that is shown. */
import { chmodSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { hookedNames } from '../../src/agents/agent-names.ts'
import type { Agent } from '../../src/agents/kit/agent.ts'
import { agents } from '../../src/agents/registry.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { newSession } from '../../src/core/session.ts'
import { parseJson } from '../../src/core/trace/trace.ts'
import { hostSessions } from '../../src/host/host-client.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { readKey } from '../../src/os/tmux/key-names.ts'
import { openSeen } from '../../src/sessions/agents/panes/who-looked.ts'
import { localSessions } from '../../src/sessions/local-sessions.ts'
import { nameTerminal, readNamed } from '../../src/sessions/terminals/named-terminals.ts'
import { realClock } from '../../src/track/clock.ts'
import { decodeInput, decodeRow, newDecoder } from '../../src/track/decode.ts'
import type { RawInput } from '../../src/track/raw-input.ts'
import { fileAll } from '../../src/track/track.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { kindOf, sessionOf, until } from '../support/until.ts'

/** JSON of a value that is nested so deep. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const row = (type: string) => `{"type":${type},"timestamp":"2026-11-22T09:00:00Z","event":${type}}`

describe('what JSON.parse makes of a text', () => {
  test('is kept as it is, up to a depth that no agent reaches', () => {
    const text = `{"a":${nested(90)},"b":"${'['.repeat(500)}","__proto__":{"c":1}}`
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test.each([101, 8000, 200_000])('nested %i deep loses what lies too deep, and nothing else', levels => {
    const read = parseJson(`{"a":${nested(levels)},"b":[{"c":1}],"__proto__":${nested(levels)}}`)
    expect(read).toMatchObject({ b: [{ c: 1 }] })
    expect(JSON.stringify(read).length).toBeLessThan(500)
    expect(Object.keys(read as object)).toEqual(['a', 'b', '__proto__'])
  })
})

const lengthless = '{"length":{"toString":1,"valueOf":1}}'
const everywhere = [
  'sessionId',
  'session_id',
  'id',
  'tool_name',
  'version',
  'cwd',
  'hook_event_name',
  'subtype',
  'name',
]
const withLengths = `{"type":"user","pid":1,${everywhere.map(name => `"${name}":${lengthless}`).join()}}`

const odd = [
  withLengths,
  row('{"toString":1}'),
  row('{"toString":1,"valueOf":1}'),
  row(nested(8000)),
  row('[]'),
  row('"x"'),
]

describe.each(hookedNames)('the readers of %s', name => {
  test.each(odd.map((text, i) => [i, text] as const))('take row %i', (_, text) => {
    const decoder = newDecoder(agents[name], 0)
    const inputs: readonly RawInput[] = [
      { type: 'line', path: '/home/x/a.jsonl', line: text },
      { type: 'status', path: '/home/x/.claude/sessions/1.json', content: text },
      { type: 'hook', event: 'Stop', payload: parseJson(text) },
    ]
    for (const { signals } of [
      ...inputs.map(input => decodeInput(decoder, input, 1)),
      decodeRow(decoder, text, 1),
    ])
      for (const signal of signals)
        expect(signal).not.toMatchObject({ facts: { degraded: expect.anything() } })
  })
})

describe('a reader that fails', () => {
  const fails = () => {
    throw new TypeError('no such thing')
  }
  const broken: Agent = {
    ...agents.claude,
    readHook: fails,
    readLine: fails,
    readRow: fails,
    readStatus: fails,
  }
  const hook: RawInput = { type: 'hook', event: 'Stop', payload: {} }

  test.each<RawInput>([
    hook,
    { type: 'line', path: '/x', line: '{}' },
    { type: 'status', path: '/x/.claude/sessions/1.json', content: '{}' },
  ])('loses its input alone: $type', input => {
    const decoder = newDecoder(broken, 0)
    const read = decodeInput(decoder, input, 5)
    expect(read.refused).toContain('no such thing')
    expect(read.decoder).toBe(decoder)
    expect(decodeRow(decoder, '{}', 5).refused).toContain('no such thing')
  })

  test('is told of by every sentence on its session', () => {
    const { signals } = decodeInput(newDecoder(broken, 0), hook, 5)
    const { verdict, facts } = fileAll(newSession(0), 5, signals)
    expect(explain(verdict, 5, facts)).toMatch(/Not all of it could be read: hook \(no such thing\)\.$/)
  })
})

describe('names that every object has', () => {
  const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

  test.each(inherited)(
    '%s is no key, nobody has looked at it, and a terminal may be called so',
    async name => {
      expect(() => readKey(name)).toThrow(expect.objectContaining({ code: 'BAD_KEY' }))
      const folder = temporaryFolder()
      chmodSync(folder, 0o700)
      const seen = openSeen(folder)
      expect(seen.at(name)).toBe(0)
      await seen.mark([name, 'other'], 1000)
      expect([seen.at(name), seen.at('other'), seen.at('valueOf')]).toEqual([1000, 1000, 0])
      const start = readStat(process.pid)?.startTicks ?? ''
      await nameTerminal(folder, {
        name,
        socket: '/x',
        pane: '%1',
        tty: '/dev/pts/0',
        pid: process.pid,
        start,
      })
      expect(readNamed(folder).map(terminal => terminal.name)).toEqual([name])
    },
  )

  test.each(inherited)('%s may be an agent’s word for anything', name => {
    for (const agent of hookedNames)
      for (const event of ['Stop', 'PreToolUse', 'SubagentStart', 'PermissionRequest', name]) {
        const payload = {
          hook_event_name: event,
          tool_name: name,
          agent_id: name,
          session_id: name,
          type: name,
        }
        const { signals } = decodeInput(newDecoder(agents[agent], 0), { type: 'hook', event, payload }, 1)
        const session = fileAll(newSession(0), 1, signals)
        expect(explain(session.verdict, 1, session.facts)).not.toMatch(/native code|\[object/)
      }
  })
})

describe.runIf(process.platform === 'linux')('a session that can’t be followed', () => {
  test('is shown with what is wrong, and the others go on', async () => {
    const { files } = agents.gemini
    const fails = () => {
      throw new Error('a fault of ours')
    }
    const broke = Object.defineProperty({ ...files }, 'transcripts', { get: fails })
    Object.defineProperty(agents.gemini, 'files', { value: broke, configurable: true })
    const [broken, sound] = [await startStandIn({ argv0: 'gemini' }), await startStandIn()]
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder() })
    await sessionOf(live, broken.pid, ({ session }) => session.facts.degraded === 'session (a fault of ours)')
    sound.status({ status: 'busy' })
    await sessionOf(live, sound.pid, session => kindOf(session) === 'working')
    await live.close()
    Object.defineProperty(agents.gemini, 'files', { value: files })
  })
})

const hosts: number[] = []
afterEach(() => {
  for (const pid of hosts.splice(0)) process.kill(pid, 'SIGKILL')
})

/** A host in a home of its own, with an agent that it follows. */
async function hosted(): Promise<{
  agent: StandIn
  socket: string
  post(event: string, body: string): Promise<number>
}> {
  const home = temporaryFolder()
  const runtime = path.join(home, 'run')
  const env = { HOME: home, LULL_RUNTIME_DIR: runtime, XDG_STATE_HOME: path.join(home, 'state') }
  const agent = await startStandIn({ home })
  const { stdout } = await lull(['host', 'start', '--json'], [], env)
  hosts.push((JSON.parse(stdout) as { pid: number }).pid)
  const socketPath = path.join(runtime, 'host.sock')
  const post = (event: string, body: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'lull-pid': String(agent.pid) }
      const request = http.request(
        { socketPath, path: `/hooks/claude?event=${event}`, method: 'POST', headers, agent: false },
        response => resolve(response.resume().statusCode ?? 0),
      )
      request.on('error', reject)
      request.end(body)
    })
  return { agent, socket: socketPath, post }
}

describe.runIf(process.platform === 'linux')('a host', () => {
  test('whose texts hold line separators is watched on', async () => {
    const { socket, post } = await hosted()
    // A host that has not found its agent yet takes no hook of it.
    await until(
      () => post('UserPromptSubmit', '{"prompt":"hi"}'),
      code => code === 204,
    )
    const source = hostSessions(socket)
    const changes = await source.changes()
    expect((await changes.next()).value?.type).toBe('snapshot')
    const read = (async () => {
      for await (const change of changes)
        if (change.type === 'changed' && kindOf(change.session) === 'idle') return true
      return false
    })()
    for (const text of ['a\\u2028b', 'a\u2029b', 'c\\u0085d\u2028'])
      await post('PermissionRequest', `{"tool_name":"Bash${text}","tool_input":{"command":"echo ${text}"}}`)
    await post('Stop', '{"last_assistant_message":"done \\u2028 it is"}')
    expect(await read).toBe(true)
    await source.close()
  })

  test('hears on after JSON that is nested without end', async () => {
    const { agent, socket, post } = await hosted()
    const source = hostSessions(socket)
    const { id } = await sessionOf(source, agent.pid)
    const recorded = await source.events(id, 0)
    for (const levels of [500, 8000, 200_000])
      expect(await post('PreToolUse', `{"tool_name":"Bash","tool_input":{"a":${nested(levels)}}}`)).toBe(204)
    await post('UserPromptSubmit', `{"prompt":"hi","error":${nested(8000)}}`)
    const seen = await sessionOf(source, agent.pid, session => kindOf(session) === 'working')
    expect(seen.hooks).toBe('heard')
    expect((await recorded.next()).value).toMatchObject({ code: 'h' })
    await source.close()
  })
})
