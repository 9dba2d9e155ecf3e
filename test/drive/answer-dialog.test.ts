/** A dialog is answered by its text: read again before each key, and never where it has changed. */
import { describe, expect, test } from 'vitest'
import { answerDialog } from '../../src/drive/dialog/answer-dialog.ts'
import { readDialog } from '../../src/drive/dialog/shown-dialog.ts'
import type { LastLook } from '../../src/drive/press-keys.ts'
import { refusedToType } from '../../src/drive/refusal.ts'

const edge = '─'.repeat(40)
const labels = ['Yes', "Yes, and don't ask again", 'No']
const drawn = (command: string, pointed: number): readonly string[] => [
  edge,
  ' Bash command',
  `   ${command}`,
  ' Do you want to proceed?',
  ...labels.map((label, n) => ` ${n === pointed ? '❯' : ' '} ${n + 1}. ${label}`),
  // Claude Code tells what Tab does of some.
  pointed === 0 ? ' Esc to cancel · Tab to amend' : ' Esc to cancel',
]
const composer = ['● Done.', '', edge, '❯ ', edge]

/** A dialog that does as Claude Code's does, unless it is told otherwise. */
function dialog(
  how: { onKey?: (pressed: number) => readonly string[] | undefined; isDeaf?: boolean; stays?: boolean } = {},
) {
  let [pointed, screen] = [0, drawn('rm -rf build', 0)]
  const pressed: string[] = []
  const press = async ([key = '']: readonly string[], look: LastLook): Promise<void> => {
    await look()
    pressed.push(key)
    if (how.isDeaf) return
    if (key === 'Down') pointed++
    if (key === 'Up') pointed--
    screen = key === 'Enter' && !how.stays ? composer : drawn('rm -rf build', pointed)
    screen = how.onKey?.(pressed.length) ?? screen
  }
  return { pressed, ports: { read: () => readDialog(screen, 'claude'), press } }
}

