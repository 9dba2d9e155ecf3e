/** What an agent says of itself decides whether it is typed into, as long as it can say it. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../src/agents/agent-names.ts'
import type { State } from '../../src/core/state.ts'
import { judgePane, refusal } from '../../src/drive/refusal.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { asks, menu, rests } from '../support/agent-screens.ts'
import { withVerdict } from '../support/live.ts'
import { probeOf, process } from '../support/probes.ts'

async function refused(agent: AgentName, state: State, force = false): Promise<string | undefined> {
  const probe = probeOf([process(agent, 'epoll_wait+3')], { mode: 'ce' })
  const observation = { probe, verdict: classify(probe), isSteady: true, isWhole: true, lines: [] }
  const judged = await judgePane(observation, async () => [withVerdict({ state }, { agent, pid: 100 })])
  return refusal(judged, force)?.message
}

const tool: State = { kind: 'working', doing: 'tool' }

test('an agent that tells nobody that it asks may do so where it says that a tool runs', async () => {
  expect(await refused('cline', tool)).toContain('tells nobody')
  expect(await refused('cline', tool, true)).toBeUndefined()
  expect(await refused('cline', { kind: 'working', doing: 'thinking' })).toBeUndefined()
  expect(await refused('cline', { kind: 'idle', after: 'turn' })).toBeUndefined()
  expect(await refused('claude', tool)).toBeUndefined()
})

test.each(['permission', 'trust', 'plan', 'login', 'question', 'dialog'] as const)(
  'nothing is typed into a %s, by force neither, and lull answer is named',
  async reason => {
    for (const agent of ['claude', 'codex', 'opencode'] as const)
      for (const force of [false, true])
        expect(await refused(agent, { kind: 'waiting', for: reason }, force)).toMatch(
          /^it is waiting .*: lull answer chooses an option/,
        )
  },
)

test('what its screen asks is typed into by nobody, whatever the agent says of itself; a menu by force alone', async () => {
  const typed = async (rows: readonly string[], force: boolean) => {
    const probe = probeOf([process('claude', 'epoll_wait+3')], { mode: 'ce' })
    const screen = { rows, columns: 40, cursor: { row: 0, column: 0 } }
    const observation = { probe, verdict: classify(probe), isSteady: true, isWhole: true, lines: [], screen }
    const idle = withVerdict({ state: { kind: 'idle', after: 'turn' } }, { agent: 'claude', pid: 100 })
    return refusal(await judgePane(observation, async () => [idle]), force)?.message
  }
  expect(await typed(asks, false)).toContain('its screen shows a dialog: lull answer')
  expect(await typed(asks, true)).toContain('its screen shows a dialog')
  expect(await typed(menu, false)).toContain('its screen shows a menu')
  expect(await typed(menu, true)).toBeUndefined()
  expect(await typed(rests, false)).toBeUndefined()
})

test('nothing is typed into the copy mode of a tmux within, whatever its program does; by force it is', async () => {
  const inner = probeOf([process('sleep 9', '-clock_nanosleep', 101)], { tty: '/dev/pts/10', leader: 101 })
  const relay = { pid: 100, name: 'tmux: client', isInMode: true } as const
  const probe = probeOf([process('tmux', '-poll')], { mode: 'ce', relay, inner })
  const verdict = classify(probe)
  expect(verdict.state.kind).toBe('working')
  const observation = { probe, verdict, isSteady: true, isWhole: true, lines: [] }
  const judged = await judgePane(observation, async () => [])
  expect(refusal(judged, false)?.message).toContain('copy mode')
  expect(refusal(judged, true)).toBeUndefined()
})

test('a relay that reads for the agent is no other program, whatever the mode of its own terminal', async () => {
  const inner = probeOf([process('claude', 'read(1000)', 101)], {
    mode: 'ce',
    tty: '/dev/pts/10',
    leader: 101,
  })
  const probe = probeOf([process('socat - EXEC:claude', 'poll+1')], { inner })
  const verdict = { ...classify(inner), reader: 101 }
  const observation = { probe, verdict, isSteady: true, isWhole: true, lines: [] }
  const idle = withVerdict({ state: { kind: 'idle', after: 'turn' } }, { agent: 'claude', pid: 101 })
  const judged = await judgePane(observation, async () => [idle], idle)
  expect(refusal(judged, false)).toBeUndefined()
})
