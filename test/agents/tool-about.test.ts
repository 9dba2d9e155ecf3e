/** What a tool works on, by the shape of its input: as the CLIs of the corpus write it, and as nobody does. */
import { expect, test } from 'vitest'
import { aboutOf, promptIn, promptOf } from '../../src/agents/kit/tools.ts'

test.each<[string, unknown, string | undefined]>([
  ['a command', { command: 'npm test', description: 'runs the tests' }, 'npm test'],
  ['words of a command line', { command: ['git', 'status'] }, 'git status'],
  [
    'a script for a shell',
    { command: ['bash', '-lc', 'npm test && npm run build'] },
    'npm test && npm run build',
  ],
  ['several commands', { commands: ['sleep 20', 'echo'] }, 'sleep 20 echo'],
  ['a file, not what is written', { file_path: '/srv/a.ts', content: 'x' }, '/srv/a.ts'],
  ['what is searched for, before where', { path: '/srv', pattern: 'TODO' }, 'TODO'],
  ['an address', { url: 'https://example.org', prompt: 'sum it up' }, 'https://example.org'],
  ['the first of its questions', { questions: [{ question: 'Which?' }, { question: 'Why?' }] }, 'Which?'],
  ['a subagent', { prompt: 'look at all files', description: 'review', subagent_type: 'x' }, 'review'],
  ['a list of files', { changes: [{ path: 'a.ts', kind: 'add' }] }, 'a.ts'],
  ['JSON as text', '{"questions":[{"question":"Which?"}]}', 'Which?'],
  [
    'JSON as text that is cut off',
    `{"cmd":"echo \\"hi\\" && sleep 20${' '.repeat(5000)}`,
    'echo "hi" && sleep 20',
  ],
  ['the first file of a patch', '*** Begin Patch\n*** Update File: src/a.ts\n@@\n', 'src/a.ts'],
  ['a text', '  ls -l ', 'ls -l'],
  ['nothing that is known', { colour: 'red' }, undefined],
  ['blanks', { command: '   ', path: '' }, undefined],
  ['no input', undefined, undefined],
  ['numbers', { command: 12, path: null, url: true }, undefined],
  ['an empty list', { command: [], path: 'a' }, 'a'],
])('%s', (_, input, about) => expect(aboutOf(input)).toBe(about))

test('it is short, whatever the input', () => {
  expect(aboutOf({ command: 'x'.repeat(1_000_000) })?.length).toBe(200)
  expect(aboutOf({ command: Array(100_000).fill('x') })?.length).toBeLessThanOrEqual(200)
  let nested: unknown = 'x'
  for (let depth = 0; depth < 10_000; depth++) nested = { input: nested }
  expect(aboutOf(nested)).toBeUndefined()
})

test('the words of a prompt', () => {
  expect(promptOf(' fix the tests \n')).toBe('fix the tests')
  expect(promptOf('')).toBeUndefined()
  expect(promptOf(12)).toBeUndefined()
  expect(promptIn([{ type: 'image' }, { type: 'text', text: 'what is this?' }])).toBe('what is this?')
  expect(promptIn('as it is')).toBe('as it is')
  expect(promptIn({ text: 'x' })).toBeUndefined()
})
