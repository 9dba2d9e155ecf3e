import { describe, expect, test } from 'vitest'
import { edge } from '../support/agent-screens.ts'
import { hook, line, play, type Row, stamp, title } from '../support/scenario.ts'

/** Sources that tell of work and never of its end. */

const user = (t: number, text = 'go') =>
  line(t, { type: 'user', id: `u${t}`, timestamp: stamp(t), content: [{ text }] })
const answer = (t: number) =>
  line(t, { type: 'gemini', id: `g${t}`, timestamp: stamp(t), content: 'Done.', model: 'm' })

describe('gemini: the chat file', () => {
  test('alone is believed for ten seconds after its last line', () => {
    const told = play('gemini', [user(1), answer(3)])
    expect(told.at(4)).toBe('working/thinking')
    expect(told.at(13)).toBe('unknown')
    expect(told.path.some(state => state.startsWith('idle'))).toBe(false)
  })

  test('does not cut short what hooks hold', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent', { timestamp: stamp(1) }),
      hook(1.1, 'BeforeModel', { timestamp: stamp(1.1) }),
      user(1.2),
      hook(90, 'AfterAgent', { timestamp: stamp(90) }),
    ])
    expect(told.at(60)).toBe('working/thinking')
    expect(told.at(91)).toBe('idle/turn')
  })

  test('tells of a turn of which hooks told nothing', () => {
    const told = play('gemini', [
      hook(1, 'BeforeAgent', { timestamp: stamp(1) }),
      hook(5, 'AfterAgent', { timestamp: stamp(5) }),
      user(20),
    ])
    expect(told.at(25)).toBe('working/thinking')
    expect(told.at(31)).toBe('unknown')
  })

  test('and the title tells the rest', () => {
    const told = play('gemini', [
      title(0.5, '◇  Ready (a)'),
      user(1),
      title(1.1, '✦  Working… (a)'),
      answer(59),
      title(60, '◇  Ready (a)'),
    ])
    expect(told.at(50)).toBe('working')
    expect(told.at(62)).toBe('idle')
  })

  test('of whoever looks once, after the end, the last message lets title and screen be right; a tool that was answered does not', () => {
    const half = '▄'.repeat(60)
    const composer = ['✦ Done.', '', '  ? for shortcuts', edge, half, ' >   Type your message', half]
    const result = line(20, { type: 'user', timestamp: stamp(15), content: [{ functionResponse: {} }] })
    const last = line(20, { type: 'gemini', id: 'g', timestamp: stamp(16), content: 'Done.' })
    const begun = line(20, { type: 'user', timestamp: stamp(5), content: [{ text: 'go' }] })
    const ready = [20, 'f', { title: '◇  Ready (a)' }] as const
    const shown = [20, 'f', { rows: composer, isStill: true }] as const
    const seenOnce = (...rows: readonly Row[]) => play('gemini', rows, { attached: true, until: 21 }).at(20)
    expect(seenOnce(begun, result, last, ready, shown)).toBe('idle')
    expect(seenOnce(begun, result, ready, shown)).toBe('working/thinking')
    expect(seenOnce(begun, result, last, ready)).toBe('working/thinking')
    expect(seenOnce(begun, result, last, shown)).toBe('working/thinking')
  })

  test('of a turn that was over between two looks, the next looks show the end', () => {
    const half = '▄'.repeat(60)
    const composer = ['✦ Done.', '', '  ? for shortcuts', edge, half, ' >   Type your message', half]
    const ready = (t: number): Row => [t, 'f', { title: '◇  Ready (a)' }]
    const shown = (t: number): Row => [t, 'f', { rows: composer, isStill: true }]
    const same = (t: number): Row => [t, 'f', { isSame: true, isStill: true }]
    const busy = (t: number): Row => [
      t,
      'f',
      { rows: ['⠙ Thinking... (esc to cancel, 1s)', ...composer.slice(2)] },
    ]
    const before = [ready(1), shown(1), same(4)]
    const turn = [user(5), answer(5.3)]
    const at = (t: number, ...rows: readonly Row[]) => play('gemini', [...before, ...turn, ...rows]).at(t)
    expect(at(7.5, same(6), same(7))).toBe('working/thinking')
    expect(at(7.6, same(6), same(7))).toBe('idle')
    expect(at(9)).toBe('working/thinking')
    expect(at(9, same(6), busy(7), busy(8))).toBe('working/thinking')
    expect(play('gemini', [...before, user(5), same(6), same(7)]).at(9)).toBe('working/thinking')
    expect(play('gemini', [shown(1), same(4), ...turn, same(6), same(7)]).at(9)).toBe('working/thinking')
  })

  test('of a hook that is older than any source is late, the first look at title and screen tells at once', () => {
    const half = '▄'.repeat(60)
    const composer = ['✦ Done.', '', '  ? for shortcuts', edge, half, ' >   Type your message', half]
    const looks = (at: number): readonly Row[] => [
      [at, 'f', { title: '◇  Ready (a)' }],
      [at + 0.1, 'f', { rows: composer, isStill: true }],
    ]
    const began = hook(1, 'BeforeTool', { timestamp: stamp(1), tool_name: 'shell' })
    expect(play('gemini', [began, ...looks(31)], { attached: true }).at(31.2)).toBe('idle')
    const early = play('gemini', [began, ...looks(4)], { attached: true })
    expect([early.at(10.9), early.at(11)]).toEqual(['working/tool', 'idle'])
  })

  test('and the title, once it has kept step, tells it at once', () => {
    const look = (t: number, text: string) => [t, 'f', { title: text }] as const
    const result = (t: number) =>
      line(t, { type: 'user', timestamp: stamp(t), content: [{ functionResponse: { name: 'shell' } }] })
    const turn = (t: number) => [
      user(t),
      look(t + 0.5, '✦  Working… (a)'),
      result(t + 29),
      answer(t + 29.5),
      look(t + 30, '◇  Ready (a)'),
    ]
    // Its first turn was over before anybody looked.
    const told = play('gemini', [
      look(0.5, '◇  Ready (a)'),
      user(1),
      answer(1.1),
      look(1.5, '◇  Ready (a)'),
      ...[20, 60, 100].flatMap(turn),
    ])
    expect(told.at(131)).toBe('idle')
  })
})

