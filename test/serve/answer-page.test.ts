/** The pages of links that answer, as a person sees them. */
import { expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import { answerPages, dialogOf, optionsOf } from '../support/answer-pages.ts'

const host = '127.0.0.1:4770'

async function pages(...asked: Parameters<typeof dialogOf>) {
  const { app, ...all } = await answerPages(dialogOf(...asked), host)
  const ask = async (path: string, method: 'GET' | 'POST') => {
    const response = await app.request(`http://${host}${path}`, { method, headers: { host } })
    const text = await response.text()
    return { status: response.status, text, said: text.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ') }
  }
  return { ...all, look: (path: string) => ask(path, 'GET'), press: (path: string) => ask(path, 'POST') }
}

test('each option that can be chosen there has a button, and the page tells that there are more', async () => {
  const { page, options, look } = await pages(['which <b>?'], {
    options: optionsOf('<a>', 'Type something.'),
  })
  const { status, text } = await look(page)
  expect([status, options.length]).toEqual([200, 1])
  expect(text.match(/<button>.*?<\/button>/g)).toEqual(['<button><bdo dir="ltr">&#60;a&#62;</bdo></button>'])
  expect(text).toContain('<pre><bdo dir="ltr">which &#60;b&#62;?</bdo></pre>')
  expect(text).toContain('More options are at its terminal.')
  expect((await look((await pages(['ls'])).page)).text).not.toContain('More options')
})

test('a link is used up by one answer', async () => {
  const { options, press, look, pressed } = await pages(['ls'])
  expect(await press(options[1]?.path ?? '')).toMatchObject({
    status: 200,
    said: expect.stringContaining('Answered: No'),
  })
  expect((await press(options[0]?.path ?? '')).status).toBe(410)
  expect((await look(options[0]?.path ?? '')).status).toBe(410)
  expect(pressed).toEqual(['2'])
})

test.each([
  ['its history can’t be written', { history: 'no space is left' }, 503],
  [
    'another lull types there',
    { press: new LullError('LOCKED', 'another lull types there', { file: '', pid: 1 }) },
    409,
  ],
])('a press where %s is a sentence, and can be tried again', async (_what, failure, status) => {
  const { options, press, fails, pressed } = await pages(['ls'])
  const yes = options[0]?.path ?? ''
  Object.assign(fails, failure)
  expect(await press(yes)).toMatchObject({ status, said: expect.stringContaining('It was not answered: ') })
  Object.assign(fails, { history: undefined, press: undefined })
  expect((await press(yes)).said).toContain('Answered: Yes')
  expect(pressed).toEqual(['1'])
})

test.each([
  ['refuses it', new LullError('REFUSED_TO_TYPE', 'it changed', { outcome: 'failed', typed: 0 }), 409],
  ['fails', new Error('secret'), 500],
])('a press that may have been half done (%s) can’t be repeated', async (_what, press, status) => {
  const made = await pages(['ls'])
  const yes = made.options[0]?.path ?? ''
  Object.assign(made.fails, { press })
  const { said, ...first } = await made.press(yes)
  expect([first.status, said]).toEqual([status, expect.stringContaining('It was not answered: ')])
  expect(said).not.toContain('secret')
  expect((await made.press(yes)).status).toBe(410)
})

test('a look that fails is a sentence too', async () => {
  const { page, look, fails } = await pages(['ls'])
  fails.look = new LullError('NO_ANSWER', 'tmux does not answer')
  expect(await look(page)).toMatchObject({
    status: 503,
    said: expect.stringContaining('tmux does not answer'),
  })
  delete fails.look
  expect((await look(page)).status).toBe(200)
})
