/** `lull watch`: what a key, the mouse and a paste do. */
import { describe, expect, test } from 'vitest'
import { askedOf } from '../../src/cli/watch/asked-step.ts'
import type { TerminalInput } from '../../src/cli/watch/terminal-input-step.ts'
import {
  firstView,
  press,
  selectedOf,
  take,
  type UnderMouse,
  type WatchView,
} from '../../src/cli/watch/watch-step.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'

const ids = ['one', 'two', 'three']
const pressed = (keys: readonly string[], view: WatchView = firstView, among: readonly string[] = ids) => {
  let next: ReturnType<typeof press> = { view }
  for (const key of keys) next = press(next.view, key, among)
  return next
}

describe('a key', () => {
  test.each([
    [[], 'one'],
    [['j'], 'two'],
    [['down', 'j'], 'three'],
    [['j', 'j', 'j', 'j'], 'three'],
    [['j', 'j', 'k'], 'two'],
    [['up'], 'one'],
    [['end'], 'three'],
    [['pagedown'], 'three'],
    [['end', 'home'], 'one'],
    [['end', 'pageup'], 'one'],
  ])('%j selects %s', (keys, id) => {
    expect(selectedOf(pressed(keys).view, ids)).toBe(id)
  })

  test('the selection is a session, wherever it moves; the first where it is gone', () => {
    const { view } = pressed(['j'])
    expect(selectedOf(view, ['three', 'two', 'one'])).toBe('two')
    expect(selectedOf(view, ['three', 'one'])).toBe('three')
    expect(selectedOf(view, [])).toBeUndefined()
  })

  test.each([
    ['enter', { type: 'go', id: 'two' }],
    ['g', { type: 'go', id: 'two' }],
    ['a', { type: 'ask', id: 'two' }],
    ['s', { type: 'seen', id: 'two' }],
    ['q', { type: 'quit' }],
    ['ctrl-c', { type: 'quit' }],
    ['ctrl-z', { type: 'suspend' }],
  ])('%s is a deed: %j', (key, effect) => {
    expect(pressed(['j', key]).effect).toEqual(effect)
    expect(pressed(['j', 'e', 'n', 'h', '?']).effect).toBeUndefined()
  })

  test.each(['enter', 'g', 's', 'a', 'j', 'k', 'e', 'h', 'space'])(
    '%s where nothing is shown does nothing',
    key => {
      expect(pressed([key], firstView, []).effect).toBeUndefined()
    },
  )

  test('a key of no meaning changes nothing; a deed holds on to its session', () => {
    expect(pressed(['x'])).toEqual({ view: firstView })
    expect(pressed(['enter']).view).toEqual({ ...firstView, selected: 'one' })
    expect(pressed(['enter'], firstView, [])).toEqual({ view: firstView })
    expect(pressed(['e'], firstView, []).view).toEqual({ ...firstView, panel: 'explain' })
  })

  test.each([
    [['ctrl-n', 'ctrl-n', 'ctrl-p'], 'two'],
    [['space'], 'three'],
    [['G'], 'three'],
    [['ctrl-d', 'ctrl-u'], 'one'],
    [['ctrl-f', 'ctrl-b'], 'one'],
  ])('%j moves as other programs do: to %s', (keys, id) => {
    expect(selectedOf(pressed(keys).view, ids)).toBe(id)
  })

  test('a page is ten rows, and one row moves by one, however many there are', () => {
    const many = Array.from({ length: 40 }, (_, n) => `s${n}`)
    expect(selectedOf(pressed(['pagedown'], firstView, many).view, many)).toBe('s10')
    expect(selectedOf(pressed(['end', 'pageup', 'up'], firstView, many).view, many)).toBe('s28')
  })

  test('e and h open and close what they show, and hold on to the session', () => {
    expect(pressed(['e']).view).toMatchObject({ panel: 'explain', selected: 'one' })
    expect(pressed(['e', 'h']).view).toMatchObject({ panel: 'history', selected: 'one' })
    for (const keys of [
      ['e', 'e'],
      ['h', 'h'],
      ['e', 'escape'],
      ['?', '?'],
      ['?', 'q'],
      ['?', 'escape'],
    ])
      expect(pressed(keys).view.panel).toBeUndefined()
    expect(pressed(['?', 'q']).effect).toBeUndefined()
  })

  test('pages are the panel’s where one is open, and the arrows select on', () => {
    expect(pressed(['e', 'pagedown']).view).toMatchObject({ scroll: 10, selected: 'one' })
    expect(pressed(['e', 'pagedown', 'pageup', 'pageup']).view.scroll).toBe(0)
    expect(pressed(['e', 'pagedown', 'down']).view).toMatchObject({ scroll: 0, selected: 'two' })
    expect(pressed(['?', 'down', 'down']).view.scroll).toBe(2)
  })

  test('/ takes letters, whatever else they mean, until enter', () => {
    const { view, effect } = pressed(['/', 'q', 'j', '日', 'backspace', 'g', 'enter'])
    expect([view, effect]).toEqual([{ ...firstView, filter: 'qjg' }, undefined])
    expect(pressed(['/', 'a', 'escape']).view).toEqual(firstView)
    expect(pressed(['/', 'a', 'enter', 'escape']).view).toEqual(firstView)
    expect(pressed(['/', 'ctrl-c']).effect).toEqual({ type: 'quit' })
    expect(pressed(['/', ...'x'.repeat(300)]).view.filter).toHaveLength(100)
    expect(pressed(['/', 'a', 'space', 'b', 'ctrl-w']).view.filter).toBe('a ')
    expect(pressed(['/', 'a', 'b', 'ctrl-u', 'backspace']).view).toEqual(firstView)
    expect(pressed(['/', 'x', 'down']).view).toMatchObject({ isTyping: true, filter: 'x', selected: 'two' })
    expect(pressed(['/', 'x', 'down', 'down', 'up']).view.selected).toBe('two')
    expect(pressed(['/', 'x', 'pagedown', 'left', 'tab']).view).toEqual({
      ...firstView,
      isTyping: true,
      filter: 'x',
    })
    expect(pressed(['/', 'a', 'space', 'b', 'space', 'ctrl-w']).view.filter).toBe('a ')
    expect(pressed(['/', 'a', 'space', 'b', 'ctrl-u']).view.filter).toBe('')
  })

  test('n shows only those that need me, and all again', () => {
    expect(pressed(['n']).view.onlyMine).toBe(true)
    expect(pressed(['n', 'n']).view).toEqual(firstView)
  })
})

