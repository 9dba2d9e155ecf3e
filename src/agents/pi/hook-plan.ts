/** What an extension of pi passes on. Not `message_update`, which is a flood. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: {
    kind: 'module',
    body: events => `
// Of a message, what tells how it ended and its last words; of a prompt the first.
function brief({ role, stopReason, errorMessage, model, usage, content }) {
  const text = Array.isArray(content) ? content.findLast(block => block?.type === 'text')?.text : content
  const kept = typeof text !== 'string' ? undefined : role === 'user' ? begun(text) : text.slice(-4000)
  return { role, stopReason, errorMessage, model, usage, content: kept === undefined ? [] : [{ type: 'text', text: kept }] }
}

export default function (pi) {
  for (const name of ${JSON.stringify(events)}) {
    pi.on(name, (event, context) => {
      const id = context?.sessionManager?.getSessionId?.()
      if (id && name === 'session_start') report('session', { id, session_id: id, cwd: context.cwd })
      const { reason, toolName, toolCallId, args, message } = event ?? {}
      const about = { ...(args ? { args: begun(args) } : {}), ...(message ? { message: brief(message) } : {}) }
      report(name, { session_id: id, reason, toolName, toolCallId, ...about })
    })
  }
}
`,
  },
  isSelfNaming: false,
  events: planned([
    'session_start',
    'session_shutdown',
    'agent_start',
    'agent_end',
    'turn_start',
    'message_end',
    'tool_execution_start',
    'tool_execution_end',
    'session_before_compact',
    'session_compact',
  ]),
  user: {
    path: '.pi/agent/extensions/lull.js',
    moved: { variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent' },
  },
  project: { path: '.pi/extensions/lull.js', at: 'folder', isShared: true },
}
