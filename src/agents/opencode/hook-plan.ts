/** What a plugin of OpenCode passes on. Not `message.part.*`, which are a flood. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: { kind: 'module', module: 'opencode' },
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