describe('the mouse and pastes', () => {
  const at = (input: TerminalInput, target?: UnderMouse, view: WatchView = firstView) =>
    take(view, input, ids, target)
  const click: TerminalInput = { type: 'click', x: 3, y: 3 }
  const wheel: TerminalInput = { type: 'wheel', by: 1, x: 3, y: 3 }

  test('a click selects, and does nothing else', () => {
    expect(at(click, { type: 'row', id: 'three' })).toEqual({
      view: { ...firstView, selected: 'three' },
    })
    expect(at(click)).toEqual({ view: firstView })
  })

  test('the wheel moves the selection, or the panel that it is over', () => {
    expect(at(wheel, { type: 'row', id: 'three' }).view.selected).toBe('two')
    const explaining = { ...firstView, panel: 'explain' } as const
    expect(at(wheel, { type: 'panel' }, explaining).view.scroll).toBe(3)
    expect(at(wheel, { type: 'row', id: 'one' }, explaining).view.selected).toBe('two')
  })

  test('a key by the mouse’s way is the key; the wheel turns what asks, and the help, by three rows', () => {
    expect(at({ type: 'key', key: 'j' }).view.selected).toBe('two')
    const up: TerminalInput = { type: 'wheel', by: -1, x: 3, y: 3 }
    const asked = at(up, { type: 'row', id: 'two' }, asking()).view
    expect(asked).toEqual({ ...asking(), scroll: 3 })
    expect(at(wheel, undefined, asked).view.scroll).toBe(0)
    const help = { ...firstView, panel: 'help' } as const
    expect(at(wheel, { type: 'row', id: 'two' }, help).view).toEqual({ ...help, scroll: 3 })
    expect(at(up, { type: 'row', id: 'one' }).view.selected).toBe('one')
  })

  test('the pages of what asks are its own, whatever is picked', () => {
    expect(pressed(['pageup'], asking()).view).toEqual({ ...asking(), scroll: 10 })
    expect(pressed(['pageup', 'pageup', 'pagedown'], asking()).view).toEqual({ ...asking(), scroll: 10 })
    expect(pressed(['pagedown'], asking())).toEqual({ view: asking() })
    expect(pressed(['pageup', 'escape'], asking()).view).toEqual(firstView)
  })

  test('a paste is text where one is written, and no key anywhere', () => {
    const paste: TerminalInput = { type: 'paste', text: 'q\u001bs\ng' }
    expect(at(paste)).toEqual({ view: firstView })
    expect(at(paste, undefined, { ...firstView, isTyping: true }).view.filter).toBe('q s g')
    expect(at(paste, undefined, asking())).toEqual({ view: asking() })
  })
})

