/** What the CLIs of the corpus call their sessions in their terminals' titles, and what tells nothing. */
import { expect, test } from 'vitest'
import type { AgentName } from '../../src/agents/agent-names.ts'
import { ownTitle } from '../../src/agents/kit/title.ts'
import { agents } from '../../src/agents/registry.ts'

test.each<[AgentName, string, string | undefined]>([
  ['claude', '✳ Fix the login form', 'Fix the login form'],
  ['claude', '⠐ Fix the login form', 'Fix the login form'],
  ['claude', '✳ Claude Code', undefined],
  ['claude', 'bash', undefined],
  ['claude', '✳ api', undefined],
  ['cline', '> [[bash:20]] run a command', '[[bash:20]] run a command'],
  ['cline', 'Cline', undefined],
  ['copilot', '[[short]] say hello - GitHub Copilot', '[[short]] say hello'],
  ['copilot', 'GitHub Copilot', undefined],
  ['opencode', 'OC | Scripted title', 'Scripted title'],
  ['opencode', 'OC | New session - 2026-11-21T22:28:37.453Z', undefined],
  ['opencode', 'OpenCode', undefined],
  ['codex', '⠋ api', undefined],
  ['gemini', '◇  Ready (api)', undefined],
  ['pi', 'π - api', undefined],
  ['qwen', '◐︎ Qwen - api', undefined],
])('%s: %s', (name, title, called) => expect(ownTitle(agents[name], title, '/srv/api')).toBe(called))

test('it is short', () => {
  expect(ownTitle(agents.claude, `✳ ${'x'.repeat(1_000_000)}`)?.length).toBe(200)
})
