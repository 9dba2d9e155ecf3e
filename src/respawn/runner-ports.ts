/** What a runner of respawn acts through: replaced in tests. */
import type { Clock } from '../core/clock.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { AcceptRule } from './accept/accept-fields.ts'
import type { Judgement } from './judge/judge-driver.ts'
import type { RespawnEvent } from './respawn-events.ts'
import type { StopWhy } from './step/respawn-state.ts'

export type RunnerPorts = {
  readonly clock: Clock
  readonly rules: readonly AcceptRule[]
  /** Where the plan's files lie. */
  readonly folder: string
  readonly isDry: boolean
  /** All sessions now. */
  sessions(): Promise<readonly LiveSession[]>
  terminal(session: LiveSession): Promise<Terminal>
  /** Where the session is, or was, whatever has the terminal now. */
  place(session: LiveSession): Promise<Terminal>
  /** When a person last pressed a key there, ms since the epoch. */
  personAt(session: LiveSession): Promise<number | undefined>
  judge?(session: LiveSession, signal: AbortSignal): Promise<Judgement | undefined>
  /** Whether its screen shows a plan. */
  judgePlan?(session: LiveSession, signal: AbortSignal): Promise<Judgement<'plan'> | undefined>
  /** It keeps this session going from now on. @throws {LullError} where another one does */
  moved(to: LiveSession): Promise<void>
  emit(event: RespawnEvent, why: string, text?: string): void
  stopped(why: StopWhy): void
  /** What no rule of lull's foresaw. */
  failed(error: unknown): void
}
