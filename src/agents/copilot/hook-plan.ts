/** The hooks of Copilot CLI, in a file of our own: payloads do not name their event. */
import { parseJson } from '../../core/trace/trace.ts'
import { type HookPlan, planned } from '../kit/hook-plan.ts'

function fileText(commands: ReadonlyMap<string, string>): string {
  const entries = [...commands].map(([event, bash]) => [event, [{ type: 'command', bash }]])
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(entries) }, null, 2)}\n`
}

/** A command stands under one of these names, at any depth. */
const commandFields: readonly string[] = ['bash', 'command', 'powershell']

const commandsOf = (value: unknown): readonly unknown[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        commandFields.includes(name) ? [inner] : commandsOf(inner),
      )

export const hookPlan: HookPlan = {
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
