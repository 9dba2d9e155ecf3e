/** `lull watch`: what is drawn, at every size. */
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { askedOf, type WatchedDialog } from '../../src/cli/watch/asked-step.ts'
import { helpLines } from '../../src/cli/watch/watch-panel.ts'
import { type Scene, shownRows } from '../../src/cli/watch/watch-scene.ts'
import { pictureOf } from '../../src/cli/watch/watch-screen.ts'
import { firstView, press, type WatchView } from '../../src/cli/watch/watch-step.ts'
import { defined } from '../../src/core/defined.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { finished, permission, thinking, withVerdict } from '../support/live.ts'

const sessions: readonly LiveSession[] = [
  withVerdict({ state: thinking, turn: 1 }, { id: 'work0000', pid: 4_194_400, cwd: '/srv/web' }),
  withVerdict({ state: permission, turn: 1 }, { id: 'asks0000', pid: 4_194_401, cwd: '/srv/日本語' }),
  withVerdict({ state: finished, turn: 1, turnOver: true }, { id: 'done0000', pid: 4_194_402, isSeen: true }),
]
const dialog: ShownDialog = {
  for: 'permission',
  rows: [
    '',
    ' Bash command',
    '   rm -rf build 日本語 && npm run build',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. Yes, and don’t ask again',
    '   3. No',
    ' Esc to cancel',
  ],
  options: ['Yes', 'Yes, and don’t ask again', 'No'].map((label, n) => ({
    number: n + 1,
    label,
    isPointed: n === 0,
  })),
  whole: 'yes',
  id: 'd1a106',
  question: 'Do you want to proceed?',
}
const asked: WatchedDialog = askedOf('asks0000', dialog)

const scene = (more: Partial<Scene> = {}): Scene => ({
  sessions,
  via: 'own',
  view: firstView,
  now: 60_000,
  epoch: 0,
  home: '/home/dev',
  ...more,
})
const drawn = (more: Partial<Scene> = {}, width = 120, height = 12, isColoured = false): string[] =>
  pictureOf(scene(more), { width, height }, isColoured).lines.map(({ text }) => text)

describe('the picture', () => {
  test('a title, the table, the keys', () => {
    const lines = drawn()
    expect(lines[0]).toBe(' lull: 3 agents, 1 needs you (no host, so no hooks)')
    expect(lines[1]).toMatch(/^ {3}STATE/)
    const shells = ['one', 'two'].map(id => withVerdict({ state: finished }, { id, agent: 'terminal' }))
    expect(drawn({ sessions: [...sessions.slice(0, 1), ...shells], via: 'host' })[0]).toBe(
      ' lull: 1 agent, 2 terminals, 0 need you',
    )
    expect(drawn({ sessions: shells.slice(0, 1), via: 'host' })[0]).toBe(' lull: 1 terminal, 0 need you')
    expect(lines.slice(2, 5).map(line => line.slice(0, 21))).toEqual([
      '>● waiting/permission',
      '   idle/turn         ',
      '   working/thinking  ',
    ])
    expect(lines.at(-1)).toBe(' enter go  a answer  e explain  h history  / filter  n mine  ? help  q quit')
  })

  test('is as high and as wide as the terminal, whatever is shown', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      withVerdict({ state: permission }, { id: `m${n}`, pid: 4_194_400, cwd: `/srv/${'日本語/'.repeat(n)}` }),
    )
    const views = fc.record({
      selected: fc.constantFrom('m0', 'm20', 'm39', 'gone'),
      filter: fc.constantFrom('', 'm3', 'nothing at all'),
      isTyping: fc.boolean(),
      onlyMine: fc.boolean(),
      panel: fc.constantFrom(undefined, 'explain', 'history', 'help'),
      asked: fc.constantFrom(undefined, asked),
      firstRow: fc.nat(50),
      scroll: fc.nat(50),
    })
    const size = fc.record({
      width: fc.integer({ min: 1, max: 250 }),
      height: fc.integer({ min: 1, max: 60 }),
    })
    const all = fc.constantFrom(many, sessions, [])
    fc.assert(
      fc.property(all, views, size, fc.boolean(), (sessions, view, { width, height }, isColoured) => {
        const lines = drawn(
          { sessions, view: defined(view), past: ['12:00:00  日本語のフォルダ', 'x'.repeat(300)] },
          width,
          height,
          isColoured,
        )
        expect(lines).toHaveLength(height)
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width)
      }),
      { numRuns: 40 },
    )
  })

  test('the selected row is always in it', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      withVerdict({ state: permission }, { id: `m${String(n).padStart(2, '0')}`, pid: 4_194_400 }),
    )
    for (const selected of ['m00', 'm07', 'm20', 'm39'])
      for (const panel of ['explain', undefined] as const)
        for (const width of [60, 200]) {
          const lines = drawn(
            { sessions: many, view: { ...firstView, selected, ...(panel ? { panel } : {}) } },
            width,
            16,
          )
          expect(lines.filter(line => line.startsWith('>')).join()).toContain(selected)
        }
  })

  test('a filter and "only mine" leave out the others', () => {
    const shown = (view: Partial<WatchView>) =>
      shownRows(scene({ view: { ...firstView, ...view } })).map(({ id }) => id)
    expect(shown({ filter: '日本' })).toEqual(['asks0000'])
    expect(shown({ filter: 'WORKING' })).toEqual(['work0000'])
    expect(shown({ onlyMine: true })).toEqual(['asks0000'])
    expect(drawn({ view: { ...firstView, filter: 'x', isTyping: true } })[0]).toContain('/x_')
    expect(drawn({ view: { ...firstView, filter: 'nowhere' } }).join()).toContain('none holds "nowhere"')
  })

  test('the explanation: the sentence, the evidence, the place', () => {
    const panel = drawn({ view: { ...firstView, panel: 'explain' } }, 120, 24).join('\n')
    expect(panel).toContain('Waiting for a permission for 1 min: nothing has been heard yet.')
    expect(panel).toContain('── why: claude asks0000 (/srv/日本語) ──')
    expect(panel).toContain('confidence 0.00, turn 1')
    expect(panel).toContain('what would change it:')
    expect(panel).toContain('pid 4194401, no transcript found')
  })

  test('of none: a sentence', () => {
    expect(drawn({ sessions: [] })[2]).toBe(' no coding agent found on this machine')
  })

  test('a message stands where the keys stood', () => {
    expect(drawn({ message: 'seen: claude' }).at(-1)).toBe(' seen: claude')
  })
})

