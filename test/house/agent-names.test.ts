/** All that is known of a CLI lies in its folder: other rooms know none by its name, but for examples in texts. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'

const source = path.resolve(import.meta.dirname, '../../src')

/** Texts for people that show by an example what may be written. */
const examples = [
  'a session is an id or its beginning, a name (one that you gave, claude, its folder’s or its window’s)',
  'name the command to run, like agent: claude -p',
  'the frontmatter must be fields, like agent: claude -p',
  'begin it with the lines ---, agent: claude -p, ---',
  'agent: claude -p --permission-mode acceptEdits',
  'claude, codex, opencode, gemini, qwen, copilot, pi, cline',
  'read agents in tmux, and tell Claude Code there that its status is wanted',
  // An entity of markup, and a class of characters.
  '&amp;',
  String.raw`\p{Cn}`,
  // Recordings that the demo plays.
  'claude-bash20',
  'opencode-permission',
  'claude-agent',
]

/** Numbers name the CLI that they were measured on: comments may. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

const names = Object.values(agents).flatMap(({ name, title }) => [name, title])
const anyName = new RegExp(`\\b(${names.join('|')})\\b`, 'i')

test('no room but agents/ knows a CLI by its name', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    file => !file.startsWith('agents/') && file !== 'cli/help.ts',
  )
  const found = files.flatMap(file => {
    const text = examples.reduce(
      (rest, example) => rest.replaceAll(example, ''),
      withoutComments(readFileSync(path.join(source, file), 'utf8')),
    )
    return text.split('\n').flatMap(line => (anyName.test(line) ? [`${file}: ${line.trim()}`] : []))
  })
  expect(found).toEqual([])
})

test('it would be found', () => {
  expect(anyName.test("agent === 'claude'")).toBe(true)
  expect(anyName.test("module: 'pi'")).toBe(true)
})
