/** What of a connection depends on the machine of its sessions: this one, or that of a host elsewhere. */
import type { Instant } from '../core/state.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LoopOptions, LoopRun } from '../loop/loop.ts'
import type { TerminalEnd } from '../owned/close-owned.ts'
import type { OpenOptions } from '../owned/open-owned.ts'
import type { Diagnosis } from '../process/diagnosis.ts'
import type { RespawnAround, RespawnOptions, RespawnRun } from '../respawn/respawn.ts'
import type { Run } from '../run/run.ts'
import type { RunOptions } from '../run/run-options.ts'
import type { CallerContext } from '../sessions/address.ts'
import type { LiveSession, RequestPort } from '../sessions/session-source.ts'
import type { FollowOptions } from './lasting-source.ts'

type ListSessions = () => Promise<readonly LiveSession[]>

export type TerminalWhere = {
  readonly socket?: string
  /** Nothing will be typed. */
  readonly readOnly?: boolean
}

export type SessionMachine = {
  /** How addresses are read. */
  caller(): CallerContext
  /** The one session that is meant. */
  find(address: string, list: ListSessions): Promise<LiveSession>
  /** @throws {LullError} NO_SERVER where no tmux server answers there */
  checkServer(socket: string): Promise<unknown>
  sessionsAt(
    addresses: readonly string[],
    list: ListSessions,
    socket: string | undefined,
  ): Promise<readonly LiveSession[]>
  /** Addresses that mean the same to `caller`. With `appear` an address may mean nobody yet. */
  resolve(
    addresses: readonly string[],
    options: FollowOptions & { readonly appear: boolean },
  ): Promise<readonly string[]>
  /** When lull last typed into each session's terminal. */
  typedAt(): Promise<(session: LiveSession) => Instant | undefined>
  /** The error of a wait whose session ended just before it began; any other error unchanged. */
  endedInstead(error: unknown): Promise<unknown>
  terminal(
    address: string | undefined,
    where: TerminalWhere | undefined,
    list: ListSessions,
    requests: RequestPort,
  ): Promise<Terminal>
  open(name: string, options: OpenOptions): Promise<void>
  end(name: string, force: boolean): Promise<TerminalEnd>
  diagnose(pid: number): Promise<Diagnosis | undefined>
  run(words: readonly string[], options?: RunOptions): Promise<Run>
  loop(options?: LoopOptions): Promise<LoopRun>
  respawn(session: string, options: RespawnOptions, around: RespawnAround): Promise<RespawnRun>
}