describe('what stands where', () => {
  const many = Array.from({ length: 40 }, (_, n) =>
    withVerdict({ state: permission }, { id: `m${String(n).padStart(2, '0')}`, pid: 4_194_400 }),
  )
  const size = { width: 100, height: 16 }

  test('the mouse finds the row, its second line too, the option and the panel', () => {
    const at = (picture: ReturnType<typeof pictureOf>, text: string) =>
      picture.lines.find(line => line.text.includes(text))?.target
    const plain = pictureOf(scene(), size, false)
    expect(at(plain, 'done0000')).toEqual({ type: 'row', id: 'done0000' })
    expect(plain.lines[0]?.target).toBeUndefined()
    expect(at(plain, '? help')).toBeUndefined()
    const open = pictureOf(scene({ view: { ...firstView, asked } }), size, false)
    expect(at(open, '3. No')).toEqual({ type: 'option', place: 2 })
    expect(at(open, 'rm -rf build')).toEqual({ type: 'panel' })
  })

  test('a row that is chosen among those that are shown moves none of them', () => {
    const at = (view: WatchView) => pictureOf(scene({ sessions: many, view }), size, false)
    const scrolled = at({ ...firstView, selected: 'm20' })
    expect(scrolled.firstRow).toBe(8)
    expect(at({ ...firstView, selected: 'm10', firstRow: 8 }).firstRow).toBe(8)
    expect(at({ ...firstView, selected: 'm05', firstRow: 8 }).firstRow).toBe(5)
    expect(at({ ...firstView, selected: 'm21', firstRow: 8 }).firstRow).toBe(9)
    // Where some are gone, nothing is left empty.
    expect(
      pictureOf(scene({ sessions: many.slice(0, 5), view: { ...firstView, firstRow: 8 } }), size, false)
        .firstRow,
    ).toBe(0)
    expect(scrolled.lines[0]?.text).toContain('9–21 of 40')
  })
})

