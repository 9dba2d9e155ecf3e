/** The thirteen unit tests that docs/seeds.md#003 counts for its watcher of a transcript, in its four groups. */
import { rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { HookReport } from '../../src/hooks/receiver.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { line, play, stamp } from '../support/scenario.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { kindOf, sessionOf, until } from '../support/until.ts'

const open: LocalSessions[] = []
afterEach(async () => {
  for (const live of open.splice(0)) await live.close()
})

const first = '.claude/projects/-project/s1.jsonl'
const second = '.claude/projects/-project/s2.jsonl'

const user = (at: string, content: unknown = 'go') => ({
  type: 'user',
  timestamp: at,
  message: { role: 'user', content },
})
const assistant = (at: string, stop: string, ...content: readonly object[]) => ({
  type: 'assistant',
  timestamp: at,
  message: { role: 'assistant', stop_reason: stop, content },
})
const text = { type: 'text', text: 'done' }
const tool = (name: string) => ({ type: 'tool_use', id: 't1', name, input: {} })
const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' }

const now = (): string => new Date().toISOString()

async function watched() {
  const agent = await startStandIn()
  const live = localSessions(realClock(true), { stateFolder: temporaryFolder(), receivesHooks: true })
  open.push(live)
  const is = (kind: string) => sessionOf(live, agent.pid, session => kindOf(session) === kind)
  const named = (file: string) => live.receive(names(agent, file))
  return { agent, live, is, named }
}

const names = (agent: StandIn, file: string): HookReport => ({
  agent: 'claude',
  event: 'SessionStart',
  payload: {
    session_id: path.basename(file, '.jsonl'),
    cwd: agent.cwd,
    transcript_path: path.join(agent.home, file),
  },
  sender: { pids: [agent.pid], isShared: false },
})

describe.runIf(process.platform === 'linux')('initialization', () => {
  test('without a transcript nothing is said of a turn', async () => {
    const { is } = await watched()
    const { session, transcript } = await is('starting')
    expect({ transcript, turn: session.verdict.turn }).toEqual({ transcript: undefined, turn: 0 })
  })

  test('a hook that names a transcript begins to follow it', async () => {
    const { agent, is, named } = await watched()
    agent.append(first, user(now()))
    named(first)
    expect((await is('working')).transcript).toBe(path.join(agent.home, first))
  })
})

describe.runIf(process.platform === 'linux')('file watching', () => {
  test('a file that is there is read, and then what is appended', async () => {
    const { agent, is, named } = await watched()
    agent.append(first, user(now()))
    named(first)
    await is('working')
    agent.append(first, assistant(now(), 'end_turn', text))
    await is('idle')
  })

  test('a file that is not there yet is followed from its first line', async () => {
    const { agent, is, named } = await watched()
    named(first)
    agent.append(first, user(now()))
    await is('working')
  })

  test('it stops with the process: what is written afterwards moves nothing', async () => {
    const { agent, live, is, named } = await watched()
    agent.append(first, user(now()))
    named(first)
    await is('working')
    await agent.kill()
    await is('exited')
    agent.append(first, assistant(now(), 'end_turn', text))
    const other = await startStandIn()
    await until(
      () => live.list(),
      all => all.some(({ pid }) => pid === other.pid),
    )
    expect(kindOf(await sessionOf(live, agent.pid))).toBe('exited')
  })

  test('another path, named by a later hook, is followed from then on', async () => {
    const { agent, is, named } = await watched()
    agent.append(first, assistant(now(), 'end_turn', text))
    named(first)
    await is('idle')
    named(second)
    agent.append(second, user(now()))
    expect((await is('working')).transcript).toBe(path.join(agent.home, second))
  })
})

const t1 = user(stamp(1))
const path1 = (...rows: readonly object[]) =>
  play(
    'claude',
    rows.map((row, n) => line(n + 1, row)),
  ).path.filter(state => state !== 'starting')

describe('entry processing', () => {
  test('a user entry begins a turn', () => {
    expect(path1(t1)).toEqual(['working/thinking'])
  })

  /** The document waits for a `result` entry, which interactive transcripts never have. */
  test('the end of the answer is its completion, and a result entry is not', () => {
    expect(path1(t1, { type: 'result', subtype: 'success', timestamp: stamp(2) })).toEqual([
      'working/thinking',
    ])
    expect(path1(t1, assistant(stamp(2), 'end_turn', text))).toEqual(['working/thinking', 'idle/turn'])
  })

  test('a tool that is used, and its result', () => {
    expect(path1(t1, assistant(stamp(2), 'tool_use', tool('Bash')), user(stamp(3), [result]))).toEqual([
      'working/thinking',
      'working/tool',
      'working/thinking',
    ])
  })

  test.each([
    ['AskUserQuestion', 'waiting/question'],
    ['ExitPlanMode', 'waiting/plan'],
  ])('%s waits for its person until its result', (name, waits) => {
    expect(path1(t1, assistant(stamp(2), 'tool_use', tool(name)), user(stamp(3), [result]))).toEqual([
      'working/thinking',
      waits,
      'working/thinking',
    ])
  })

  test('an error of the provider ends the turn, and says so', () => {
    const failed = { ...assistant(stamp(2), 'stop_sequence', text), isApiErrorMessage: true }
    expect(path1(t1, failed)).toEqual(['working/thinking', 'idle/error'])
  })
})

describe('state management', () => {
  test('a second turn begins anew', () => {
    const end = assistant(stamp(2), 'end_turn', text)
    expect(path1(t1, end, user(stamp(3)), assistant(stamp(4), 'end_turn', text))).toEqual([
      'working/thinking',
      'idle/turn',
      'working/thinking',
      'idle/turn',
    ])
  })

  test.runIf(process.platform === 'linux')(
    'a file that is cut, or removed and written anew, is read from its beginning',
    async () => {
      const { agent, is, named } = await watched()
      agent.append(first, user(now()))
      named(first)
      await is('working')
      agent.append(first, assistant(now(), 'end_turn', text))
      await is('idle')
      truncateSync(path.join(agent.home, first))
      agent.append(first, user(now()))
      await is('working')
      rmSync(path.join(agent.home, first))
      agent.append(first, user(now()))
      agent.append(first, assistant(now(), 'end_turn', text))
      await is('idle')
    },
  )
})
