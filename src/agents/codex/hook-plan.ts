/** The hooks of Codex (0.169.0: 12 events, all read). It holds a JSON schema for the payload of each event it knows. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

const moved = { variable: 'CODEX_HOME', folder: '.codex' }

export const hookPlan: HookPlan = {
  format: { kind: 'entries', isPlainJson: true, handler: { type: 'command' }, switches: [] },
  isSelfNaming: true,
  events: planned(
    ['SessionStart', 'UserPromptSubmit', 'Stop'],
    [
      'SessionEnd',
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'PreCompact',
      'PostCompact',
      'SubagentStart',
      'SubagentStop',
      'Interrupt',
    ],
  ),
  user: { path: '.codex/hooks.json', moved },
  project: { path: '.codex/hooks.json', at: 'root', isShared: true },
  list: {
    near: '"hook_event_name": {',
    pattern: /"hook_event_name": \{\s*"const": "([A-Za-z]+)"/g,
    holds: ['SessionStart', 'Stop'],
  },
  trustedIn: { path: '.codex/config.toml', moved },
  afterwards: 'Codex asks once, at its next start, whether these hooks are trusted',
}
