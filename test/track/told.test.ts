/** What each agent does, as recorded sessions tell it: its tool with what that works on, and the prompt. */
import { describe, expect, test } from 'vitest'
import { errorWords } from '../../src/core/text/error-words.ts'
import { replay } from '../../src/track/replay.ts'
import { linesOf } from '../support/recordings.ts'

type Told = { tools: string[]; prompts: string[]; errors: string[]; ends: string[] }

/** All that is told of a recording with some of its sources. `h` are hooks, `t` lines of transcripts. */
function told(name: string, without = '-'): Told {
  const lines = linesOf(name).filter((line, at) => at === 0 || JSON.parse(line)[1] !== without)
  const sets = { tools: new Set<string>(), prompts: new Set<string>(), errors: new Set<string>() }
  const ends = new Set<string>()
  for (const { session } of replay(lines, { isSame: () => false })) {
    const { tool, about = '', prompt, error } = session.facts
    const { state } = session.verdict
    if (tool !== undefined) sets.tools.add(`${tool}: ${about}`)
    if (prompt !== undefined) sets.prompts.add(prompt)
    if (error !== undefined) sets.errors.add(errorWords(error))
    if (state.kind === 'idle' && tool !== undefined) ends.add(tool)
  }
  const { tools, prompts, errors } = sets
  return { tools: [...tools], prompts: [...prompts], errors: [...errors], ends: [...ends] }
}

const sleep = 'sleep 20 && echo slept-20'
const touch = 'touch made-by-agent.txt && curl -s http://127.0.0.1:9/ ; echo x > made-by-agent.txt'

describe('by hooks', () => {
  test.each([
    ['claude-bash20', `Bash: ${sleep}`],
    ['codex-bash20', `Bash: ${sleep}`],
    ['gemini-bash20', `run_shell_command: ${sleep}`],
    ['pi-bash20', `bash: ${sleep}`],
    ['cline-bash20', `run_commands: ${sleep}`],
    ['copilot-permission', `bash: ${touch}`],
    ['opencode-permission', `bash: ${touch}`],
  ])('%s', (name, tool) => {
    const { tools, ends } = told(name, 't')
    expect(tools).toContain(tool)
    expect(ends).toEqual([])
  })
})

describe('by transcripts', () => {
  test.each([
    ['claude-bash20', `Bash: ${sleep}`],
    ['codex-bash20', `exec_command: ${sleep}`],
    ['codex-question', 'request_user_input: Which database should I use?'],
    ['qwen-bash20', `run_shell_command: ${sleep}`],
    ['pi-bash20', `bash: ${sleep}`],
    ['copilot-permission', `bash: ${touch}`],
  ])('%s', (name, tool) => expect(told(name, 'h').tools).toContain(tool))
})

test.each([
  ['claude-bash20', '[[bash:20]] run a command'],
  ['codex-bash20', '[[bash:20]] run a command'],
  ['gemini-bash20', '[[bash:20]] run a command'],
  ['qwen-bash20', '[[bash:20]] run a command'],
  ['pi-bash20', '[[bash:20]] run a command'],
  ['copilot-permission', '[[touch]] make a file'],
])('%s: the prompt, by hooks and by transcripts alone', (name, prompt) => {
  expect(told(name).prompts).toEqual([prompt])
  expect(told(name, 'h').prompts).toEqual([prompt])
  expect(told(name, 't').prompts).toEqual([prompt])
})

test.each([
  ['claude-e429', 'API Error: Request rejected (429) · scripted 429'],
  ['codex-e400', 'scripted 400'],
  ['codex-e429', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['gemini-e400', 'scripted 400'],
  ['cline-e400', 'scripted 400'],
  ['opencode-e400', 'scripted 400'],
  ['qwen-e400', 'scripted 400'],
  ['pi-e400', 'scripted 400'],
])('%s: the error’s own words', (name, words) => {
  const { errors } = told(name)
  expect(errors.at(-1)).toContain(words)
  for (const error of errors) expect(error).not.toContain('{')
})

test('claude: what its subagent runs is not what the session runs', () => {
  expect(told('claude-agent').tools).toEqual(['Agent: sub task'])
})

test('what a slash command writes is no prompt', () => {
  expect(told('claude-compact').prompts).toEqual(['[[short]] hi'])
})
