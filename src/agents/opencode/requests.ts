/**
 * What OpenCode asks, as its plugin reports it, and the reply that the plugin gives to its server (1.18.33). Pure.
 * docs/answer.md#opencode
 */
import { isRecord } from '../../core/trace/trace.ts'
import { type HookRequest, permissionRequest, questionRequest } from '../kit/hook-request.ts'

export function readRequest(event: string, payload: unknown): HookRequest | undefined {
  if (!isRecord(payload)) return undefined
  if (event === 'question.asked')
    return questionRequest('question', { questions: payload.questions }, (_question, label) => ({
      answers: [[label]],
    }))
  const { permission: tool, metadata, patterns } = payload
  if (event !== 'permission.asked' || typeof tool !== 'string') return undefined
  const input = { ...(isRecord(metadata) ? metadata : {}), patterns }
  return permissionRequest({ tool, input }, ['command', 'filepath'], {
    yes: { label: 'Allow once', reply: { reply: 'once' } },
    no: { label: 'Reject', reply: { reply: 'reject' } },
  })
}
