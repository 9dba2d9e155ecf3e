/**
 * The hooks of Claude Code. Not MessageDisplay, which is a flood; never WorktreeCreate, which replaces `git worktree`.
 * Base: what 2.0.0 lists. The program holds several arrays of event names; all but the full list are parts of it.
 */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
  format: {
    kind: 'entries',
    isPlainJson: true,
    handler: { type: 'command' },
    switches: [
      { path: ['disableAllHooks'], off: true },
      { path: ['allowManagedHooksOnly'], off: true },
    ],
    alsoSwitchedIn: [
      '.claude/settings.json',
      '/etc/claude-code/managed-settings.json',
      '/Library/Application Support/ClaudeCode/managed-settings.json',
    ],
  },
  isSelfNaming: true,
  events: planned(
    [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Notification',
      'Stop',
      'SubagentStop',
      'PreCompact',
    ],
    [
      'PostToolUseFailure',
      'PostToolBatch',
      'PermissionRequest',
      'StopFailure',
      'SubagentStart',
      'PostCompact',
      'PermissionDenied',
      'Elicitation',
      'ElicitationResult',
      'TeammateIdle',
    ],
  ),
  user: { path: '.claude/settings.json', moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' } },
  project: { path: '.claude/settings.local.json', at: 'root', isShared: false },
  list: {
    near: '"UserPromptSubmit"',
    pattern: /\[((?:"[A-Z][A-Za-z]{2,40}",?)+)\]/g,
    holds: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'],
  },
  pidVariable: { name: 'CLAUDE_PID', why: 'is inherited by agents that Claude starts' },
}
