/** The hooks of Codex (0.169.0: 12 events, all read). It holds a JSON schema for the payload of each event it knows. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

const moved = { variable: 'CODEX_HOME', folder: '.codex' }

/**
 * A table for each hook that was trusted, `[hooks.state."FILE:stop:0:0"]`: file, event, group, place in it. The hash in
 * it is not checked: a changed command counts as trusted here, and is asked for again by Codex.
 */
const trustNote = (file: string, event: string, at: readonly [number, number]): string =>
  `"${[file, event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase(), ...at].join(':')}"`

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
  trust: { notedIn: { path: '.codex/config.toml', moved }, note: trustNote },
  afterwards: 'Codex asks once, at its next start, whether these hooks are trusted',
}
