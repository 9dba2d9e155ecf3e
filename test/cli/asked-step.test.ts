/** A dialog in `lull watch`, key by key: what is picked, ticked, written and given. */
import { describe, expect, test } from 'vitest'
import { askedOf, chooseBy, pick, type WatchedDialog, write } from '../../src/cli/watch/asked-step.ts'
import type { ShownDialog } from '../../src/drive/dialog/shown-dialog.ts'

type Option = ShownDialog['options'][number]
const option = (label: string, more: Partial<Option> = {}): Option => ({ label, ...more }) as Option
const dialogOf = (options: readonly Option[]): ShownDialog =>
  ({ id: 'd1', for: 'permission', options }) as unknown as ShownDialog

const plain = askedOf('one', dialogOf([option('Yes'), option('Always'), option('No')]))
const boxes = askedOf(
  'one',
  dialogOf([
    option('Red', { isChecked: false }),
    option('Green', { isChecked: true }),
    option('Blue', { isChecked: false }),
    option('Submit', { isSubmit: true } as Partial<Option>),
  ]),
)
const none = askedOf('one', dialogOf([]))

const keys = (asked: WatchedDialog, ...pressed: readonly string[]) => {
  let last: ReturnType<typeof chooseBy> = { type: 'asked', asked }
  for (const key of pressed) {
    if (last.type !== 'asked') throw new Error(`closed before ${key}`)
    last = chooseBy(last.asked, key)
  }
  return last
}
const asked = (from: WatchedDialog, ...pressed: readonly string[]): WatchedDialog => {
  const last = keys(from, ...pressed)
  if (last.type !== 'asked') throw new Error(last.type)
  return last.asked
}

describe('a pick', () => {
  test.each<[readonly string[], number | undefined]>([
    [[], undefined],
    [['x'], undefined],
    [['down'], 0],
    [['j'], 0],
    [['up'], 2],
    [['k'], 2],
    [['down', 'down'], 1],
    [['j', 'j', 'k'], 0],
    [['up', 'up'], 1],
    [['down', 'up'], 0],
    [['end', 'down'], 2],
    [['end', 'home'], 0],
    [['end'], 2],
    [['2'], 1],
    [['2', '9'], 1],
  ])('%j', (pressed, at) => {
    expect(asked(plain, ...pressed).at).toBe(at)
    expect(keys(plain, ...pressed).type).toBe('asked')
  })

  test('there is none where there are no options, and Enter goes there', () => {
    for (const key of ['down', 'up', 'end', 'home', '1']) expect(asked(none, key)).toEqual(none)
    expect(pick(none, 3)).toBe(none)
    expect(keys(none, 'enter')).toEqual({ type: 'go' })
  })

  test.each(['escape', 'q'])('%s closes it, and gives nothing', key => {
    expect(keys(plain, '1', key)).toEqual({ type: 'closed' })
  })
})

describe('a choice is given', () => {
  test('by Enter on what was picked, once', () => {
    const given = keys(plain, '2', 'enter')
    expect(given).toMatchObject({
      type: 'asked',
      asked: { isGiven: true, at: 1 },
      choice: { id: 'one', dialog: 'd1', choices: [expect.any(String)] },
    })
    expect(given).not.toHaveProperty('choice.text')
    for (const key of ['enter', '1', 'down', 'space', 'end'])
      expect(keys(asked(plain, '2', 'enter'), key)).toEqual({
        type: 'asked',
        asked: asked(plain, '2', 'enter'),
      })
  })

  test('by no Enter before anything was picked', () => {
    expect(keys(plain, 'enter')).toEqual({ type: 'asked', asked: plain })
  })
})

describe('where several may be ticked', () => {
  test('what was ticked already stays so; a space ticks and unticks what is picked', () => {
    expect(boxes.ticked).toEqual([1])
    expect(asked(boxes, 'space')).toEqual(boxes)
    expect(asked(boxes, 'end', 'home', 'space').ticked).toEqual([0, 1])
    expect(asked(boxes, 'home', 'space', 'space').ticked).toEqual([1])
    expect(asked(boxes, 'home', 'down', 'space').ticked).toEqual([])
    expect(asked(plain, '1', 'space')).toEqual(asked(plain, '1'))
  })

  test('all that is ticked is given, wherever Enter is pressed; nothing where nothing is', () => {
    const all = keys(boxes, 'home', 'down', 'down', 'space', 'end', 'enter')
    expect(all).toMatchObject({
      asked: { isGiven: true },
      choice: { choices: [expect.any(String), expect.any(String)] },
    })
    const empty = asked(boxes, 'home', 'down', 'space')
    expect(keys(empty, 'enter')).toEqual({ type: 'asked', asked: empty })
    expect(asked(asked(boxes, 'home', 'enter'), 'space').ticked).toEqual([1])
  })
})

describe('a text of one’s own', () => {
  const writing: WatchedDialog = { ...plain, at: 1, text: '' }

  test('is written key by key, on one line, and given with Enter', () => {
    const text = asked(writing, 'h', 'i', 'space', 'u', 'u', 'backspace', 'left', '😀')
    expect(text.text).toBe('hi u😀')
    expect(asked(text, 'backspace').text).toBe('hi u')
    expect(keys(text, 'enter')).toEqual({
      type: 'asked',
      asked: { ...text, isGiven: true },
      choice: { id: 'one', dialog: 'd1', choices: [], text: 'hi u😀' },
    })
    for (const key of ['x', 'enter', 'escape', 'backspace'])
      expect(keys({ ...text, isGiven: true }, key)).toEqual({
        type: 'asked',
        asked: { ...text, isGiven: true },
      })
  })

  test('is not given while it is empty, and is forgotten with Escape, which closes nothing', () => {
    expect(keys(writing, 'space', 'enter')).toEqual({ type: 'asked', asked: { ...writing, text: ' ' } })
    expect(asked(writing, 'x', 'escape')).toStrictEqual({ ...plain, at: 1 })
  })

  test('a paste is one line, and no longer than an answer may be', () => {
    expect(write(writing, 'a\r\n\tb').text).toBe('a b')
    expect(write(writing, 'x'.repeat(2000)).text).toHaveLength(2000)
    expect(write(writing, 'x'.repeat(2001))).toBe(writing)
    expect(write(plain, 'x')).toBe(plain)
    expect(write({ ...writing, isGiven: true }, 'x')).toEqual({ ...writing, isGiven: true })
  })

  test('picks nothing meanwhile', () => expect(pick(writing, 0)).toBe(writing))
})
