/**
 * What Claude Code asks in its PermissionRequest hook, and the decision that it takes there while its dialog stands (2.1.330).
 * Pure. docs/answer.md#claude-code
 */
import { isRecord } from '../../core/trace/trace.ts'
import { type HookRequest, permissionRequest, questionRequest } from '../kit/hook-request.ts'
import { askReason } from '../kit/tools.ts'

const decision = (decided: object): object => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: decided },
})

/** As its own “No”: the turn ends, and the person says what is to be done instead. */
const no = decision({
  behavior: 'deny',
  message: 'The user refused this. Stop, and wait for what the user says.',
  interrupt: true,
})

/** Plans have more answers than yes and no, and a subagent's dialog may be drawn much later: the screen alone answers them. */
export function readRequest(event: string, payload: unknown): HookRequest | undefined {
  if (event !== 'PermissionRequest' || !isRecord(payload) || payload.agent_id !== undefined) return undefined
  const { tool_name: tool, tool_input: input } = payload
  if (typeof tool !== 'string' || !isRecord(input)) return undefined
  switch (askReason(tool)) {
    case undefined:
      return permissionRequest({ tool, input }, ['command', 'file_path', 'url'], {
        yes: { label: 'Yes', reply: decision({ behavior: 'allow' }) },
        no: { label: 'No', reply: no },
      })
    case 'question':
      return questionRequest(tool, input, (question, label) =>
        decision({ behavior: 'allow', updatedInput: { ...input, answers: { [question]: label } } }),
      )
    default:
      return undefined
  }
}
