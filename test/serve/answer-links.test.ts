/** Links that answer: which dialogs get some, and how long they are good. */
import { expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { answerLinks } from '../../src/serve/links/answer-links.ts'
import { dialogOf as dialog, optionsOf as options } from '../support/answer-pages.ts'
import { fakeLive, liveSession, news, permission, prompt, sessionOf } from '../support/live.ts'
import { until } from '../support/until.ts'

/** Links over the session `one`, which asks what its screen shows. */
function linksOver(first: ShownDialog | undefined) {
  const { live, clock, file, forget, end } = fakeLive()
  let shown: ShownDialog | undefined | LullError = first
  const terminal = async () => {
    if (shown instanceof LullError) throw shown
    const now = shown
    return { dialog: async () => now, [Symbol.asyncDispose]: async () => undefined } as unknown as Terminal
  }
  file('one', prompt(0), news(1, permission))
  const links = answerLinks({ lull: { terminal }, changes: live.changes, clock })
  const offered = async (): Promise<string> => secretIn((await links.offer('one', 'ntfy'))?.options[0]?.path)
  return {
    ...{ ...links, clock, file, forget, end, offered },
    show(next: typeof shown) {
      shown = next
    },
    ends: (secret: string) =>
      until(
        () => links.find(secret),
        link => link === undefined,
        'the end of a link',
      ),
  }
}

const asking = sessionOf([prompt(0), news(1, permission)])

const secretIn = (path = ''): string => path.split('/').at(-1) ?? ''

test('each option has a link of its own, and all end with the first that is used', async () => {
  const { offer, find, use } = linksOver(dialog(['rm -rf build']))
  const offered = await offer('one', 'ntfy')
  expect(offered).toMatchObject({ shows: ['rm -rf build'], options: [{ label: 'Yes' }, { label: 'No' }] })
  const [yes, no] = offered?.options.map(({ path }) => secretIn(path)) ?? []
  expect(new Set([yes, no, secretIn(offered?.page)]).size).toBe(3)
  const link = find(no ?? '')
  expect(link).toMatchObject({
    option: 1,
    offer: { session: 'one', by: 'ntfy', dialog: { id: 'rm -rf build' } },
  })
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

test('links that were used are good again where nothing was done', async () => {
  const { offered, find, use, giveBack } = linksOver(dialog(['ls']))
  const secret = await offered()
  const link = find(secret)
  if (link) use(link.offer)
  expect(find(secret)).toBeUndefined()
  if (link) giveBack(link.offer)
  expect(find(secret)).toBe(link)
})

test('a link ends with the wait of its session, also for the same dialog asked again', async () => {
  const { offered, file, ends, find } = linksOver(dialog(['git push']))
  const old = await offered()
  file('one', news(2, { kind: 'working' }))
  file('one', news(3, permission))
  await ends(old)
  expect(find(await offered())).toBeDefined()
})

test('a link ends where its session is missing in a snapshot for a reader that fell behind', async () => {
  const { promise: behind, resolve: fallBehind } = Promise.withResolvers<void>()
  async function* changes() {
    yield { type: 'snapshot', sessions: [liveSession(asking, { id: 'one' })] } as const
    await behind
    yield { type: 'snapshot', sessions: [] } as const
    await new Promise(() => undefined)
  }
  const terminal = async () =>
    ({
      dialog: async () => dialog(['ls']),
      [Symbol.asyncDispose]: async () => undefined,
    }) as unknown as Terminal
  const links = answerLinks({ lull: { terminal }, changes: async () => changes(), clock: fakeLive().clock })
  const secret = secretIn((await links.offer('one', 'ntfy'))?.page)
  expect(links.find(secret)).toBeDefined()
  fallBehind()
  await until(
    () => links.find(secret),
    link => link === undefined,
    'the end of the link',
  )
})

test('a link that was used before its dialog ended is not given back after', async () => {
  const { offered, file, find, use, giveBack, ends } = linksOver(dialog(['ls']))
  const secret = await offered()
  const link = find(secret)
  file('one', news(2, { kind: 'working' }))
  await ends(secret)
  if (link) use(link.offer)
  if (link) giveBack(link.offer)
  expect(find(secret)).toBeUndefined()
})

test('a link ends when its screen shows another dialog, though its session waits all the time', async () => {
  const { offered, show, clock, ends, find } = linksOver(dialog(['git push']))
  const old = await offered()
  clock.advance(3000)
  show(dialog(['ls']))
  // What looks is busy for a moment, and looks again later.
  await until(
    () => {
      clock.advance(3000)
      return find(old)
    },
    link => link === undefined,
    'the end of a link',
  )
  show(dialog(['git push']))
  await ends(old)
})

test('a look that fails ends no link, and a look that finds another dialog does', async () => {
  const { offered, show, find, isAsked } = linksOver(dialog(['ls']))
  const secret = await offered()
  const { offer } = find(secret) ?? {}
  if (!offer) throw new Error('no link')
  show(new LullError('NO_ANSWER', 'tmux does not answer'))
  await expect(isAsked(offer)).rejects.toThrow('tmux')
  expect(find(secret)).toBeDefined()
  show(dialog(['ls']))
  expect(await isAsked(offer)).toBe(true)
  show(undefined)
  expect(await isAsked(offer)).toBe(false)
  expect(find(secret)).toBeUndefined()
})

test('a dialog that a hook reports is the same, whatever of it the screen shows', async () => {
  const asked = {
    id: 'r1',
    for: 'permission',
    tool: 'Bash',
    input: {},
    about: '',
    rows: [],
    options: [],
  } as const
  const { offered, show, find, isAsked } = linksOver(dialog(['ls'], { asked }))
  const { offer } = find(await offered()) ?? {}
  show(dialog(['ls', '1. Yes'], { asked }))
  expect(offer && (await isAsked(offer))).toBe(true)
})

test.each(['forget', 'end'] as const)('a link ends where its session is gone (%s)', async how => {
  const { offered, ends, ...fake } = linksOver(dialog(['ls']))
  const secret = await offered()
  fake[how]('one')
  await ends(secret)
})

test('what is answered while the links are made gets none', async () => {
  const { offer, file } = linksOver(dialog(['ls']))
  const offering = offer('one', 'ntfy')
  file('one', news(2, { kind: 'working' }))
  expect(await offering).toBeUndefined()
})

test.each<[string, ShownDialog['options'], readonly string[]]>([
  ['a long label', options('Yes', `Yes, and ${'x'.repeat(72)}`, 'No'), ['Yes', 'No']],
  ['a text to write', options('Postgres', 'SQLite', 'Type something.'), ['Postgres', 'SQLite']],
  [
    'two options that no word tells apart',
    options('Yes', 'No', 'No').map((one, n) => ({ ...one, number: n || 1 })),
    ['No'],
  ],
])('%s gets no link, and the other options do', async (_what, all, linked) => {
  const { offer } = linksOver(dialog(['?'], { options: all }))
  expect((await offer('one', 'ntfy'))?.options.map(({ label }) => label)).toEqual(linked)
})

test('of many options each link means its own', async () => {
  const many = options(...Array.from({ length: 105 }, (_, n) => (n === 2 ? '100' : `version ${n + 1}`)))
  const { offer, find } = linksOver(dialog(['?'], { options: many }))
  const { options: linked = [] } = (await offer('one', 'ntfy')) ?? {}
  expect(linked.map(({ path }) => find(secretIn(path))?.option)).toEqual(many.map((_, place) => place))
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
  ['text of some million blanks', dialog([`ls${' '.repeat(6e6)}; rm -rf /`])],
  ['more than anyone reads on a phone', dialog(Array.from({ length: 200 }, () => 'x'.repeat(60)))],
  ['a blank that is none', dialog(['ls\u00a0-l'])],
  ['a sign that nobody sees', dialog(['ls \u3164'])],
  ['a selector of a form', dialog(['cat notes\ufe00\u{e0100}'])],
  ['half a character', dialog(['ls \ud800'])],
  ['labels that would be cut on a button alone', dialog(['ls'], { options: options('x'.repeat(81)) })],
  [
    'a choice of several',
    dialog(['ls'], { options: [{ label: 'a', isPointed: false, isChecked: false }, ...options('Done')] }),
  ],
  ['nothing but a text to write', dialog(['ls'], { options: options('Type something.') })],
])('%s gets no link', async (_what, shown) => {
  expect(await linksOver(shown).offer('one', 'ntfy')).toBeUndefined()
})
