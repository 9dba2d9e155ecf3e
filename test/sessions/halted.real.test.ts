/** An agent that somebody keeps from going on does not work, and is not ready: looks at its process in, verdicts out. */
import { existsSync, mkdirSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { explain } from '../../src/core/explain/explain.ts'
import { attempt } from '../../src/os/attempt.ts'
import type { HaltedLook } from '../../src/process/linux/look-halted.ts'
import { type Halted, stepHalted } from '../../src/sessions/agents/halted-step.ts'
import { type LocalSessions, localSessions } from '../../src/sessions/local-sessions.ts'
import { needOf } from '../../src/sessions/rank.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { hook, play } from '../support/scenario.ts'
import { startStandIn } from '../support/stand-in.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { kindOf, sessionOf, until } from '../support/until.ts'

/** What is told at each look, s: nothing, `health cause`, or that it is over. */
function told(...looks: readonly (readonly [at: number, by: HaltedLook['by'], runs: number])[]): string[] {
  let halted: Halted | undefined
  return looks.map(([at, by, runs]) => {
    const look = { ...(by ? { by } : {}), runs: String(runs) }
    const step = stepHalted(halted, look, { name: 'claude', pid: 7 }, at * 1000)
    halted = step.halted
    const { report } = step
    return report ? (report.isOver ? 'over' : `${report.health.level} ${report.health.cause}`) : '-'
  })
}

describe('looks at a process', () => {
  test('the first one is believed, the second makes sure, and it is over when it goes on', () => {
    expect(told([0, 'stopped', 5], [1, 'stopped', 5], [2, 'stopped', 5], [3, undefined, 6])).toEqual([
      'likely_stuck stopped',
      'confirmed_stuck stopped',
      '-',
      'over',
    ])
  })

  test('one that was seen to run is halted once two looks agree that it has not moved', () => {
    expect(told([0, undefined, 1], [1, 'stopped', 5], [2, 'stopped', 5])).toEqual([
      '-',
      '-',
      'confirmed_stuck stopped',
    ])
  })

  test('one that is stopped and let go on again and again is slow, and not halted', () => {
    const looks = Array.from({ length: 20 }, (_, i) => [i, 'stopped', i] as const)
    expect(told([-1, undefined, -1], ...looks).join('')).toBe('-'.repeat(21))
  })

  test('a terminal that takes no output may only be full: for a second nothing is said, and never that it is sure', () => {
    expect(told([0, undefined, 1], [0.2, 'output', 2], [0.9, 'output', 3], [1.3, 'output', 4])).toEqual([
      '-',
      '-',
      '-',
      'likely_stuck output',
    ])
    expect(told([0, undefined, 1], [1, 'output', 2], [2, undefined, 3], [3, 'output', 3])).toEqual(
      Array(4).fill('-'),
    )
  })

  test('from stopped to frozen it is halted all the time', () => {
    expect(told([0, 'stopped', 5], [1, 'stopped', 5], [2, 'frozen', 5], [3, 'frozen', 5])).toEqual([
      'likely_stuck stopped',
      'confirmed_stuck stopped',
      'likely_stuck frozen',
      'confirmed_stuck frozen',
    ])
  })

  test('it is told again before a report is void', () => {
    const looks = Array.from({ length: 100 }, (_, i) => [i, 'frozen', 5] as const)
    expect(told(...looks).filter(text => text !== '-').length).toBe(5)
  })
})

describe('the verdict', () => {
  const report = (t: number, more: object) => [t, 'p', { pid: 7, held: 0, ...more }] as const
  const stopped = (t: number) =>
    report(t, {
      reason: 'claude(7) was stopped by a signal (Ctrl+Z)',
      health: { level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' },
      isHalted: true,
    })
  const goesOn = (t: number) =>
    report(t, { reason: 'it goes on', health: { level: 'healthy', certainty: 'low' }, isOver: true })

  test('is unknown while it is halted, whatever it was, and what it was before once it goes on', () => {
    const tool = { prompt_id: 'p', tool_name: 'Bash', tool_use_id: 't' }
    const at = play('claude', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p', prompt: 'go' }),
      hook(2, 'PreToolUse', tool),
      stopped(3),
      goesOn(60),
      hook(61, 'Stop', { prompt_id: 'p' }),
      stopped(63),
      goesOn(70),
    ])
    expect(at.path.slice(1)).toEqual([
      'working/thinking',
      'working/tool',
      'unknown',
      'working/tool',
      'idle/turn',
      'unknown',
      'idle/turn',
    ])
    expect(at.verdict(10)).toMatchObject({ rule: 'halted', confidence: 0, turnOver: false })
    expect(at.verdict(10).health).toMatchObject({ level: 'confirmed_stuck', cause: 'stopped' })
    expect(at.verdict(65)).toMatchObject({ turn: 1, turnOver: true })
    expect(at.verdict(75).turn).toBe(1)
    expect(explain(at.verdict(10), 10_000)).toBe(
      'Unknown for 7.0 s: it can’t go on, whatever the PreToolUse hook said 8.0 s ago. Stuck for 7.0 s (it is stopped by a signal): claude(7) was stopped by a signal (Ctrl+Z).',
    )
  })

  test('a tool of it that is stopped leaves it at work', () => {
    const at = play('claude', [
      hook(1, 'UserPromptSubmit', { prompt_id: 'p', prompt: 'go' }),
      report(3, {
        reason: 'make(9) is stopped',
        health: { level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' },
      }),
    ])
    expect(at.at(4)).toBe('working/thinking')
  })
})

describe.runIf(process.platform === 'linux')('a process', () => {
  const server = tmuxServer()
  const open: LocalSessions[] = []
  afterEach(async () => {
    for (const live of open.splice(0)) await live.close()
  })
  function watch(): LocalSessions {
    const live = localSessions(realClock(true), { stateFolder: temporaryFolder() })
    open.push(live)
    return live
  }
  const causeOf = ({ session }: LiveSession) => session.verdict.health.cause

  async function working() {
    const agent = await startStandIn()
    agent.status({ sessionId: 's', status: 'busy', statusUpdatedAt: Date.now() })
    const live = watch()
    await sessionOf(live, agent.pid, one => kindOf(one) === 'working')
    return { agent, live }
  }

  test('that is stopped (Ctrl+Z, SIGSTOP) is not at work, and is again when it is let go on', async () => {
    const { agent, live } = await working()
    process.kill(agent.pid, 'SIGSTOP')
    // Where the first look came after the stop, a second one makes sure.
    const isSure = ({ session }: LiveSession) => session.verdict.health.level === 'confirmed_stuck'
    const held = await sessionOf(live, agent.pid, one => kindOf(one) === 'unknown' && isSure(one))
    expect(held.session.verdict.health).toMatchObject({ level: 'confirmed_stuck', cause: 'stopped' })
    expect(needOf(held)).toBe('help')
    const [fresh] = (await watch().list()).filter(({ pid }) => pid === agent.pid)
    expect(fresh && [kindOf(fresh), causeOf(fresh)]).toEqual(['unknown', 'stopped'])
    process.kill(agent.pid, 'SIGCONT')
    await sessionOf(live, agent.pid, one => kindOf(one) === 'working' && causeOf(one) === undefined)
  })

  /** A group of cgroup v2, or of the freezer of v1; none where this machine lets nobody make one. */
  function newGroup(
    name: string,
  ): { put(pid: number): void; freeze(is: boolean): void; remove(): Promise<unknown> } | undefined {
    for (const [base, file, on, off] of [
      ['/sys/fs/cgroup', 'cgroup.freeze', '1', '0'],
      ['/sys/fs/cgroup/freezer', 'freezer.state', 'FROZEN', 'THAWED'],
    ] as const) {
      const folder = `${base}/lulltest-${name}`
      try {
        mkdirSync(folder)
        if (existsSync(`${folder}/${file}`))
          return {
            put: pid => writeFileSync(`${folder}/cgroup.procs`, String(pid)),
            freeze: is => writeFileSync(`${folder}/${file}`, is ? on : off),
            remove: () =>
              until(
                () => attempt(() => rmdirSync(folder)) ?? !existsSync(folder),
                isGone => isGone,
                `the end of ${folder}`,
              ),
          }
        rmdirSync(folder)
      } catch {}
    }
    return undefined
  }

  test('whose control group is frozen', async context => {
    const { agent, live } = await working()
    const group = newGroup(String(agent.pid))
    if (!group) return context.skip()
    try {
      group.put(agent.pid)
      group.freeze(true)
      const held = await sessionOf(live, agent.pid, one => kindOf(one) === 'unknown')
      expect(causeOf(held)).toBe('frozen')
      group.freeze(false)
      await sessionOf(live, agent.pid, one => kindOf(one) === 'working')
    } finally {
      group.freeze(false)
      await agent.kill()
      await group.remove()
    }
  })

  test.runIf(hasProgram('tmux'))('whose terminal takes no output (Ctrl-S)', async () => {
    const home = realpathSync(temporaryFolder())
    const { tmux } = server
    const pane = tmux(
      'new-window',
      '-dP',
      '-F',
      '#{pane_id} #{pane_pid}',
      '-e',
      `HOME=${home}`,
      'bash',
      '-c',
      'exec -a claude sleep 600',
    )
    const [id = '', pid] = pane.trim().split(' ')
    const live = watch()
    await sessionOf(live, Number(pid), one => kindOf(one) === 'starting')
    tmux('send-keys', '-t', id, 'C-s')
    const held = await sessionOf(live, Number(pid), one => kindOf(one) === 'unknown')
    expect(held.session.verdict.health).toMatchObject({ level: 'likely_stuck', cause: 'output' })
    tmux('send-keys', '-t', id, 'C-q')
    await sessionOf(live, Number(pid), one => kindOf(one) === 'starting')
  })
})
