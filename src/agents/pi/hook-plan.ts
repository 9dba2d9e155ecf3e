/** What an extension of pi passes on. Not `message_update`, which is a flood. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: { kind: 'module', module: 'pi' },
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
  ]),
  user: {
    path: '.pi/agent/extensions/lull.js',
    moved: { variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent' },
  },
  project: { path: '.pi/extensions/lull.js', at: 'folder', isShared: true },
}
