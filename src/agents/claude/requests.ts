/**
 * What Claude Code asks in its PermissionRequest hook, and the decision that it takes there while its dialog stands (2.1.330).
 * Pure. docs/answer.md#claude-code
 */
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { type HookRequest, type LaterInput, permissionRequest, questionRequest } from '../kit/hook-request.ts'
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
      return permissionRequest(
        { tool, input },
        ['command', 'file_path', 'url'],
        {
          yes: { label: 'Yes', reply: decision({ behavior: 'allow' }) },
          no: { label: 'No', reply: no },
        },
        later => (resultOf(tool, input, later) ? 'yes' : decidedIn(later)),
      )
    case 'question':
      return questionRequest(
        tool,
        input,
        (question, label) =>
          decision({ behavior: 'allow', updatedInput: { ...input, answers: { [question]: label } } }),
        (later, question) =>
          answerIn(resultOf(tool, input, later), question) ?? (decidedIn(later) === 'no' ? '' : undefined),
      )
    default:
      return undefined
  }
}

/** The hook of what the call came to: then it ran. Of a question the answers have been put into its input. */
function resultOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  later: LaterInput,
): Readonly<Record<string, unknown>> | undefined {
  if (later.type !== 'hook' || !/^PostToolUse(?:Failure)?$/.test(later.event)) return undefined
  const { payload } = later
  if (!isRecord(payload) || payload.agent_id !== undefined || payload.tool_name !== tool) return undefined
  const { tool_input: given } = payload
  const isSame =
    isRecord(given) && Object.entries(input).every(([name, value]) => isAlike(given[name], value))
  return isSame ? payload : undefined
}

const isAlike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function answerIn(result: ReturnType<typeof resultOf>, question: string): string | undefined {
  if (!result) return undefined
  const found = [result.tool_response, result.tool_input]
    .flatMap(one => (isRecord(one) && isRecord(one.answers) ? [one.answers[question]] : []))
    .find(answer => typeof answer === 'string')
  return typeof found === 'string' ? found : ''
}

/**
 * What its transcript notes: that a hook's yes counted, and of a refusal whether it came before the call ran. One that came later
 * broke off what had been allowed (2.1.330).
 */
function decidedIn(later: LaterInput): 'yes' | 'no' | 'neither' | undefined {
  const row = later.type === 'line' ? parseJson(later.line) : undefined
  if (!isRecord(row) || row.isSidechain === true) return undefined
  const { attachment, toolDenialKind, toolDenialBeforeRun } = row
  if (isRecord(attachment) && attachment.type === 'hook_permission_decision')
    return attachment.hookEvent === 'PermissionRequest' && attachment.decision === 'allow' ? 'yes' : undefined
  if (toolDenialKind !== 'user-rejected') return undefined
  return toolDenialBeforeRun === true ? 'no' : 'neither'
}
