/** The names of hooks in docs/seeds.md#003, and in programs that were written for it, as the agent that they are of calls them. Pure. */
import type { HookedName } from './agent-names.ts'

export const hookWordsOf = { agent: 'claude' satisfies HookedName, title: 'Claude Code' } as const

const notices: readonly string[] = ['idle_prompt', 'permission_prompt', 'elicitation_dialog']
const events: readonly string[] = ['Stop', 'SubagentStop', 'PostToolUse', 'PreCompact', 'Notification']

export const hookWords: readonly string[] = ['stop', ...notices, 'SubagentStop', 'PostToolUse', 'PreCompact']

export type WordedHook = { readonly event: string; readonly notice?: string }

/** Undefined for a hook that the document does not name. */
export function hookOfWord(word: string): WordedHook | undefined {
  if (notices.includes(word)) return { event: 'Notification', notice: word }
  const event = word === 'stop' ? 'Stop' : word
  return events.includes(event) ? { event } : undefined
}
