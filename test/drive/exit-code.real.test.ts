/** A shell that does not tell how its command ended is asked, where the user wants that. */
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { codeIn, codeQuestion } from '../../src/drive/exit-code/ask-exit-code.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { hasProgram } from '../support/tmux-server.ts'

type Sent = { readonly exitCode?: number; readonly new?: string; readonly outcome?: string }

const { lull } = ownTerminals(afterAll)

async function opened(...words: readonly string[]) {
  expect(await lull('open', 'work', '--', ...words)).toMatchObject({ code: 0 })
  onTestFinished(async () => void (await lull('close', 'work', '--force')))
  await lull('wait', 'work', '--ready')
  return async (text: string, ...flags: readonly string[]) => {
    const { stdout, stderr, code } = await lull('send', 'work', text, '--wait', '--json', ...flags)
    return { sent: JSON.parse(stdout) as Sent, stderr, code }
  }
}

const shells: readonly (readonly string[])[] = [
  ['bash', '--noprofile', '--norc', '-i'],
  ['dash', '-i'],
  ['zsh', '-f', '-i'],
  ['fish', '--no-config', '-i'],
  ['mksh', '-i'],
]

test.for(shells.filter(([name = '']) => hasProgram(name)))('%s', async words => {
  const send = await opened(...words)
  const plain = await send('sh -c "echo built; exit 3"', '--ask-code')
  expect(plain).toMatchObject({ code: 0, sent: { exitCode: 3 } })
  // What was asked is lull's, and not what came of the text.
  expect(plain.sent.new).toContain('built')
  expect(plain.sent.new).not.toContain('lull-')
  // The shell's own memory of it stands.
  expect((await send('true', '--ask-code')).sent.exitCode).toBe(0)
})

test('nothing is typed that nobody asked for, and none but a shell at its prompt is asked', async () => {
  const send = await opened('bash', '--noprofile', '--norc', '-i')
  const unasked = await send('false')
  expect(unasked.sent).not.toHaveProperty('exitCode')
  expect(unasked.sent.new).not.toContain('printf')
  const repl = await send('exec cat', '--ask-code')
  expect(repl.sent).not.toHaveProperty('exitCode')
})

test('what the program printed before can’t be taken for the answer', () => {
  const mark = 'lull-0123456789ab'
  expect(codeIn(['lull-ffffffffffff:0', `$ ${codeQuestion('$?', mark)}`], mark)).toBe(undefined)
  expect(codeIn([`$ ${codeQuestion('$?', mark)}`, `${mark}:127`, '$ '], mark)).toBe(127)
  expect(codeIn([`${mark}:1; rm`, '$ '], mark)).toBe(undefined)
})
