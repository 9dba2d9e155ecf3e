/** Live sessions: real processes that call themselves agents, their files, and hooks as they arrive. */
import { spawn } from 'node:child_process'
import { realpathSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { explain } from '../../src/core/explain/explain.ts'
import { type HookReport, senderOf } from '../../src/hooks/receiver.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { isUnseen } from '../../src/sessions/turn-end.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { kindOf, sessionOf, until } from '../support/until.ts'

const open: LocalSessions[] = []
afterEach(async () => {
  for (const live of open.splice(0)) await live.close()
})

function watch(receivesHooks = false): LocalSessions {
  const live = localSessions(realClock(true), { stateFolder: temporaryFolder(), receivesHooks })
  open.push(live)
  return live
}

const projects = '.claude/projects/-project'
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

const prompt = (at: string) => ({ type: 'user', timestamp: at, message: { role: 'user', content: 'go' } })
const answer = (at: string, stop: string, more: object = {}) => ({
  type: 'assistant',
  timestamp: at,
  message: { stop_reason: stop, content: [{ type: 'text', text: 'done' }], ...more },
})
/** That of no other file's agent, which runs on this machine beside it. */
const ownSession = `s1-${process.pid}`
const hook = (agent: StandIn, event: string, payload: object = {}): HookReport => ({
  agent: 'claude',
  event,
  payload: { session_id: ownSession, prompt_id: 'p1', cwd: agent.cwd, ...payload },
  sender: { pids: [agent.pid], isShared: false },
})
const sentBy = (pid: number) => {
  const sender = senderOf(pid, agents.claude)
  return sender ? { sender } : {}
}
/** A hook that came over HTTP: nobody knows from which process. */
const remote = (agent: StandIn, event: string, payload: object = {}): HookReport => {
  const { sender: _, ...report } = hook(agent, event, payload)
  return report
}

describe.runIf(process.platform === 'linux')('a live session', () => {
  test('of which there is no raw input has events that end at once', async () => {
    const live = watch()
    await live.list()
    const events = await live.events('nobody', 0)
    expect(await events.next()).toMatchObject({ done: true })
  })

  test('goes from its hooks: a prompt, a permission, the end, and its exit', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    expect(kindOf(await sessionOf(live, agent.pid))).toBe('starting')
    const changes = await live.changes()
    const seen: string[] = []
    const reading = (async () => {
      for await (const change of changes) {
        if (change.type !== 'changed' || change.session.pid !== agent.pid) continue
        seen.push(kindOf(change.session))
        if (kindOf(change.session) === 'exited') return
      }
    })()
    live.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go' }))
    live.receive(hook(agent, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm x' } }))
    live.receive(hook(agent, 'PostToolUse', { tool_name: 'Bash' }))
    live.receive(hook(agent, 'Stop', { last_assistant_message: 'done' }))
    expect(await sessionOf(live, agent.pid, s => kindOf(s) === 'idle')).toMatchObject({ hooks: 'heard' })
    await agent.kill()
    await reading
    expect(seen).toEqual(['working', 'waiting', 'working', 'idle', 'exited'])
  })

  test('of a running agent begins where its transcript says, not at the moment of looking', async () => {
    const agent = await startStandIn()
    const started = Date.now()
    await until(Date.now, now => now > started + 600)
    agent.append(`${projects}/s.jsonl`, { ...prompt(ago(500)), cwd: agent.cwd })
    agent.append(`${projects}/s.jsonl`, answer(ago(300), 'end_turn'))
    const found = await sessionOf(watch(), agent.pid)
    const { verdict } = found.session
    expect(verdict).toMatchObject({ state: { kind: 'idle', after: 'turn' }, turn: 1, turnOver: true })
    expect(explain(verdict, verdict.since + 60_000)).toContain('for 1 min')
    const age = realClock().now() - verdict.since
    expect(age).toBeGreaterThanOrEqual(299)
  })

  test('that is idle for long by its status file is told so at once', async () => {
    const agent = await startStandIn()
    const started = Date.now()
    await until(Date.now, now => now > started + 600)
    agent.status({ status: 'idle', statusUpdatedAt: Date.now() - 500 })
    const { session } = await sessionOf(watch(), agent.pid)
    expect(session.verdict.state.kind).toBe('idle')
    expect(realClock().now() - session.verdict.since).toBeGreaterThanOrEqual(90)
  })

  test('that was resumed is not busy with the turn in which its process died', async () => {
    const home = realpathSync(temporaryFolder())
    const file = `${projects}/s.jsonl`
    const killed = await startStandIn({ home })
    killed.append(file, { ...prompt(ago(60_000)), cwd: killed.cwd, sessionId: 's' })
    killed.append(
      file,
      answer(ago(59_000), 'tool_use', { content: [{ type: 'tool_use', id: 't', name: 'Bash' }] }),
    )
    await killed.kill()
    const resumed = await startStandIn({ home })
    resumed.append(file, { type: 'system', subtype: 'resumed', cwd: resumed.cwd })
    const found = await sessionOf(watch(), resumed.pid)
    expect(found.transcript).toBe(path.join(home, file))
    expect(kindOf(found)).toBe('starting')
    expect(found.session.verdict.turn).toBe(0)
  })

  test('follows a transcript that appears later, is written on, and cut', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    const file = path.join(agent.home, projects, 's1.jsonl')
    live.receive(hook(agent, 'SessionStart', { transcript_path: file }))
    agent.append(`${projects}/s1.jsonl`, prompt(ago(0)))
    await sessionOf(live, agent.pid, s => kindOf(s) === 'working')
    agent.append(`${projects}/s1.jsonl`, answer(ago(0), 'end_turn'))
    await sessionOf(live, agent.pid, s => kindOf(s) === 'idle')
    truncateSync(file)
    agent.append(`${projects}/s1.jsonl`, prompt(ago(-10)))
    await sessionOf(live, agent.pid, s => kindOf(s) === 'working')
  })

  test('finds its first transcript within a second or so, although no folder for it was there', async () => {
    const agent = await startStandIn({ argv0: 'codex' })
    const live = watch()
    await sessionOf(live, agent.pid)
    const searched = Date.now()
    // The search by itself is after 2 s, and then after 8 s more.
    await until(Date.now, now => now > searched + 2600)
    const row = (type: string, payload: object) => ({ timestamp: ago(0), type, payload })
    const file = '.codex/sessions/2026/01/01/rollout-x.jsonl'
    agent.append(file, row('session_meta', { cwd: agent.cwd }))
    agent.append(file, row('event_msg', { type: 'task_started', turn_id: 't' }))
    const written = performance.now()
    await sessionOf(live, agent.pid, s => kindOf(s) === 'working')
    // By itself it would be found at its next search only, 10 s after the start.
    expect(performance.now() - written).toBeLessThan(7000)
  })

  test('does not follow a transcript that a hook names elsewhere', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    const lies = agent.write('lies.jsonl', `${JSON.stringify(answer(ago(0), 'end_turn'))}\n`)
    live.receive(hook(agent, 'UserPromptSubmit', { prompt: 'go', transcript_path: lies }))
    agent.append('lies.jsonl', answer(ago(0), 'end_turn'))
    live.receive(hook(agent, 'PreToolUse', { tool_name: 'Bash' }))
    const found = await sessionOf(live, agent.pid, s => kindOf(s) === 'working')
    expect(found).not.toHaveProperty('transcript')
  })

  test('its status file is heard as soon as it is written', async () => {
    const agent = await startStandIn()
    const live = watch()
    agent.status({ status: 'busy', statusUpdatedAt: Date.now() })
    await sessionOf(live, agent.pid, s => kindOf(s) === 'working')
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    await sessionOf(live, agent.pid, s => kindOf(s) === 'waiting')
    const changes = await live.changes()
    agent.write(`.claude/sessions/${agent.pid}.json`, '{"torn')
    agent.status({ status: 'idle', statusUpdatedAt: Date.now(), procStart: '1' })
    agent.status({ status: 'busy', statusUpdatedAt: Date.now() })
    for await (const change of changes) {
      if (change.type !== 'changed' || change.session.pid !== agent.pid) continue
      expect(kindOf(change.session)).toBe('working')
      break
    }
  })

  test('two in one folder: neither is shown the other’s transcript, until a hook says whose it is', async () => {
    const home = realpathSync(temporaryFolder())
    const [one, two] = [await startStandIn({ home }), await startStandIn({ home })]
    one.append(`${projects}/a.jsonl`, { ...prompt(ago(0)), cwd: one.cwd })
    const live = watch(true)
    for (const { pid } of [one, two]) expect(await sessionOf(live, pid)).not.toHaveProperty('transcript')
    expect(kindOf(await sessionOf(live, two.pid))).not.toBe('working')
    live.receive(hook(two, 'UserPromptSubmit', { transcript_path: path.join(home, projects, 'a.jsonl') }))
    expect(kindOf(await sessionOf(live, two.pid))).toBe('working')
    expect((await sessionOf(live, two.pid)).transcript).toContain('a.jsonl')
    expect(await sessionOf(live, one.pid)).not.toHaveProperty('transcript')
  })

  test('in a folder whose name begins like another’s is not shown that one’s turns', async () => {
    const home = realpathSync(temporaryFolder())
    const [we, web] = [
      await startStandIn({ home, folder: 'we' }),
      await startStandIn({ home, folder: 'web' }),
    ]
    web.append(`${projects}/a.jsonl`, { ...prompt(ago(0)), cwd: web.cwd })
    web.append(`${projects}/a.jsonl`, answer(ago(0), 'end_turn'))
    await web.kill()
    expect(await sessionOf(watch(), we.pid)).not.toHaveProperty('transcript')
  })

  test('that begins another conversation has left the one before until it is clear which is its own', async () => {
    const agent = await startStandIn()
    agent.append(`${projects}/a.jsonl`, { ...prompt(ago(0)), cwd: agent.cwd })
    agent.append(`${projects}/a.jsonl`, answer(ago(0), 'end_turn'))
    const live = watch()
    await sessionOf(live, agent.pid, s => s.transcript !== undefined)
    agent.append(`${projects}/b.jsonl`, { ...prompt(ago(0)), cwd: agent.cwd })
    const left = await sessionOf(live, agent.pid, s => s.transcript === undefined)
    // Of a process this young nothing is known yet.
    expect(kindOf(left)).toBe('starting')
  })

  test('an agent that runs as another one’s tool is a session of its own', async () => {
    const outer = await startStandIn()
    const inner = await startStandIn({ home: outer.home })
    const live = watch(true)
    live.receive(hook(outer, 'UserPromptSubmit', { prompt: 'go' }))
    live.receive(hook(inner, 'UserPromptSubmit', { prompt: 'go', session_id: 's2' }))
    live.receive(hook(inner, 'Stop', { session_id: 's2' }))
    expect(kindOf(await sessionOf(live, inner.pid))).toBe('idle')
    expect(kindOf(await sessionOf(live, outer.pid))).toBe('working')
  })

  test('a hook is placed by a process below the agent, else by the session’s id, else by a folder of one', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    const id = (await sessionOf(live, agent.pid)).id
    const elsewhere = spawn('sleep', ['60'])
    try {
      expect(
        live.receive({ ...hook(agent, 'SessionStart'), ...sentBy(elsewhere.pid as number) }),
      ).toBeUndefined()
      expect(live.receive(remote(agent, 'SessionStart'))).toBe(id)
      expect(live.receive(remote(agent, 'Stop', { cwd: '/elsewhere' }))).toBe(id)
      expect(live.receive(remote(agent, 'Stop', { cwd: '/elsewhere', session_id: 'x' }))).toBeUndefined()
      expect(live.receive({ ...hook(agent, 'Stop'), agent: 'codex' })).toBeUndefined()
    } finally {
      elsewhere.kill('SIGKILL')
    }
  })

  test('that ends a turn without a hook is hook-blind where hooks are received', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    expect((await sessionOf(live, agent.pid)).hooks).toBe('unknown')
    agent.append(`${projects}/s.jsonl`, { ...prompt(ago(0)), cwd: agent.cwd })
    agent.append(`${projects}/s.jsonl`, answer(ago(0), 'end_turn'))
    expect(await sessionOf(live, agent.pid, s => kindOf(s) === 'idle')).toMatchObject({ hooks: 'blind' })
  })

  test('a turn that has ended is unseen until somebody looks, and the next one again', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    const { id } = await sessionOf(live, agent.pid)
    const turn = (name: string) => {
      live.receive(hook(agent, 'UserPromptSubmit', { prompt: name, prompt_id: name }))
      live.receive(hook(agent, 'Stop', { prompt_id: name }))
    }
    turn('one')
    expect(isUnseen(await sessionOf(live, agent.pid))).toBe(true)
    await live.markSeen([id])
    expect(isUnseen(await sessionOf(live, agent.pid))).toBe(false)
    const looked = Date.now()
    await until(Date.now, now => now > looked + 50)
    turn('two')
    expect(isUnseen(await sessionOf(live, agent.pid))).toBe(true)
  })

  test('raw input is told as events of a trace', async () => {
    const agent = await startStandIn()
    const live = watch(true)
    const { id } = await sessionOf(live, agent.pid)
    const events = await live.events(id, realClock().now())
    live.receive(hook(agent, 'Stop'))
    const first = await events.next()
    expect(first.value).toMatchObject({ code: 'h' })
    expect(JSON.parse(first.value?.data ?? '')).toMatchObject({ agent: 'claude', event: 'Stop' })
    expect(first.value?.at).toBeGreaterThanOrEqual(0)
    await agent.kill()
    expect((await events.next()).value).toMatchObject({ code: 'x' })
  })

  test('is judged by the lines of a transcript of 500 MB without reading them all', async () => {
    const agent = await startStandIn()
    const file = agent.write(
      `${projects}/s.jsonl`,
      `${JSON.stringify({ ...prompt(ago(0)), cwd: agent.cwd })}\n`,
    )
    truncateSync(file, 500 * 1024 * 1024)
    writeFileSync(file, `\n${JSON.stringify(prompt(ago(0)))}\n`, { flag: 'a' })
    const before = process.memoryUsage().rss
    expect(kindOf(await sessionOf(watch(), agent.pid))).toBe('working')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
})
