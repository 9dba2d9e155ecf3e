/** Whose a hook is, where several sessions could have sent it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { type HookReport, senderOf } from '../../src/hooks/receiver.ts'
import { type Candidate, routeHook } from '../../src/sessions/agents/route-hook.ts'
import { startStandIn } from '../support/stand-in.ts'

/** An id of Codex, which holds the time of its making. */
const threadAt = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`
}

const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  pid: 100,
  startedAt: 1_000_000,
  cwd: '/p',
  transcript: undefined,
  session: undefined,
  ...more,
})
const report = (payload: object, more: Partial<HookReport> = {}): HookReport => ({
  agent: 'codex',
  event: 'Stop',
  payload,
  ...more,
})

describe('a hook is placed', () => {
  test('by the process above it, whatever its payload says', () => {
    const here = [candidate('a', { pid: 7 }), candidate('b', { pid: 8, session: 's' })]
    const sender = { pids: [99, 7, 1], isShared: false }
    expect(routeHook(report({ session_id: 's' }, { sender }), here)).toBe('a')
  })

  test('by the nearest, where an agent runs another as its tool', () => {
    const here = [candidate('outer', { pid: 7 }), candidate('inner', { pid: 9 })]
    const sender = { pids: [99, 9, 8, 7], isShared: false }
    expect(routeHook(report({}, { sender }), here)).toBe('inner')
  })

  test('not in its folder where its process stands below no session of it', () => {
    const sender = { pids: [99], isShared: false }
    expect(routeHook(report({ cwd: '/p' }, { sender }), [candidate('a')])).toBeUndefined()
    expect(routeHook(report({ cwd: '/p' }), [candidate('a')])).toBe('a')
  })

  test('by the session’s id, then by its transcript', () => {
    const here = [candidate('a', { session: 's' }), candidate('b', { transcript: '/t.jsonl' })]
    expect(routeHook(report({ session_id: 's', cwd: '/p' }), here)).toBe('a')
    expect(routeHook(report({ session_id: 'x', transcript_path: '/t.jsonl' }), here)).toBe('b')
  })

  test('of a folder with two, by the one that started when the session was made', () => {
    const here = [candidate('a', { startedAt: 1_000_000 }), candidate('b', { startedAt: 1_060_000 })]
    const isShared = { sender: { pids: [5], isShared: true } }
    const from = (ms: number) => routeHook(report({ session_id: threadAt(ms), cwd: '/p' }, isShared), here)
    expect(from(1_000_900)).toBe('a')
    expect(from(1_060_900)).toBe('b')
    expect(from(1_030_000)).toBeUndefined()
    expect(routeHook(report({ session_id: 'no time in it', cwd: '/p' }, isShared), here)).toBeUndefined()
  })

  test('of Cline, whose sessions are named by the time of their making', () => {
    const here = [
      candidate('a', { startedAt: 1_796_032_591_000 }),
      candidate('b', { startedAt: 1_796_032_651_000 }),
    ]
    const of = (sessionId: string) => {
      const payload = { sessionContext: { rootSessionId: sessionId }, workspaceRoots: ['/p'] }
      const sender = { pids: [], isShared: true }
      return routeHook(report(payload, { agent: 'cline', event: 'TaskStart', sender }), here)
    }
    expect([of('1796032591886_ue50c'), of('1796032652537_llsqx')]).toEqual(['a', 'b'])
    expect(of('1796032630000_zzzzz')).toBeUndefined()
    // The one whose session is known may go on in another one, as the other may.
    here[0] = candidate('a', { startedAt: 1_796_032_591_000, session: '1796032591886_ue50c' })
    expect(of('1796036000000_later')).toBeUndefined()
    expect(of('1796032652537_llsqx')).toBe('b')
  })

  test('by its server, of the only one in the folder that may have gone on in another session', () => {
    const isShared = { sender: { pids: [], isShared: true } }
    const a = candidate('a', { session: threadAt(1_000_900), transcript: '/old.jsonl' })
    const after = report({ session_id: threadAt(1_300_000), cwd: '/p' }, isShared)
    const elsewhere = candidate('b', { cwd: '/q', session: threadAt(1_200_000) })
    expect(routeHook(after, [a, elsewhere])).toBe('a')
    const before = report({ session_id: threadAt(999_000), cwd: '/p' }, isShared)
    expect(routeHook(before, [a])).toBeUndefined()
    expect(routeHook(after, [a, candidate('b', { session: threadAt(1_200_000) })])).toBeUndefined()
    expect(routeHook(report({ session_id: threadAt(1_300_000), cwd: '/p' }), [a])).toBeUndefined()
  })

  test('not with a session that is known to be another', () => {
    expect(
      routeHook(report({ session_id: 's', cwd: '/p' }), [candidate('a', { session: 'other' })]),
    ).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('the sender', () => {
  test('is the process and those above it, while it lives', async () => {
    const agent = await startStandIn()
    expect(senderOf(agent.pid, agents.claude)).toMatchObject({ isShared: false })
    expect(senderOf(agent.pid, agents.claude)?.pids.slice(0, 2)).toEqual([agent.pid, process.pid])
    const gone = spawn('true')
    await once(gone, 'exit')
    expect(senderOf(gone.pid as number, agents.claude)).toBeUndefined()
  })

  test('below a server of several sessions is none of those that started it', async () => {
    const server = await startStandIn({ argv0: 'codex', args: ['app-server'] })
    expect(senderOf(server.pid, agents.codex)).toEqual({ pids: [], isShared: true })
  })
})