const dialog = (more: Partial<ShownDialog> = {}): ShownDialog => ({
  for: 'permission',
  rows: ['Bash: rm -rf build', 'Do you want to go on?', '1. Yes', '2. Yes, and don’t ask again', '3. No'],
  options: ['Yes', 'Yes, and don’t ask again', 'No'].map((label, n) => ({
    number: n + 1,
    label,
    isPointed: n === 0,
  })),
  whole: 'yes',
  id: 'd1a106',
  question: 'Do you want to go on?',
  ...more,
})
const asking = (shown = dialog()): WatchView => ({ ...firstView, asked: askedOf('one', shown) })

describe('a dialog', () => {
  const answered = (choices: readonly string[], text?: string) => ({
    type: 'answer',
    id: 'one',
    dialog: 'd1a106',
    choices,
    ...(text === undefined ? {} : { text }),
  })

  test('takes two keys: none answers that was meant for something else', () => {
    for (const key of ['enter', 'a', 'g', 's', 'y', '1', '2', '3', 'down', 'space', 'pagedown'])
      expect(pressed([key], asking()).effect, key).toBeUndefined()
    expect(pressed(['enter', 'enter', 'enter'], asking()).effect).toBeUndefined()
  })

  test.each([
    [['1', 'enter'], '1'],
    [['3', 'enter'], '3'],
    [['down', 'enter'], '1'],
    [['j', 'j', 'enter'], '2'],
    [['up', 'enter'], '3'],
    [['2', '3', 'enter'], '3'],
    [['2', '7', 'enter'], '2'],
    [['end', 'down', 'enter'], '3'],
  ])('%j gives %s', (keys, choice) => {
    expect(pressed(keys, asking()).effect).toEqual(answered([choice]))
  })

  test('a click picks, and Enter answers', () => {
    const { view, effect } = take(asking(), { type: 'click', x: 1, y: 1 }, ids, { type: 'option', place: 2 })
    expect(effect).toBeUndefined()
    expect(press(view, 'enter', ids).effect).toEqual(answered(['3']))
    const elsewhere = take(asking(), { type: 'click', x: 1, y: 1 }, ids, { type: 'row', id: 'two' })
    expect(elsewhere).toEqual({ view: asking() })
  })

  test('is given once, whatever is pressed meanwhile', () => {
    const { view } = pressed(['1', 'enter'], asking())
    expect(pressed(['enter'], view).effect).toBeUndefined()
    expect(pressed(['3', 'enter', 'space'], view)).toEqual({ view })
  })

  test.each(['escape', 'q'])('%s leaves it as it is', key => {
    expect(pressed(['2', key], asking())).toEqual({ view: firstView })
  })

  test('of several that can be chosen, those that are ticked are handed in', () => {
    const options = ['lint', 'test', 'ship'].map((label, n) => ({
      number: n + 1,
      label,
      isPointed: false,
      isChecked: n === 1,
    }))
    const several = asking(
      dialog({ options: [...options, { label: 'Submit', isPointed: false, isSubmit: true }] }),
    )
    expect(pressed(['1', 'space', 'enter'], several).effect).toEqual(answered(['1', '2']))
    expect(pressed(['2', 'space', 'end', 'enter'], several).effect).toBeUndefined()
    expect(pressed(['3', 'space', '2', 'space', 'end', 'enter'], several).effect).toEqual(answered(['3']))
  })

  test('an option that takes a text of one’s own asks for it', () => {
    const own = asking(
      dialog({ options: [...dialog().options, { number: 4, label: 'Type something', isPointed: false }] }),
    )
    expect(pressed(['4', 'enter'], own)).toMatchObject({ view: { asked: { text: '' } } })
    expect(pressed(['4', 'enter', 'enter', 'space', 'enter'], own).effect).toBeUndefined()
    expect(pressed(['4', 'enter', 'q', 'space', '1', 'x', 'backspace', 'enter'], own).effect).toEqual(
      answered([], 'q 1'),
    )
    expect(pressed(['4', 'enter', 'x', 'escape'], own).view.asked).toMatchObject({ at: 3 })
  })

  test('without options that can be told apart it is answered there', () => {
    expect(pressed(['enter'], asking(dialog({ options: [] })))).toEqual({
      view: firstView,
      effect: { type: 'go', id: 'one' },
    })
  })
})
