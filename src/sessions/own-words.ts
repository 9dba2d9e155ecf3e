/** What a session says of its state in words of its own: the same in the table, the history and a notification. Pure. */

import type { Facts } from '../core/evidence/signal.ts'
import { questionIn } from '../core/explain/explain.ts'
import type { Session } from '../core/session.ts'
import { errorWords } from '../core/text/error-words.ts'
import { reportedEnd } from './turn-end.ts'

export type OwnWords = {
  /** What it asks, while it waits. */
  readonly question?: string
  /** Of what ended in one. */
  readonly error?: string
  /** Its last message, once the turn is over. */
  readonly message?: string
}

export function ownWordsOf(session: Session): OwnWords {
  const { state } = session.verdict
  const { error, finalMessage: message } = session.facts
  const question = questionIn(state, session.facts)
  const end = reportedEnd(session)
  const hasFailed = end === 'error' || end === 'limit' || state.kind === 'exited'
  return {
    ...(question ? { question } : {}),
    ...(error && hasFailed ? { error: errorWords(error) } : {}),
    ...(message && end === 'turn' ? { message } : {}),
  }
}

/** `Bash: npm test`: the tool and what it works on; empty where none is known. */
export const toolWords = ({ tool, about }: Facts): string =>
  [tool, about].filter(word => word !== undefined).join(': ')
