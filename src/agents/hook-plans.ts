/**
 * The configuration that makes each agent report its events. This table loads no reader: the hint below the table of
 * `lull ps` names agents without hooks.
 */
import { parseJson } from '../core/trace/trace.ts'
import { type HookedName, hookedNames } from './agent-names.ts'
import { opencodePlan, piPlan } from './hook-modules.ts'
import { type HookedPlan, type HookPlan, planned } from './kit/hook-plan.ts'

/**
 * Claude Code. Left out: MessageDisplay, which fires for every piece of an answer, and WorktreeCreate, which replaces
 * `git worktree`. Base: the events that 2.0.0 lists. The program holds several arrays of event names. All but the full
 * list are parts of it.
 */
const claude: HookPlan = {
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
  held: {
    events: ['PermissionRequest'],
    where: { name: 'CLAUDE_CODE_SESSION_ATTENDED', value: '1' },
    // Seconds. It would end after ten minutes, and the dialog may stand for a night.
    handler: { timeout: 86_400 },
  },
}

const moved = { variable: 'CODEX_HOME', folder: '.codex' }

/**
 * The key of the table that Codex writes for each trusted hook, `[hooks.state."FILE:stop:0:0"]`: file, event, group, place
 * in the group. The hash in the table is not checked: a changed command counts as trusted here, and Codex asks again.
 */
const trustNote = (file: string, event: string, at: readonly [number, number]): string =>
  `"${[file, event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase(), ...at].join(':')}"`

/** Codex (0.169.0: 12 events, all read). The program holds a JSON schema for the payload of each event it knows. */
const codex: HookPlan = {
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

/** Gemini CLI. Left out: AfterModel, which fires for every piece of an answer, and the CLI waits for it. */
const gemini: HookPlan = {
  format: {
    kind: 'entries',
    group: { matcher: '*' },
    handler: { type: 'command', name: 'lull' },
    switches: [
      { path: ['hooksConfig', 'enabled'], off: false },
      { path: ['hooks', 'enabled'], off: false },
      { path: ['tools', 'enableHooks'], off: false },
    ],
    switchedOff: ['hooksConfig', 'disabled'],
  },
  isSelfNaming: true,
  events: planned([
    'SessionStart',
    'SessionEnd',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'BeforeTool',
    'AfterTool',
    'Notification',
  ]),
  user: { path: '.gemini/settings.json', moved: { variable: 'GEMINI_CLI_HOME', folder: '' } },
  project: { path: '.gemini/settings.json', at: 'folder', isShared: true },
  list: {
    near: '["BeforeAgent"] = "BeforeAgent"',
    pattern: /HookEventName\d*\["([A-Za-z]+)"\] = "\1"/g,
    holds: ['BeforeAgent', 'AfterAgent'],
  },
}

/** Qwen Code. Left out: MessageDisplay, which fires for every piece of an answer. */
const qwen: HookPlan = {
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

function fileText(commands: ReadonlyMap<string, string>): string {
  const entries = [...commands].map(([event, bash]) => [event, [{ type: 'command', bash }]])
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(entries) }, null, 2)}\n`
}

/** The fields that hold a command, at any depth. */
const commandFields: readonly string[] = ['bash', 'command', 'powershell']

const commandsOf = (value: unknown): readonly unknown[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        commandFields.includes(name) ? [inner] : commandsOf(inner),
      )

/** Copilot CLI: a file of our own. Payloads do not name their event. */
const copilot: HookPlan = {
  format: { kind: 'file', text: fileText, commandsIn: text => commandsOf(parseJson(text)) },
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

/** Cline: a program for each event, named like it. Another program of that name is left alone. */
const cline: HookPlan = {
  format: { kind: 'programs' },
  isSelfNaming: false,
  events: planned(['TaskStart', 'PreToolUse', 'PostToolUse', 'TaskComplete', 'TaskError', 'SessionShutdown']),
  user: { path: '.cline/hooks', moved: { variable: 'CLINE_DIR', folder: '.cline' } },
  project: { path: '.clinerules/hooks', at: 'root', isShared: true },
}

export const hookPlanOf: Readonly<Record<HookedName, HookPlan>> = {
  claude,
  codex,
  opencode: opencodePlan,
  gemini,
  qwen,
  copilot,
  pi: piPlan,
  cline,
}

export const hookPlans: readonly HookedPlan[] = hookedNames.map(name => ({ name, hooks: hookPlanOf[name] }))
