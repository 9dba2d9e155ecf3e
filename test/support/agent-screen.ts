/** A screen as text, and its state as one word. */
import type { AgentName } from '../../src/agents/agent-names.ts'
import { agents } from '../../src/agents/registry.ts'
import { noRules, readScreen, type ScreenReading } from '../../src/agents/screen/read-screen.ts'

/** @param agent undefined: an agent that lull does not know */
export const readText = (agent: AgentName | undefined, screen: string, title?: string): ScreenReading =>
  readScreen(agent ? agents[agent].screens : noRules, {
    grid: { rows: screen.split('\n') },
    ...(title === undefined ? {} : { title }),
  })

/** `working/tool`, `waiting/permission`, `idle/error`, `idle, a menu` */
export function wordOf({ state, isMenu }: ScreenReading): string {
  const detail =
    state.kind === 'waiting'
      ? `/${state.for}`
      : state.kind === 'working' && state.doing
        ? `/${state.doing}`
        : ''
  const after = state.kind === 'idle' && state.after ? `/${state.after}` : ''
  return `${state.kind}${detail}${after}${isMenu ? ', a menu' : ''}`
}

export const edge = '─'.repeat(60)

/** Claude Code's composer, with the rows below it. */
export const composerWith = (inside: string, footer = '  ⏵⏵ accept edits on (shift+tab to cycle)'): string =>
  `${edge}\n❯ ${inside}\n${edge}\n${footer}`
