/** The answers in a message: what ntfy, Slack and readers of JSON get. */
import { expect, test } from 'vitest'
import {
  askingIn,
  jsonAnswers,
  ntfyAnswers,
  type OfferedAnswers,
  openedBy,
  slackAnswers,
} from '../../src/notify/deliver/offered-answers.ts'
import type { Outgoing } from '../../src/notify/step/compose-step.ts'

const answers = (labels: readonly string[], shows = ['make <b>']): OfferedAnswers => ({
  shows,
  page: '/answer/p',
  options: labels.map((label, n) => ({ label, path: `/answer/${n}` })),
})
const at = 'https://box.test'

test('ntfy gets a button for each of up to three options, and the text whole', () => {
  expect(ntfyAnswers(answers(['Yes', 'No']), at, 'api waits')).toEqual({
    message: 'make <b>\n\napi waits',
    actions: ['Yes', 'No'].map((label, n) => {
      return { action: 'http', label, url: `${at}/answer/${n}`, method: 'POST', clear: true }
    }),
  })
})

test('more options, or a text that would be cut, get the page alone', () => {
  const page = { action: 'view', label: 'Show', url: `${at}/answer/p` }
  expect(ntfyAnswers(answers(['1', '2', '3', '4']), at, 'x')).toMatchObject({ actions: [page] })
  expect(ntfyAnswers(answers(['Yes'], ['ü'.repeat(1600)]), at, 'x')).toEqual({ actions: [page] })
})

test('letters that run from right to left get the page alone, which keeps their order', () => {
  const page = { action: 'view', label: 'Show', url: `${at}/answer/p` }
  expect(ntfyAnswers(answers(['Yes'], ['cp \u05d0 \u05d1']), at, 'x')).toEqual({ actions: [page] })
  expect(ntfyAnswers(answers(['\u0627 \u0628'], ['which?']), at, 'x')).toEqual({ actions: [page] })
  expect(slackAnswers(answers(['Yes'], ['cp \u05d0 \u05d1']), at)).toBe(
    '\n<https://box.test/answer/p|Answer>',
  )
})

test('Slack gets the text as text, and a link to the page, which answers nothing by itself', () => {
  expect(slackAnswers(answers(['Yes'], ['a ``` <!channel> b']), at)).toBe(
    '\n```\na ʹʹʹ &lt;!channel&gt; b\n```\n<https://box.test/answer/p|Answer>',
  )
})

test('JSON has all of it', () => {
  expect(jsonAnswers(answers(['Yes']), at)).toEqual({
    answers: {
      shows: ['make <b>'],
      page: `${at}/answer/p`,
      options: [{ label: 'Yes', url: `${at}/answer/0` }],
    },
  })
})

test('only a message of one session that waits can be answered', () => {
  const of = (...is: readonly string[]) =>
    ({ withdrawn: false, sessions: is.map(one => ({ id: 'a', is: one })) }) as unknown as Outgoing
  expect(askingIn(of('waiting'))).toBe('a')
  expect(askingIn(of('done'))).toBeUndefined()
  expect(askingIn(of('waiting', 'waiting'))).toBeUndefined()
  expect(askingIn({ ...of('waiting'), withdrawn: true })).toBeUndefined()
})

test('a tap leads to the session that the message is of, and to all where it is of several', () => {
  const of = (...ids: readonly string[]) =>
    ({ withdrawn: false, sessions: ids.map(id => ({ id, is: 'done' })) }) as unknown as Outgoing
  expect(openedBy(of('abc'), at)).toBe(`${at}/#/s/abc`)
  expect(openedBy(of('a', 'b'), at)).toBe(`${at}/`)
  expect(openedBy({ ...of('abc'), withdrawn: true }, at)).toBeUndefined()
})
