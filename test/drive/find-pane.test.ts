/** Which pane an address means, and what is told where it means none or several. */
import { describe, expect, test } from 'vitest'
import { findByAddress } from '../../src/drive/pane-address.ts'
import { type PaneFacts, paneFormat, readPaneFacts } from '../../src/os/tmux/pane-facts.ts'

function pane(
  id: string,
  session: string,
  window: number,
  index: number,
  more: Partial<PaneFacts> = {},
): PaneFacts {
  return {
    id,
    pid: 1,
    tty: '/dev/pts/1',
    isInMode: false,
    isSynchronized: false,
    isInputOff: false,
    isPiped: false,
    isAlternate: false,
    isCursorHidden: false,
    cursor: { column: 0, row: 0 },
    columns: 80,
    rows: 24,
    historySize: 0,
    historyLimit: 2000,
    session: session === 'work' ? '$0' : '$1',
    sessionName: session,
    window: {
      id: `@${window}`,
      index: `${window}`,
      name: window === 1 ? 'logs: all' : 'shell',
      isActive: window === 0,
    },
    index: `${index}`,
    isActive: index === 0,
    version: '3.3a',
    command: 'bash',
    ...more,
  }
}

const work = [
  pane('%0', 'work', 0, 0),
  pane('%1', 'work', 0, 1),
  pane('%2', 'work', 1, 0),
  pane('%3', 'work', 1, 1),
]
const all = [...work, pane('%4', 'play', 0, 0)]

describe('an address after tmux:', () => {
  test.each([
    ['%3', '%3'],
    ['work', '%0'],
    ['$0', '%0'],
    ['@1', '%2'],
    ['work:1', '%2'],
    ['work:1.1', '%3'],
    ['work:0.1', '%1'],
    ['work:logs: all.1', '%3'],
    ['play', '%4'],
  ])('%s is %s', (text, id) => {
    expect(findByAddress(text, all).id).toBe(id)
  })
  test('without a name is never the pane that it is asked from', () => {
    expect(findByAddress('', [work[0], work[1]] as PaneFacts[], '%0').id).toBe('%1')
    expect(findByAddress('', all, '%1').id).toBe('%4')
    expect(() => findByAddress('', [work[0]] as PaneFacts[], '%0')).toThrow('no pane besides this one')
    expect(() => findByAddress('', all)).toThrow(expect.objectContaining({ code: 'AMBIGUOUS_PANE' }))
  })
  test('that is not there is told with what is', () => {
    expect(() => findByAddress('%9', all)).toThrow(
      'no pane "%9": there is %0 (work:0.0, bash), %1 (work:0.1, bash)',
    )
    expect(() => findByAddress('wor', all)).toThrow(expect.objectContaining({ code: 'NO_PANE' }))
    expect(() => findByAddress('work:0.7', [])).toThrow('the tmux server has none')
    expect(() => findByAddress(':1', all)).toThrow(expect.objectContaining({ code: 'BAD_PANE' }))
  })
  test('of a window that two sessions show is one pane', () => {
    const linked = [pane('%0', 'work', 0, 0), pane('%0', 'play', 0, 0)]
    expect(findByAddress('%0', linked).sessionName).toBe('work')
    expect(findByAddress('play', linked).id).toBe('%0')
    expect(findByAddress('', linked).id).toBe('%0')
  })
})

test('facts of a pane are read as they are asked for; blanks are none', () => {
  const asked = paneFormat.replaceAll(/#\{(\w+)\}/g, (_, name: string) => `<${name}>`)
  const line = asked
    .replace('<pane_id>', '%5')
    .replace('<pane_dead>', '1')
    .replace('<pane_dead_status>', '3')
    .replace('<pane_dead_signal>', '9')
  expect(readPaneFacts(line)).toMatchObject({
    id: '%5',
    tty: '<pane_tty>',
    dead: { code: 3, signal: 'SIGKILL' },
    sessionName: '<session_name>',
    window: { id: '<window_id>', index: '<window_index>', name: '<window_name>' },
    command: '<pane_current_command>',
  })
  expect(readPaneFacts(asked.replaceAll(/<\w+>/g, ''))).toBeUndefined()
})
