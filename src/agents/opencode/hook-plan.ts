/** What a plugin of OpenCode passes on. Not `message.part.*`, which are a flood. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: {
    kind: 'module',
    body: events => `
const events = new Set(${JSON.stringify(events)})
// What OpenCode adds of its own is no word of the person's.
const written = parts => parts?.find?.(part => part?.type === 'text' && !part.synthetic)?.text

export const Lull = async () => ({
  event: async ({ event }) => {
    if (events.has(event?.type)) report(event.type, event.properties ?? {})
  },
  'chat.message': async (input, output) =>
    report('chat.message', { sessionID: input?.sessionID, prompt: begun(written(output?.parts)) }),
  'tool.execute.before': async ({ tool, sessionID, callID }, output) =>
    report('tool.execute.before', { tool, sessionID, callID, args: begun(output?.args) }),
  'tool.execute.after': async ({ tool, sessionID, callID }) =>
    report('tool.execute.after', { tool, sessionID, callID }),
})
`,
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
