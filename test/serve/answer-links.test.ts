/** Links that answer: which dialogs get some, and how long they are good. */
import { expect, test } from 'vitest'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { answerLinks } from '../../src/serve/answer-links.ts'
import { virtualClock } from '../../src/track/clock.ts'

const dialog = (rows: readonly string[], more: Partial<ShownDialog> = {}): ShownDialog => ({
  for: 'permission',
  ...{ rows, whole: 'yes', id: 'd1', question: '' },
  options: [
    { label: 'Yes', isPointed: false },
    { label: 'No', isPointed: false },
  ],
  ...more,
})

function linksOver(shown: ShownDialog | undefined) {
  const clock = virtualClock()
  const terminal = async () =>
    ({ dialog: async () => shown, [Symbol.asyncDispose]: async () => undefined }) as unknown as Terminal
  return { clock, ...answerLinks({ terminal }, clock) }
}

const secretIn = (path = ''): string => path.split('/').at(-1) ?? ''

test('each option has a link of its own, and all end with the first that is used', async () => {
  const { offer, find, use } = linksOver(dialog(['rm -rf build']))
  const offered = await offer('one', 'ntfy')
  expect(offered).toMatchObject({ shows: ['rm -rf build'], options: [{ label: 'Yes' }, { label: 'No' }] })
  const [yes, no] = offered?.options.map(({ path }) => secretIn(path)) ?? []
  expect(new Set([yes, no, secretIn(offered?.page)]).size).toBe(3)
  const link = find(no ?? '')
  expect(link).toMatchObject({ option: 1, offer: { session: 'one', by: 'ntfy', dialog: { id: 'd1' } } })
  if (link) use(link.offer)
  expect([yes, no, secretIn(offered?.page)].map(secret => find(secret ?? ''))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a link that nobody made, and one of yesterday, are none', async () => {
  const { offer, find, clock } = linksOver(dialog(['ls']))
  const secret = secretIn((await offer('one', 'ntfy'))?.page)
  expect(find(`${secret}x`)).toBeUndefined()
  expect(find(secret)).toBeDefined()
  clock.advance(25 * 3_600_000)
  expect(find(secret)).toBeUndefined()
})

test.each<[string, ShownDialog | undefined]>([
  ['nothing that is asked', undefined],
  ['a dialog that is cut', dialog(['ls'], { whole: 'no' })],
  ['one with more options beyond its edge', dialog(['ls'], { isScrolled: true })],
  ['one without options', dialog(['ls'], { options: [] })],
  ['a secret in it', dialog(['export TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz0123'])],
  ['text far behind blanks', dialog([`ls${' '.repeat(200)}; rm -rf /`])],
  ['text far behind empty lines', dialog(['ls', '', ' ', '', '', 'rm -rf /'])],
  ['text that turns a line around', dialog(['ls \u202e'])],
  [
    'a label that is cut on a button',
    dialog(['ls'], { options: [{ label: 'x'.repeat(81), isPointed: false }] }),
  ],
  ['a choice of several', dialog(['ls'], { options: [{ label: 'a', isPointed: false, isChecked: false }] })],
  ['a text to write', dialog(['ls'], { options: [{ label: 'Type something.', isPointed: false }] })],
])('%s gets no link', async (_what, shown) => {
  expect(await linksOver(shown).offer('one', 'ntfy')).toBeUndefined()
})
