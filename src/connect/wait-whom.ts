/** Whom a wait means: sessions that are there, and those that are still to come. */
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Places } from '../os/file/places.ts'
import { findOwned } from '../owned/find-owned.ts'
import { endOf } from '../owned/terminal-messages.ts'
import { type CallerContext, findSession, matchSessions } from '../sessions/address.ts'
import { isBoxRow } from '../sessions/session-names.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { Appearing } from '../sessions/wait/wait.ts'
import type { WaitRequest } from '../sessions/wait/wait-step.ts'
import { checkTurns, type WaitForOptions } from './wait-for.ts'

/**
 * A wait may begin just before a program's end or just after it: both report its end.
 * @returns any other error unchanged
 */
export async function endedInstead(error: unknown, places: Places): Promise<unknown> {
  if (!isLullError(error, 'NO_SESSION')) return error
  const { address } = error.facts
  const end = (await findOwned(address, places).catch(() => undefined))?.end
  if (!end) return error
  const { code, signal } = endOf(end)
  const how = signal === undefined ? `exited with ${code}` : `was ended by ${signal}`
  return new LullError(
    'TERMINAL_ENDED',
    `the terminal ${address} has ended: its program ${how} (lull read ${address} shows its last screen)`,
  )
}

/** In an address's place: every session, and whoever comes. */
export const everyone = '*'

export type Whom = {
  /** Of the sessions that are there. @throws {LullError} NO_SESSION, AMBIGUOUS_SESSION, BAD_ADDRESS, USAGE */
  find(sessions: readonly LiveSession[]): readonly LiveSession[]
  readonly appearing: Appearing
}

/** @throws {LullError} USAGE where all would have to be ready at one moment, and those that will come too */
export function whomOf(
  addresses: readonly string[],
  request: WaitRequest,
  { appear = false }: WaitForOptions,
  caller: CallerContext,
): Whom {
  if (!addresses.includes(everyone)) return named(addresses, request, appear, caller)
  if (addresses.length > 1 || request.mode !== 'any')
    throw new LullError(
      'USAGE',
      `"${everyone}" means whoever is there and whoever comes: give it alone, with any`,
    )
  return {
    find: sessions => sessions.filter(isSomebody),
    appearing: {
      toCome: () => Number.POSITIVE_INFINITY,
      among: change => newIn(change).filter(isSomebody),
    },
  }
}

/** A shell that was named is asked for by its name, and another user's agent by its id. One that has exited is over. */
function isSomebody(live: LiveSession): boolean {
  const { agent, owner, session } = live
  const isOver = session.verdict.state.kind === 'exited'
  return agent !== 'terminal' && owner === undefined && !isOver && !isBoxRow(live)
}

function newIn(change: LiveChange): readonly LiveSession[] {
  switch (change.type) {
    case 'snapshot':
      return change.sessions
    case 'changed':
      return [change.session]
    case 'gone':
      return []
  }
}

function named(
  addresses: readonly string[],
  request: WaitRequest,
  appear: boolean,
  caller: CallerContext,
): Whom {
  let absent: readonly string[] = []
  return {
    find(sessions) {
      absent = appear ? absentOf(addresses, sessions, caller) : []
      const isThere = (address: string) => !absent.includes(address)
      const found = addresses.filter(isThere).map(address => findSession(address, sessions, caller))
      // Two addresses may mean one session.
      const each = found.filter((session, n) => found.findIndex(({ id }) => id === session.id) === n)
      return checkTurns(request, each)
    },
    appearing: {
      toCome: () => absent.length,
      among(change) {
        const living = newIn(change).filter(isLiving)
        const come = absent.filter(address => matchSessions(address, living, caller).length > 0)
        absent = absent.filter(address => !come.includes(address))
        return checkTurns(
          request,
          come.map(address => findSession(address, living, caller)),
        )
      },
    },
  }
}

/** The addresses that mean no session yet. @throws {LullError} BAD_ADDRESS */
export const absentOf = (
  addresses: readonly string[],
  sessions: readonly LiveSession[],
  caller: CallerContext,
): readonly string[] => addresses.filter(address => !matchSessions(address, sessions, caller).some(isLiving))

/** One that has exited was there before: another one of its name is waited for. */
const isLiving = ({ session }: LiveSession): boolean => session.verdict.state.kind !== 'exited'
