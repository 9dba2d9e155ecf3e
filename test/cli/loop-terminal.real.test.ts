/** The countdown of a wait: one line that is rewritten in a terminal, plain lines elsewhere. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLoopPrinter } from '../../src/cli/ui/print-loop.ts'
import type { Happening, LoopEvent } from '../../src/loop/loop-events.ts'
import { until } from '../support/ralph.ts'

const at = (event: Happening): LoopEvent => ({ ...event, time: 0 })
const begins = at({ type: 'DELAY_STARTED', iteration: 1, why: 'idle', delay: 125_000 })
const ends = at({ type: 'DELAY_ENDED', iteration: 1, why: 'skipped', waited: 2000 })
const warning = at({ type: 'LOG_MESSAGE', level: 'warning', message: 'careful' })

function printed(width?: number) {
  const pieces: string[] = []
  const write = (text: string): boolean => {
    if (text !== '') pieces.push(text)
    return true
  }
  const printer = createLoopPrinter(write, width === undefined ? undefined : () => width)
  return { pieces, ...printer }
}

describe('in a terminal', () => {
  test('the line is rewritten each second, and gone when the wait is over', async () => {
    const { print, close, pieces } = printed(60)
    print(begins)
    await until('it is drawn twice more', () => pieces.length === 3)
    print(ends)
    close()
    const lines = pieces.map(stripVTControlCharacters)
    expect(lines[0]).toBe('\rnothing to do, next run in 2 min 5 s (Ctrl+C: run now, twic')
    expect(lines[1]).toMatch(/next run in /)
    // A busy machine may draw one second twice.
    expect(new Set(lines).size).toBeGreaterThanOrEqual(3)
    expect(pieces.join('')).not.toContain('\n')
    for (const piece of pieces) expect(piece.startsWith('\r\u001b[K')).toBe(true)
    expect(pieces.at(-1)).toBe('\r\u001b[K')
  })

  test('one that knows no size (0×0) shows the whole line', () => {
    const { print, close, pieces } = printed(0)
    print(begins)
    close()
    expect(stripVTControlCharacters(pieces[0] ?? '')).toBe(
      '\rnothing to do, next run in 2 min 5 s (Ctrl+C: run now, twice: stop)',
    )
  })

  test('other lines make room for themselves', () => {
    const { print, close, pieces } = printed(60)
    print(begins)
    print(warning)
    close()
    expect(pieces.slice(1)).toEqual(['\r\u001b[K', 'warning: careful\n'])
  })
})

test('elsewhere it is a line', () => {
  const { print, close, pieces } = printed()
  print(begins)
  print(warning)
  print(ends)
  close()
  expect(pieces).toEqual([
    'nothing to do, next run in 2 min 5 s (Ctrl+C: run now, twice: stop)\n',
    'warning: careful\n',
  ])
})

test('while the agent works: its tools, what holds it up, and how long a state shall last', () => {
  const { print, close, pieces } = printed()
  const activity = { type: 'AGENT_ACTIVITY', iteration: 1 } as const
  print(at({ ...activity, state: { kind: 'working', doing: 'tool' }, tool: 'Bash' }))
  print(at({ ...activity, state: { kind: 'working', doing: 'retrying' } }))
  print(at({ ...activity, state: { kind: 'working', doing: 'thinking' } }))
  const state = { type: 'STATE_REPORTED', iteration: 1, isKnown: true } as const
  print(at({ ...state, name: 'waiting', until: { in: 1_800_000 } }))
  print(at({ ...state, name: 'idle' }))
  print(at({ ...state, name: 'waiting', until: { at: new Date(2026, 10, 25, 17, 0).getTime() } }))
  close()
  expect(pieces).toEqual([
    '  · Bash\n',
    '  · retrying\n',
    '  the agent reports waiting for 30 min\n',
    '  the agent reports waiting until 2026-11-25 17:00:00\n',
  ])
})
