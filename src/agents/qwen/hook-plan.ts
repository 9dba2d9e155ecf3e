/** The hooks of Qwen Code. Not MessageDisplay, which is a flood. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: {
    kind: 'entries',
    handler: { type: 'command', name: 'lull' },
    switches: [{ path: ['disableAllHooks'], off: true }],
  },
  isSelfNaming: true,
  events: planned(
    [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PermissionRequest',
      'Notification',
      'Stop',
    ],
    ['PostToolUseFailure', 'PostToolBatch', 'StopFailure', 'PreCompact', 'PostCompact'],
  ),
  user: { path: '.qwen/settings.json', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
  project: { path: '.qwen/settings.json', at: 'folder', isShared: true },
  list: {
    near: '["UserPromptSubmit"] = "UserPromptSubmit"',
    pattern: /HookEventName\d*\["([A-Za-z]+)"\] = "\1"/g,
    holds: ['UserPromptSubmit', 'Stop'],
  },
}
