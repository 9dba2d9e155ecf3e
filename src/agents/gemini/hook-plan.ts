/** The hooks of Gemini CLI. Not AfterModel, which fires for every piece of an answer and is waited for. */
import { type HookPlan, planned } from '../kit/hook-plan.ts'

export const hookPlan: HookPlan = {
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