describe('the dialog', () => {
  const open = (more: Partial<WatchedDialog> = {}, width = 100, height = 16) =>
    drawn({ view: { ...firstView, asked: { ...asked, ...more } } }, width, height)

  test('who asks, what, and the options, none of them picked', () => {
    const lines = open()
    expect(lines.find(line => line.startsWith('──'))).toMatch(
      /^── claude asks0000 \(\/srv\/日本語\) asks ─+$/,
    )
    expect(lines.join('\n')).toContain('rm -rf build 日本語 && npm run build')
    expect(lines.filter(line => /\d\. (?:Yes|No)/.test(line))).toEqual([
      '   1. Yes',
      '   2. Yes, and don’t ask again',
      '   3. No',
    ])
    expect(lines.at(-1)).toBe(' ↑↓ or its number picks  esc back, nothing is pressed')
  })

  test('one that is picked is marked, and only then Enter is told of', () => {
    const lines = open({ at: 1 })
    expect(lines).toContain(' > 2. Yes, and don’t ask again')
    expect(lines.at(-1)).toBe(' ↑↓ picks  enter answers  esc back, nothing is pressed')
  })

  test('that its beginning is not on the screen is told below the options, where it never scrolls away', () => {
    const lines = open({ dialog: { ...dialog, whole: 'no' } }, 60, 11)
    expect(lines.join('\n')).toContain('its beginning is not on the screen')
    expect(open().join('\n')).not.toContain('its beginning')
  })

  test('where there is little room the options stay, and the end of what is asked', () => {
    const lines = open({}, 60, 11)
    expect(lines).toContain('   3. No')
    expect(lines.join('\n')).toContain('Do you want to proceed?')
    expect(lines.join('\n')).not.toContain('Bash command')
  })
})

describe('the last line', () => {
  const last = (width: number, view: Partial<WatchView> = {}) =>
    drawn({ view: { ...firstView, ...view } }, width).at(-1)

  test.each([
    [60, ' enter go  a answer  e explain  h history  ? help  q quit'],
    [50, ' enter go  a answer  e explain  ? help  q quit'],
    [40, ' enter go  a answer  ? help  q quit'],
    [20, ' ? help  q quit'],
  ])('at %i cells holds whole keys, those that matter most', (width, keys) => expect(last(width)).toBe(keys))

  test('holds what the keys do now', () => {
    expect(last(120, { selected: 'work0000' })).not.toContain('answer')
    expect(last(120, { isTyping: true })).toBe(' type to filter  enter keeps it  esc shows all')
    expect(last(120, { panel: 'help' })).toBe(' ↑↓ scroll  ? or esc back')
    expect(last(120, { panel: 'explain' })).toContain('esc close')
    expect(last(120, { filter: 'web' })).toContain('esc all')
  })

  test('help fills its lines, the first of a key as those below it', () => {
    const lines = drawn({ view: { ...firstView, panel: 'help' } }, 80, 24)
    const answer = lines.findIndex(line => line.includes('show its question'))
    expect(lines.slice(answer, answer + 2)).toEqual([
      ' a           show its question and options; choose one, then enter answers',
      '             (like lull answer)',
    ])
  })

  test('help names every key that the last line does', () => {
    const all = helpLines.join('\n')
    for (const key of ['enter', 'a', 'e', 'h', 's', '/', 'n', 'esc', 'q'])
      expect(all).toMatch(new RegExp(`(?:^|[ ,;])${key}(?:[ ,;]|$)`, 'm'))
  })
})

test('a hostile title, prompt or question brings no sequence of its own to the terminal', () => {
  const evil = '\u001b]0;owned\u0007\u001b[31m\u202e日本\n\u009b2J'
  const hostile = [
    withVerdict({ state: permission }, { id: 'evil0000', cwd: `/srv/${evil}`, title: evil, name: evil }),
  ]
  const rows = [evil, `1. ${evil}`]
  const options = [{ label: evil, number: 1, isPointed: true }]
  const panels: readonly Partial<WatchView>[] = [
    {},
    { panel: 'explain' },
    { panel: 'history' },
    { asked: askedOf('evil0000', { ...dialog, rows, options }) },
    { filter: evil },
  ]
  for (const view of panels)
    for (const line of drawn(
      { sessions: hostile, view: { ...firstView, ...view }, past: [evil] },
      120,
      24,
      true,
    ))
      expect(line.replace(/\u001b\[(?:38;5;\d+|\d{1,2})m/g, '')).not.toMatch(/[\p{Cc}\u202e]/u)
})

test('what is pressed is scrolled no further than there is something', () => {
  const { view } = press({ ...firstView, panel: 'help' }, 'pagedown', [])
  expect(
    pictureOf(scene({ view: { ...view, scroll: 9000 } }), { width: 80, height: 10 }, false).scroll,
  ).toBeLessThan(40)
})
