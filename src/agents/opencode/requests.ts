/**
 * What OpenCode asks, as its plugin reports it, and the reply that the plugin gives to its server (1.18.33). Pure.
 * docs/answer.md#opencode
 */
import { isRecord } from '../../core/trace/trace.ts'
import { type HookRequest, type LaterInput, permissionRequest, questionRequest } from '../kit/hook-request.ts'

export function readRequest(event: string, payload: unknown): HookRequest | undefined {
  if (!isRecord(payload)) return undefined
  const { id } = payload
  if (event === 'question.asked')
    return questionRequest(
      'question',
      { questions: payload.questions },
      (_question, label) => ({ answers: [[label]] }),
      later => answerOf(endOf(id, later)),
    )
  const { permission: tool, metadata, patterns } = payload
  if (event !== 'permission.asked' || typeof tool !== 'string') return undefined
  const input = { ...(isRecord(metadata) ? metadata : {}), patterns }
  return permissionRequest(
    { tool, input },
    ['command', 'filepath'],
    {
      yes: { label: 'Allow once', reply: { reply: 'once' } },
      no: { label: 'Reject', reply: { reply: 'reject' } },
    },
    later => wordOf(endOf(id, later)),
  )
}

/** The event that ends a request names it, and the reply that counted: the first. */
function endOf(id: unknown, later: LaterInput): Readonly<Record<string, unknown>> | undefined {
  if (later.type !== 'hook' || !/^(?:permission|question)\.(?:replied|rejected)$/.test(later.event))
    return undefined
  const { payload } = later
  return isRecord(payload) && typeof id === 'string' && payload.requestID === id ? payload : undefined
}

const wordOf = (end: ReturnType<typeof endOf>) =>
  end && (end.reply === 'reject' ? ('no' as const) : ('yes' as const))

/** One that was rejected has no answers. */
function answerOf(end: ReturnType<typeof endOf>): string | undefined {
  if (!end) return undefined
  const [first] = Array.isArray(end.answers) ? end.answers : []
  return Array.isArray(first) && first.length === 1 && typeof first[0] === 'string' ? first[0] : ''
}
