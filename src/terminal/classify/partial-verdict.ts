/** A part of the judgement of a terminal: `classify` fills in what it leaves out. */
import type { Tier } from '../../core/evidence/signal.ts'
import type { Health, State } from '../../core/state.ts'
import type { Probe, TerminalProcess } from '../probe/probed.ts'
import { nameOf } from './shells.ts'

export type PartialVerdict = {
  readonly state: State
  readonly tier: Tier
  readonly why: string
  readonly health?: Health
  readonly reader?: number
  readonly isContinuation?: boolean
  readonly behind?: string
  readonly observeAgainIn?: number
}

export const command: State = { kind: 'working', doing: 'command' }
export const input: State = { kind: 'waiting', for: 'input' }

/** @param why goes on after the process' name: `reads a line` */
export const partialBy = (
  process: TerminalProcess,
  state: State,
  tier: Tier,
  why: string,
): PartialVerdict => ({
  state,
  tier,
  why: `${nameOf(process)} ${why}`,
  reader: process.pid,
})

/** How many ms of quiet are missing; none where it was quiet for long enough. Where nobody watched, all of them are. */
export function missingQuiet({ quiet = 0 }: Probe, wanted: number): number | undefined {
  return quiet >= wanted ? undefined : wanted - quiet
}

export const isAlternate = ({ screen, stream }: Probe): boolean =>
  screen?.alternate ?? stream?.alternate?.on ?? false
