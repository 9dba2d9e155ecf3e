/** The hooks of Cline: programs named like their events. Another's program of that name is left alone. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: { kind: 'programs' },
  isSelfNaming: false,
  events: planned(['TaskStart', 'PreToolUse', 'PostToolUse', 'TaskComplete', 'TaskError', 'SessionShutdown']),
  user: { path: '.cline/hooks', moved: { variable: 'CLINE_DIR', folder: '.cline' } },
  project: { path: '.clinerules/hooks', at: 'root', isShared: true },
}