describe('an answer', () => {
  test('points at the option, presses Enter, and sees the dialog go', async () => {
    const { pressed, ports } = dialog()
    const { chosen, isGone } = await answerDialog(ports, { choices: ['no'] })
    expect([chosen, isGone, pressed]).toEqual([['No'], true, ['Down', 'Down', 'Enter']])
  })

  test('is given once the key that chooses was pressed, and before it is seen to have an effect', async () => {
    const { pressed, ports } = dialog({ stays: true })
    const given: (readonly string[])[] = []
    const answer = { choices: ['no'], goesWithin: 0, onGiven: () => given.push([...pressed]) }
    expect(await answerDialog(ports, answer)).toMatchObject({ isGone: false })
    expect(given).toEqual([['Down', 'Down', 'Enter']])
  })

  test('whose agent ends with it, or starts itself anew, is not refused: its effect is not known', async () => {
    const { pressed, ports } = dialog()
    const read = async () => {
      if (pressed.includes('Enter')) throw refusedToType('waitsForPerson', 'it is not in the foreground')
      return ports.read()
    }
    const answered = await answerDialog({ ...ports, read }, { choices: ['no'] })
    expect(answered).toMatchObject({ chosen: ['No'], isGone: false })
  })

  test('that is refused was not given', async () => {
    const { ports } = dialog({ isDeaf: true })
    const given: string[] = []
    const answer = { choices: ['no'], onGiven: () => given.push('given') }
    await expect(answerDialog(ports, answer)).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE' })
    expect(given).toEqual([])
  })

  // Copilot CLI 1.0.102: Enter on it does nothing before a reason is typed.
  test('refuses by Escape where the option of a permission names that key', async () => {
    const rows = [edge, ' Bash command', '   rm -rf build', ' Do you want to proceed?', ' ❯ 1. Yes']
    let screen: readonly string[] = [
      ...rows,
      '   2. No, and tell it what to do (Esc to stop)',
      ' Esc to cancel',
    ]
    const pressed: string[] = []
    const press = async (keys: readonly string[], look: LastLook) => {
      await look()
      pressed.push(...keys)
      screen = composer
    }
    const { chosen } = await answerDialog(
      { read: () => readDialog(screen, 'claude'), press },
      { choices: ['no'] },
    )
    expect([chosen, pressed]).toEqual([['No, and tell it what to do (Esc to stop)'], ['Escape']])
  })

  test('is refused where the options of a dialog can’t be distinguished', async () => {
    const { pressed, ports } = dialog()
    const read = async () => {
      const shown = await ports.read()
      return shown && { ...shown, options: [] }
    }
    await expect(answerDialog({ ...ports, read }, { choices: ['yes'] })).rejects.toMatchObject({
      code: 'REFUSED_TO_TYPE',
    })
    expect(pressed).toEqual([])
  })

  /** As `dialog`, where only the colour of its letters shows which option is chosen. */
  const byLetters = (isDeaf: boolean) => {
    const { pressed, ports } = dialog({ isDeaf })
    const read = async () => {
      const shown = await ports.read()
      return shown && { ...shown, isByLetters: true as const }
    }
    return { pressed, ports: { ...ports, read } }
  }

  test('proves a pointer that is a colour of letters by moving it away and back', async () => {
    const { pressed, ports } = byLetters(false)
    expect((await answerDialog(ports, { choices: ['yes'] })).chosen).toEqual(['Yes'])
    expect(pressed).toEqual(['Down', 'Up', 'Enter'])
    const last = byLetters(false)
    expect((await answerDialog(last.ports, { choices: ['no'] })).chosen).toEqual(['No'])
    expect(last.pressed).toEqual(['Down', 'Down', 'Enter'])
  })

  test('presses no Enter where such a pointer does not move: it is an emphasis', async () => {
    const { pressed, ports } = byLetters(true)
    await expect(answerDialog(ports, { choices: ['yes'] })).rejects.toThrow('does not move as it should')
    expect(pressed).toEqual(['Down'])
  })

  test('says where the dialog still stands', async () => {
    const { ports } = dialog({ stays: true })
    expect((await answerDialog(ports, { choices: ['yes'], goesWithin: 400 })).isGone).toBe(false)
  })

  test.concurrent('is not taken for gone because a clock in it moves', async () => {
    let reads = 0
    const rows = () => [` (${++reads}s) Running`, ...drawn('rm -rf build', 0).slice(1)]
    const pressed: string[] = []
    const read = () =>
      readDialog(
        pressed.length > 0 ? rows() : [' (0s) Running', ...drawn('rm -rf build', 0).slice(1)],
        'claude',
      )
    const press = async (keys: readonly string[]) => void pressed.push(...keys)
    expect((await answerDialog({ read, press }, { choices: ['yes'], goesWithin: 400 })).isGone).toBe(false)
  })

  test.concurrent('is not taken for gone because it is drawn anew', async () => {
    let isDrawn = true
    const flickers = dialog({ stays: true })
    const half = async () => {
      isDrawn = flickers.pressed.length === 0 || !isDrawn
      return isDrawn ? flickers.ports.read() : undefined
    }
    const ports = { read: half, press: flickers.ports.press }
    expect((await answerDialog(ports, { choices: ['yes'], goesWithin: 400 })).isGone).toBe(false)
  })

  test('is not given by one of two options that read alike', async () => {
    const rows = ['Which?', '❯ Delete volume   prod', '  Delete volume   test', '  Cancel']
    const pressed: string[] = []
    const read = () => readDialog([edge, ...rows], 'claude')
    const ports = { read, press: async (keys: readonly string[]) => void pressed.push(...keys) }
    await expect(answerDialog(ports, { choices: ['2'] })).rejects.toThrow(
      'several options read “Delete volume”: nothing was pressed',
    )
    expect(pressed).toEqual([])
  })

  test('to a permission is no answer to the question that comes next, though it offers to submit that', async () => {
    const asks = [edge, ' Review', ' → No', ' ❯ 1. Submit', '   2. Cancel', ' Esc to cancel']
    const { pressed, ports } = dialog({ onKey: count => (count === 3 ? asks : undefined) })
    const { isGone, next } = await answerDialog(ports, { choices: ['no'] })
    expect([isGone, next?.options[0]?.label, pressed]).toEqual([true, 'Submit', ['Down', 'Down', 'Enter']])
  })

  test('is not given where another dialog has come in between, or another one was meant', async () => {
    const swapped = dialog({ onKey: count => (count === 1 ? drawn('rm -rf /', 1) : undefined) })
    await expect(answerDialog(swapped.ports, { choices: ['no'] })).rejects.toThrow(
      'what it shows has changed',
    )
    expect(swapped.pressed).toEqual(['Down'])
    const redirected = dialog({ onKey: count => (count === 1 ? drawn('rm -rf > build', 1) : undefined) })
    await expect(answerDialog(redirected.ports, { choices: ['no'] })).rejects.toThrow(
      'what it shows has changed',
    )
    const other = dialog()
    await expect(answerDialog(other.ports, { choices: ['no'], expected: 'ffffffff' })).rejects.toThrow(
      'what it shows has changed',
    )
    expect(other.pressed).toEqual([])
  })

  test('is not given where somebody else moves the pointer, or nothing moves it', async () => {
    const pulled = dialog({ onKey: () => drawn('rm -rf build', 2) })
    await expect(answerDialog(pulled.ports, { choices: ['2'] })).rejects.toThrow('pointer does not move')
    const deaf = dialog({ isDeaf: true })
    await expect(answerDialog(deaf.ports, { choices: ['no'] })).rejects.toThrow('Enter was not pressed')
    expect(deaf.pressed).toEqual(['Down'])
  })

  test('waits for the dialog to be drawn where the agent is known to ask, and nowhere else', async () => {
    for (const isAsked of [true, false]) {
      const { ports, pressed } = dialog()
      let reads = 0
      const late = {
        ...ports,
        read: async () => (++reads > 3 ? ports.read() : undefined),
        isAsked: async () => isAsked,
      }
      const answered = answerDialog(late, { choices: ['no'] })
      if (isAsked) expect(await answered).toMatchObject({ chosen: ['No'] })
      else await expect(answered).rejects.toThrow('no dialog with options is shown')
      expect(pressed.at(-1)).toBe(isAsked ? 'Enter' : undefined)
    }
  })

  test('is refused where nothing asks, and where several are named and one may be chosen', async () => {
    const ports = { read: () => readDialog(composer, 'claude'), press: async () => undefined }
    await expect(answerDialog(ports, { choices: ['yes'] })).rejects.toThrow('no dialog with options is shown')
    const { ports: one, pressed } = dialog()
    await expect(answerDialog(one, { choices: ['1', '2'] })).rejects.toThrow('it takes one choice')
    await expect(answerDialog(one, { choices: [], text: 'use pnpm' })).rejects.toThrow(
      'no option takes a text',
    )
    expect(pressed).toEqual([])
  })

  test('by a key that is named beside it presses that key', async () => {
    const pressed: string[] = []
    const asks = [' Cline needs permission', '', '   npm test', '', ' [y] Approve   [n] Deny']
    const read = () => readDialog(pressed.length === 0 ? asks : composer, 'cline')
    const press = async (keys: readonly string[]) => void pressed.push(...keys)
    expect((await answerDialog({ read, press }, { choices: ['no'] })).chosen).toEqual(['Deny'])
    expect(pressed).toEqual(['n'])
  })
})

