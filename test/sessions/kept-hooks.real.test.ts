/** A host ends and another one comes: what only hooks had told is known on, and what may be over by then is not. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { HookReport } from '../../src/hooks/receiver.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { kindOf, sessionOf } from '../support/until.ts'

const open: LocalSessions[] = []
afterEach(async () => {
  for (const live of open.splice(0)) await live.close()
})

/** A host's sessions, and what it complained of. */
function host(stateFolder: string): LocalSessions & { readonly complaints: readonly string[] } {
  const complaints: string[] = []
  const complain = (sentence: string) => complaints.push(sentence)
  const live = localSessions(realClock(true), { stateFolder, receivesHooks: true, complain })
  open.push(live)
  return { ...live, complaints }
}

const hook = (agent: StandIn, event: string, payload: object = {}): HookReport => ({
  agent: 'claude',
  event,
  payload: { session_id: 's1', prompt_id: 'p1', cwd: agent.cwd, ...payload },
  sender: { pids: [agent.pid], isShared: false },
})
const asks = { tool_name: 'Bash', tool_input: { command: 'rm x' } }
const keptIn = (state: string) => readdirSync(path.join(state, 'hooks'))

async function restarted(state: string, before: LocalSessions) {
  await before.close()
  return host(state)
}

describe.runIf(process.platform === 'linux')('after a restart of the host', () => {
  test('a permission that only a hook told of is asked for, since when it was', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const first = host(state)
    first.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go' }))
    first.receive(hook(agent, 'PermissionRequest', asks))
    const before = await sessionOf(first, agent.pid, session => kindOf(session) === 'waiting')
    const next = await restarted(state, first)
    const after = await sessionOf(next, agent.pid)
    expect(after).toMatchObject({ id: before.id, hooks: 'heard' })
    const { state: told, since, turn } = before.session.verdict
    expect(after.session.verdict).toMatchObject({ state: told, turn })
    // A hook is noted just before it is judged, and nobody looks in between.
    expect(after.session.verdict.since).toBeLessThanOrEqual(since)
    expect(after.session.facts.question).toBe(before.session.facts.question)
    // And what comes after goes on from there.
    next.receive(hook(agent, 'PostToolUse', { tool_name: 'Bash' }))
    expect(kindOf(await sessionOf(next, agent.pid))).toBe('working')
  })

  test('a background task that only hooks told of runs on', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const first = host(state)
    first.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go' }))
    first.receive(hook(agent, 'Stop', { background_tasks: [{ id: 'b1', type: 'shell', status: 'running' }] }))
    const before = await sessionOf(first, agent.pid)
    expect(before.session.verdict).toMatchObject({ state: { kind: 'working', doing: 'background' } })
    const after = await sessionOf(await restarted(state, first), agent.pid)
    expect(after.session.verdict.state).toEqual(before.session.verdict.state)
  })

  test('nobody is idle by a hook alone: a prompt may have come while no host ran', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const first = host(state)
    first.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go' }))
    first.receive(hook(agent, 'Stop'))
    expect(kindOf(await sessionOf(first, agent.pid))).toBe('idle')
    const after = await sessionOf(await restarted(state, first), agent.pid)
    expect(['starting', 'unknown']).toContain(kindOf(after))
  })

  test('the transcript that a hook named is read, and tells what came in between', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const file = '.claude/projects/-project/s1.jsonl'
    const transcript_path = agent.write(file, '')
    const first = host(state)
    first.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go', transcript_path }))
    first.receive(hook(agent, 'Stop', { transcript_path }))
    await sessionOf(first, agent.pid, session => kindOf(session) === 'idle')
    await first.close()
    const message = { role: 'user', content: 'more' }
    agent.append(file, { type: 'user', sessionId: 's1', timestamp: new Date().toISOString(), message })
    const after = await sessionOf(host(state), agent.pid, ({ session }) => session.verdict.turn === 2)
    expect(after).toMatchObject({ transcript: transcript_path })
    expect(kindOf(after)).toBe('working')
  })
})

describe.runIf(process.platform === 'linux')('what is kept of hooks', () => {
  test('lies in files of this user alone, and goes with its session', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const live = host(state)
    live.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go' }))
    const { id } = await sessionOf(live, agent.pid)
    expect(keptIn(state)).toEqual([`${id}.jsonl`])
    const folder = path.join(state, 'hooks')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(folder, `${id}.jsonl`)).mode & 0o777).toBe(0o600)
    await agent.kill()
    await sessionOf(live, agent.pid, session => kindOf(session) === 'exited')
    expect(keptIn(state)).toEqual([])
  })

  test('of sessions that ended while no host ran is dropped by the next', async () => {
    const state = temporaryFolder()
    mkdirSync(path.join(state, 'hooks'), { mode: 0o700 })
    writeFileSync(path.join(state, 'hooks/abcdefgh.jsonl'), '')
    host(state)
    expect(keptIn(state)).toEqual([])
  })

  test('stays small, however many and however large they are', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const live = host(state)
    for (let n = 0; n < 60; n++)
      live.receive(
        hook(agent, 'PreToolUse', { tool_name: 'Write', tool_input: { content: 'x'.repeat(200_000) } }),
      )
    live.receive(hook(agent, 'PermissionRequest', asks))
    const sizes = keptIn(state).map(name => statSync(path.join(state, 'hooks', name)).size)
    expect(sizes).toHaveLength(2)
    for (const size of sizes) expect(size).toBeLessThan(600 * 1024)
    const after = await sessionOf(await restarted(state, live), agent.pid)
    expect(kindOf(after)).toBe('waiting')
  })

  test.each([
    ['is torn', '{"at":1,"event":"Stop","pay'],
    ['is no hook', '[]\n'],
    ['is of another time', `{"at":${1e15},"event":"Stop","payload":{}}\n`],
    ['names a file of another’s', '{"at":1,"event":"Stop","payload":{},"transcript":"/etc/passwd"}\n'],
  ])('and %s is said, and passed over', async (_, text) => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    const first = host(state)
    first.receive(hook(agent, 'PermissionRequest', asks))
    const { id } = await sessionOf(first, agent.pid)
    await first.close()
    const file = path.join(state, 'hooks', `${id}.jsonl`)
    // Behind what is whole: a part of the hooks would tell of what is over.
    const later = text.replace('"at":1,', `"at":${realClock().now()},`)
    appendFileSync(file, later)
    const next = host(state)
    expect(await sessionOf(next, agent.pid)).toMatchObject({ hooks: 'unknown' })
    expect(next.complaints).toEqual([expect.stringContaining(`passed over: ${file}: `)])
    expect(existsSync(file)).toBe(false)
  })

  test('that can’t be written is said, and the hooks count', async () => {
    const [agent, state] = [await startStandIn(), temporaryFolder()]
    writeFileSync(path.join(state, 'hooks'), '')
    const live = host(state)
    live.receive(hook(agent, 'PermissionRequest', asks))
    expect(kindOf(await sessionOf(live, agent.pid))).toBe('waiting')
    expect(live.complaints).toContainEqual(expect.stringContaining('are not kept: '))
  })
})
