/** Sessions as words that a shell may put on a command line. */
import path from 'node:path'
import { type CallerContext, matchSessions } from '../../sessions/address.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { stateOf } from '../ui/session-rows.ts'
import type { Proposal } from './proposals.ts'

/**
 * Names and folders are chosen by others, and what is proposed is run with the next Enter: only what no shell reads anything
 * into is.
 */
const harmless = /^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u

/** Each by the shortest word that means it alone: its name, its folder's, or its id. */
export function sessionWords(sessions: readonly LiveSession[], caller: CallerContext): readonly Proposal[] {
  return sessions.map(session => {
    const { id, agent, name, cwd } = session
    const names = [name, cwd === undefined ? undefined : path.basename(cwd)]
    const word = names.find(
      text => text !== undefined && harmless.test(text) && matchSessions(text, sessions, caller).length === 1,
    )
    const folder = cwd === undefined ? '' : `, ${shortFolder(cwd, caller.home)}`
    return { word: word ?? id, about: `${agent}, ${stateOf(session)}${folder}` }
  })
}
