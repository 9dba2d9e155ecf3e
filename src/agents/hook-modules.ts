/** The hook plans of agents that load a module. It calls `report(event, payload)`, which the installer puts above it. */
import { type HookPlan, planned } from './kit/hook-plan.ts'

/** The plugin of OpenCode. It leaves out `message.part.*`, one for every piece of an answer. */
export const opencodePlan: HookPlan = {
  format: {
    kind: 'module',
    body: events => `
const events = new Set(${JSON.stringify(events)})
// A synthetic part is OpenCode's text, not the person's.
const written = parts => parts?.find?.(part => part?.type === 'text' && !part.synthetic)?.text

// Where its server takes the answer, also of what a terminal shows: whoever answers first is heard.
const answered = { 'permission.asked': '/permission/{requestID}/reply', 'question.asked': '/question/{requestID}/reply' }
const replyBy = (client, url, requestID) => body =>
  client.post({ url, path: { requestID }, body, headers: { 'content-type': 'application/json' } }).catch(() => {})

export const Lull = async plugin => ({
  event: async ({ event }) => {
    if (!events.has(event?.type)) return
    const { type, properties = {} } = event
    const [url, client] = [answered[type], plugin?.client?._client]
    report(type, properties, url && client && properties.id ? replyBy(client, url, properties.id) : undefined)
  },
  'chat.message': async (input, output) =>
    report('chat.message', { sessionID: input?.sessionID, prompt: begun(written(output?.parts)) }),
  'tool.execute.before': async ({ tool, sessionID, callID }, output) =>
    report('tool.execute.before', { tool, sessionID, callID, args: begun(output?.args) }),
  'tool.execute.after': async ({ tool, sessionID, callID }) =>
    report('tool.execute.after', { tool, sessionID, callID }),
})
`,
    // npm fetches `@opencode-ai/plugin` before any plugin is loaded: 79 s of retries where the registry can't be reached (1.18.33).
    beside: {
      path: '../.npmrc',
      lines: ['fetch-retries=0', 'fetch-timeout=10000'],
      why: 'OpenCode with a plugin starts a minute later where the npm registry can’t be reached',
    },
  },
  isSelfNaming: false,
  events: planned([
    'session.created',
    'session.status',
    'session.idle',
    'session.error',
    'message.updated',
    'permission.asked',
    'permission.updated',
    'permission.replied',
    'question.asked',
    'question.replied',
    'question.rejected',
    'chat.message',
    'tool.execute.before',
    'tool.execute.after',
  ]),
  user: {
    path: '.config/opencode/plugin/lull.js',
    moved: { variable: 'XDG_CONFIG_HOME', folder: '.config' },
  },
  project: { path: '.opencode/plugin/lull.js', at: 'root', isShared: true },
}

/** The extension of pi. It leaves out `message_update`, one for every piece of an answer. */
export const piPlan: HookPlan = {
  format: {
    kind: 'module',
    body: events => `
// Of a message: how it ended, and its end. Of a prompt: its beginning.
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