test('gemini: the title says Ready before it takes a prompt', () => {
  const early = [title(1, '◇  Ready (a)'), title(3.5, '✦  Working… (a)')]
  expect(play('gemini', early).path).toEqual(['starting', 'unknown', 'working'])
  expect(play('gemini', early).at(1.49)).toBe('starting')
  const started = hook(1.5, 'SessionStart', { session_id: 's', source: 'startup' })
  expect(play('gemini', [title(1, '◇  Ready (a)'), started]).at(2)).toBe('idle')
  expect(play('gemini', [title(1, '◇  Ready (a)')]).at(5)).toBe('idle')
})

test('claude: a version that does not tell which text was the last', () => {
  const told = play('claude', [
    line(1, { type: 'user', timestamp: stamp(1), message: { content: 'go' } }),
    line(3, {
      type: 'assistant',
      timestamp: stamp(3),
      message: { content: [{ type: 'text', text: 'Done.' }] },
    }),
  ])
  expect(told.at(4)).toBe('working/streaming')
  expect(told.at(13)).toBe('unknown')
})

test('qwen: a refused call may be the end of its turn; title and screen tell it, a result alone does not', () => {
  const row = (t: number, type: string, more: object) => line(t, { type, timestamp: stamp(t), ...more })
  const called = row(2, 'assistant', { message: { parts: [{ functionCall: { name: 'shell' } }] } })
  const result = (status: string) => row(15, 'tool_result', { toolCallResult: { status } })
  const rests = (t: number): readonly Row[] => [
    [t, 'f', { title: 'Qwen - work' }],
    [t, 'f', { rows: ['  ◆ So.', '', edge, '>   Type your message', edge, '  ➜ work'], isStill: true }],
  ]
  const told = (status: string) =>
    play('qwen', [
      row(1, 'user', { provenance: 'real_user', message: { parts: [{ text: 'go' }] } }),
      called,
      result(status),
      ...rests(15.5),
      ...rests(16.5),
    ]).at(17)
  expect(told('cancelled')).toMatch(/^idle/)
  expect(told('success')).toBe('working/thinking')
})
