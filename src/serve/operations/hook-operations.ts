/**
 * The door of docs/seeds.md#003: its hooks and its `DetectionStatus`, for programs that were written for it. A hook goes the
 * way of all hooks. The document lets localhost in without a token; here every user of the machine is on localhost.
 */
import path from 'node:path'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import { hookOfWord, hookWords, hookWordsOf } from '../../agents/hook-words.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import type { HookReport } from '../../hooks/receiver.ts'
import { homeFolder } from '../../sessions/caller-context.ts'
import { detectionStatus } from '../../sessions/detection-status.ts'
import { isOwnTranscript } from '../../sessions/discover/own-transcript.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { detectionShape, hookAnswerShape, hookEventShape } from '../../shapes/hook-event-shape.ts'
import type { ApiPorts } from '../api-ports.ts'
import { type ApiEnv, addOperation } from './operation.ts'

const { agent, title } = hookWordsOf

export function addHookOperations(app: OpenAPIHono<ApiEnv>, { lull, clock, receive }: ApiPorts): void {
  /** Undefined where it is the agent's own id of its session. */
  const sessionAt = async (address: string): Promise<LiveSession | undefined> => {
    try {
      return await lull.find(address)
    } catch (error) {
      if (isLullError(error, 'NO_SESSION')) return undefined
      throw error
    }
  }

  addOperation(
    app,
    {
      ...{ method: 'post', path: '/api/hook-event', operationId: 'hookEvent' },
      summary: `A hook of ${title}: its own payload, or {event, sessionId, data}`,
      body: hookEventShape,
      answer: hookAnswerShape,
    },
    async ({ body }) => {
      const { event, payload } = hookOf(body)
      const named = body.sessionId === undefined ? undefined : await sessionAt(body.sessionId)
      if (named && named.agent !== agent)
        throw new LullError('USAGE', `${named.id} is ${named.agent}: this path takes hooks of ${title}`)
      const session = named ? {} : { session_id: payload.session_id ?? body.sessionId }
      const id = receive({
        ...{ agent, event, payload: { ...payload, ...session } },
        ...(named ? { sender: { pids: [named.pid], isShared: false } } : {}),
      })
      if (id === undefined) {
        const address = payload.session_id ?? body.sessionId ?? ''
        throw new LullError('NO_SESSION', `no ${title} that runs can have sent this hook`, { address })
      }
      return { session: id, event, ...transcriptOf(await lull.find(id), payload.transcript_path) }
    },
  )

  addOperation(
    app,
    {
      ...{ method: 'get', path: '/api/sessions/{id}/detection', operationId: 'getDetection' },
      summary: 'DetectionStatus of a session: the hooks that ended its turn, and how idle it is',
      answer: detectionShape,
    },
    async ({ id }) => {
      const moment = { now: clock.now(), wall: clock.wall() }
      const { confidence, idleConfidence, ...status } = detectionStatus(await lull.find(id), moment)
      // The document's number has the document's name here.
      return { ...status, confidence: idleConfidence, verdictConfidence: confidence }
    },
  )
}

const taken = hookWords.join(', ')

type Body = z.infer<typeof hookEventShape>
type Payload = NonNullable<Body['data']>

/** @throws {LullError} USAGE for an event that the document does not name */
function hookOf({ event: given, sessionId: _, data, ...raw }: Body): {
  readonly event: HookReport['event']
  readonly payload: Payload
} {
  const payload: Payload = { ...raw, ...data }
  const named = given ?? payload.hook_event_name ?? undefined
  if (named === undefined)
    throw new LullError('USAGE', `neither event nor hook_event_name names the hook: it is one of ${taken}`)
  const hook = hookOfWord(named)
  if (!hook)
    throw new LullError('USAGE', `this path takes no hook of that name, only ${taken}: see lull hooks`)
  const file = payload.transcript_path
  const { event, notice } = hook
  return {
    event,
    payload: {
      ...payload,
      hook_event_name: event,
      ...(notice === undefined ? {} : { notification_type: notice }),
      ...(file?.startsWith('~/') ? { transcript_path: path.join(homeFolder(), file.slice(2)) } : {}),
    },
  }
}

function transcriptOf(live: LiveSession, file: string | null | undefined): z.infer<typeof transcriptOnly> {
  if (!file) return {}
  if (live.transcript === file) return { transcript: file }
  if (isOwnTranscript(live, file)) return {}
  return {
    note: 'transcript_path was ignored: it is not in the folders where this agent keeps its transcripts',
  }
}
const transcriptOnly = hookAnswerShape.pick({ transcript: true, note: true })
