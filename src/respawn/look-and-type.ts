/** A runner's ports to the sessions of this machine: through a connection. */
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { explain } from '../core/explain/explain.ts'
import { explanationOf } from '../core/explain/explanation.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { personNear } from '../sessions/person-near.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { JudgeConfig } from './judge/judge-config.ts'
import { judgeDriver, type ShownToJudge } from './judge/judge-driver.ts'
import type { RunnerPorts } from './runner-ports.ts'

/** The connection that it looks and types through. */
export type RespawnAround = {
  find(session: string): Promise<LiveSession>
  sessions(): Promise<readonly LiveSession[]>
  changes(): AsyncIterable<LiveChange>
  terminal(address: string, options?: { readonly socket?: string }): Promise<Terminal>
}

export const lookAndType = (
  around: RespawnAround,
  clock: Clock,
): Pick<RunnerPorts, 'clock' | 'sessions' | 'terminal' | 'place' | 'personAt'> => ({
  clock,
  sessions: () => around.sessions(),
  terminal: live => around.terminal(live.id),
  place: ({ terminal, tmux, pane }) =>
    terminal === undefined
      ? around.terminal(`tmux:${pane}`, defined({ socket: tmux }))
      : around.terminal(terminal),
  personAt: async live => (await personNear(live))?.keyAt,
})

export function judgePorts(
  judge: JudgeConfig | undefined,
  around: RespawnAround,
  clock: Clock,
): Pick<RunnerPorts, 'judge' | 'judgePlan'> {
  if (!judge) return {}
  const asks = judgeDriver(judge, () => clock.now())
  const shown = (live: LiveSession) => () => shownOf(live, around, clock)
  return {
    judge: (live, signal) => asks.ask('idle', shown(live), signal),
    judgePlan: (live, signal) => asks.ask('plan', shown(live), signal),
  }
}

async function shownOf(live: LiveSession, around: RespawnAround, clock: Clock): Promise<ShownToJudge> {
  await using terminal = await around.terminal(live.id)
  const rows = await terminal.read({ screen: true })
  const { evidence } = explanationOf(live.session, clock.now())
  const shown = [
    explain(live.session.verdict, clock.now(), live.session.facts),
    ...evidence.map(({ evidence: { source, what } }) => `${source}: ${what}`),
  ]
  return { screen: rows.join('\n'), evidence: shown }
}
