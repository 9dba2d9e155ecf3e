/** The page that repeats answers is part of them; another question is not, whatever a model has written into it. */
import { expect, test } from 'vitest'
import { isReview } from '../../src/drive/dialog/review-page.ts'
import { readDialog } from '../../src/drive/dialog/shown-dialog.ts'

const edge = '─'.repeat(40)
async function isPage(rows: readonly string[], ...chosen: readonly string[]): Promise<boolean> {
  const dialog = await readDialog([edge, ...rows], 'claude')
  if (!dialog) throw new Error('no dialog is shown')
  return isReview(dialog, chosen)
}
const submit = ['❯ 1. Submit answers', '  2. Cancel']
const review = (...rows: readonly string[]) => ['Review your answers', ...rows, ...submit]

test('repeats each answer as a whole, behind a sign, wherever its rows are broken', async () => {
  expect(await isPage(review(' ● Which?', '   → Redis, Postgres'), 'Redis', 'Postgres')).toBe(true)
  expect(
    await isPage(
      review(' ● Which?', '   → a name that is so long that it', '     goes on below'),
      'a name that is so long that it goes on below',
    ),
  ).toBe(true)
  expect(await isPage(review(' ● Which?', '   → Redis'), 'Redis', 'Postgres')).toBe(false)
  expect(await isPage(review(' ● Which?', '   → Nothing of it'), 'No')).toBe(false)
  expect(await isPage(review(' ● Which?', '   → Redis'))).toBe(false)
})

test('is a page of Gemini’s, in its frame', async () => {
  const box = (text: string) => `│ ${text.padEnd(60)} │`
  const rows = [
    'Review your answers:',
    '',
    'Choice 1 → SQLite',
    'Choice 2 → Postgres',
    '',
    'Enter to submit · Esc to cancel',
  ]
  const dialog = await readDialog([`╭${'─'.repeat(62)}╮`, ...rows.map(box), `╰${'─'.repeat(62)}╯`], 'gemini')
  expect(dialog && isReview(dialog, ['Postgres'])).toBe(true)
  expect(dialog && isReview(dialog, ['Postgre'])).toBe(false)
})

test('is none that offers more, or something else to submit', async () => {
  const asks = (...options: readonly string[]) => [
    'What now?',
    ' → No',
    ...options.map((one, n) => `${n === 0 ? '❯' : ' '} ${n + 1}. ${one}`),
  ]
  expect(await isPage(asks('Submit answers', 'Cancel'), 'No')).toBe(true)
  expect(await isPage(asks('Submit it to the App Store now', 'Cancel'), 'No')).toBe(false)
  expect(await isPage(asks('Submit', 'Keep', 'Type something.'), 'No')).toBe(false)
  expect(await isPage(asks('Submit', 'Type something.'), 'No')).toBe(false)
})