type Boxes = { pointed: number; ticked: Set<number>; text: string; page: 'question' | 'review' | 'over' }

/** A question with several answers, as Claude Code asks it, and the page that repeats them. */
function boxes(labels: readonly string[], rowsAtOnce = labels.length + 2) {
  const state: Boxes = { pointed: 0, ticked: new Set(), text: '', page: 'question' }
  const pressed: string[] = []
  const own = labels.length
  const question = (): readonly string[] => {
    const rows = [...labels, state.text || 'Type something'].map((label, n) => {
      const tick = state.ticked.has(n) ? '✔' : ' '
      return `${n === state.pointed ? '❯' : ' '} ${n + 1}. [${tick}] ${label}`
    })
    const all = [...rows, state.pointed > own ? '❯    Submit' : '     Submit']
    const from = Math.max(0, Math.min(state.pointed, all.length - rowsAtOnce))
    const shown = all.slice(from, from + rowsAtOnce)
    const isScrolled = rowsAtOnce < all.length
    return [
      ...[edge, `←  ${state.ticked.size > 0 ? '☒' : '☐'} Choice 1  ✔ Submit  →`, 'Which databases?'],
      ...(isScrolled ? ['▲', ...shown, '▼'] : shown),
      ...[edge, 'Enter to select · ↑/↓ to navigate · Esc to cancel'],
    ]
  }
  const chosen = () =>
    [...state.ticked]
      .sort()
      .map(n => labels[n] ?? state.text)
      .join(', ')
  const review = () => [
    edge,
    'Review your answers',
    ` ● Which databases?`,
    `   → ${chosen()}`,
    '❯ 1. Submit answers',
    '  2. Cancel',
  ]
  const pages = { question, review, over: () => composer }
  const enter = () => {
    if (state.page === 'review') state.page = 'over'
    else if (state.pointed > own) state.page = 'review'
    else if (state.ticked.has(state.pointed)) state.ticked.delete(state.pointed)
    else state.ticked.add(state.pointed)
  }
  const press = async (keys: readonly string[], look: LastLook) => {
    for (const key of keys) {
      await look()
      pressed.push(key)
      if (key === 'Down') state.pointed = Math.min(state.pointed + 1, own + 1)
      else if (key === 'Up') state.pointed = Math.max(state.pointed - 1, 0)
      else if (key === 'Enter') enter()
      else {
        state.text += key === 'Space' ? ' ' : key
        state.ticked.add(own)
      }
    }
  }
  return { state, pressed, chosen, ports: { read: () => readDialog(pages[state.page](), 'claude'), press } }
}

