/** What a refusal is in HTTP: the code, sentence and facts of the command line, under the status that fits. */
import { HTTPException } from 'hono/http-exception'
import { sentenceFor } from '../core/error-sentence.ts'
import { exitCode } from '../core/exit-codes.ts'
import { type ErrorCode, isLullError, type LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import type { JsonValue } from '../history/entry.ts'
import { ActionRefusal, type Reply } from './api-actions.ts'
import { TooMany } from './api-ports.ts'

/** Where the exit code does not give the status: 400 for a usage error, 410 for what has ended, else 409 for what a session refuses. */
const statuses: Partial<Record<ErrorCode, number>> = {
  NO_SESSION: 404,
  NO_PANE: 404,
  NO_RECORDING: 404,
  RECORDING_CHANGED: 409,
  RECORDED: 409,
  AMBIGUOUS_SESSION: 409,
  AMBIGUOUS_PANE: 409,
  NAME_TAKEN: 409,
  NO_OPTION: 409,
  RESPAWN_GONE: 404,
  NOT_SHARED: 403,
  READ_ONLY: 403,
  TOO_MANY: 429,
  ENDED: 410,
  NO_SERVER: 503,
  NO_TMUX: 503,
  NO_ANSWER: 503,
  REFUSED_FILE: 503,
  BAD_PLACE: 503,
  BAD_HISTORY: 503,
  HOST_GONE: 503,
  TERMINALS_GONE: 503,
  SOURCE_GONE: 503,
  CLOSED: 503,
}

export const errorBody = (code: string, message: string, facts?: object): Reply['body'] => ({
  error: {
    code,
    message,
    ...(facts && Object.keys(facts).length > 0
      ? { facts: facts as { readonly [field: string]: JsonValue } }
      : {}),
  },
})

export function errorReply(error: unknown): Reply | undefined {
  if (error instanceof ActionRefusal)
    return { status: error.status, body: errorBody(error.code, error.message) }
  if (!isLullError(error)) return undefined
  return { status: statusOf(error), body: errorBody(error.code, error.message, error.facts) }
}

/** For anything that was thrown. @param complain told of what is no refusal */
export function failureReply(error: Error, complain: (sentence: string) => void): Reply {
  const reply = errorReply(error)
  if (reply) return reply
  if (error instanceof TooMany) return { status: 429, body: errorBody('TOO_MANY', error.message) }
  if (error instanceof HTTPException) {
    const code = error.status === 401 ? 'WRONG_TOKEN' : 'BAD_REQUEST'
    return { status: error.status, body: errorBody(code, oneLine(error.message, 200)) }
  }
  complain(`the API failed: ${error.message}`)
  const sentence = sentenceFor(error) ?? 'this failed inside lull; its log has the reason'
  return { status: 500, body: errorBody('FAILED', sentence) }
}

/** What an action has done, or its refusal; what is no refusal is thrown. */
export async function replyOf(act: () => Promise<Reply['body']>): Promise<Reply> {
  try {
    return { status: 200, body: await act() }
  } catch (error) {
    const refused = errorReply(error)
    if (refused) return refused
    throw error
  }
}

const statusOf = ({ code, exit }: LullError): number =>
  statuses[code] ?? (exit === exitCode.usage ? 400 : exit === exitCode.gone ? 410 : 409)
