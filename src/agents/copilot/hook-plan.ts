/** The hooks of Copilot CLI, in a file of our own: payloads do not name their event. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: { kind: 'json' },
  isSelfNaming: false,
  events: planned([
    'sessionStart',
    'sessionEnd',
    'userPromptSubmitted',
    'preToolUse',
    'permissionRequest',
    'postToolUse',
    'notification',
    'errorOccurred',
    'agentStop',
  ]),
  user: { path: '.copilot/hooks/lull.json', moved: { variable: 'COPILOT_HOME', folder: '.copilot' } },
  project: { path: '.github/hooks/lull.json', at: 'root', isShared: true },
}