describe('an answer to a question with several', () => {
  test('ticks what is named and nothing else, hands it in, and submits the page that repeats it', async () => {
    const asked = boxes(['Postgres', 'SQLite', 'Redis'])
    asked.state.ticked.add(1)
    const { chosen, isGone, next } = await answerDialog(asked.ports, { choices: ['redis', '1'] })
    expect([chosen, isGone, next, asked.chosen()]).toEqual([
      ['Redis', 'Postgres'],
      true,
      undefined,
      'Postgres, Redis',
    ])
    expect(asked.state.page).toBe('over')
  })

  test('finds options beyond the edge', async () => {
    const asked = boxes(['Postgres', 'SQLite', 'Redis', 'MySQL', 'DuckDB'], 3)
    await answerDialog(asked.ports, { choices: ['duckdb', 'postgres'] })
    expect([asked.chosen(), asked.state.page]).toEqual(['Postgres, DuckDB', 'over'])
  })

  test('may be a text of one’s own', async () => {
    const asked = boxes(['Postgres', 'SQLite'])
    const { chosen } = await answerDialog(asked.ports, { choices: [], text: 'use MySQL' })
    expect([chosen, asked.chosen(), asked.state.page]).toEqual([['use MySQL'], 'use MySQL', 'over'])
  })

  test('is a text only in the program’s own option, the last one, and that is none without a text', async () => {
    const asked = boxes(['Other databases, all', 'Type something', 'SQLite'])
    await answerDialog(asked.ports, { choices: [], text: '1 GB of MySQL' })
    expect(asked.chosen()).toBe('1 GB of MySQL')
    // A model may call an option so, above that.
    const others = boxes(['Other', 'None of the above'])
    await answerDialog(others.ports, { choices: [], text: '2 of them' })
    expect(others.chosen()).toBe('2 of them')
    const again = boxes(['Postgres', 'SQLite'])
    await expect(answerDialog(again.ports, { choices: ['3'] })).rejects.toThrow(
      '“Type something” takes a text of your own (--text): nothing was pressed',
    )
    expect(again.pressed).toEqual([])
  })

  test('is not handed in where an option is not there, or the text is none', async () => {
    const asked = boxes(['Postgres', 'SQLite'])
    await expect(answerDialog(asked.ports, { choices: ['1', 'oracle'] })).rejects.toThrow(
      'no option is called',
    )
    for (const text of ['', 'a\nb', 'x\u001b'])
      await expect(answerDialog(asked.ports, { choices: [], text })).rejects.toThrow('a text is one line')
    expect(asked.pressed).toEqual([])
  })
})
