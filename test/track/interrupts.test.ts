import { describe, expect, test } from 'vitest'
import { hook, line, play, stamp } from '../support/scenario.ts'

/** A person breaks off: no error, no retry that goes on, nothing of the turn left behind. */

const log = (t: number, message: string, fields = '', level = 'INFO') =>
  line(t, `timestamp=${stamp(t)} level=${level} run=1 message=${message} ${fields}`, 'opencode.log')
const main = 'session.id=main'

describe('opencode: the log', () => {
  const begun = [log(1, 'loop', `${main} step=0`), log(1.1, 'process', main)]

  test('an abort is no error', () => {
    const told = play('opencode', [
      ...begun,
      log(5, 'cancel', main),
      log(5.1, 'process', `${main} error=Aborted`, 'ERROR'),
    ])
    expect(told.at(6)).toBe('idle/interrupt')
    expect(told.session.facts.error).toBeUndefined()
  })

  test('an error of the provider is one, whatever it is about', () => {
    const failed = log(5, 'process', `${main} error="Aborted: the upstream server"`, 'ERROR')
    expect(play('opencode', [...begun, failed]).at(6)).toBe('idle/error')
  })

  test('a cancel ends a retry, of which the log tells nothing more', () => {
    const told = play('opencode', [
      ...begun,
      log(2, '"stream error"', `${main} small=false`),
      log(5, 'cancel', main),
    ])
    expect(told.at(3)).toBe('working/retrying')
    expect(told.at(6)).toBe('idle/interrupt')
  })

  test('a cancel ends what the turn has in the background', () => {
    const told = play('opencode', [
      ...begun,
      log(2, 'loop', 'session.id=child step=0'),
      log(5, 'cancel', main),
    ])
    expect(told.at(6)).toBe('idle/interrupt')
  })

  test('a cancel of a subagent ends nothing else', () => {
    const told = play('opencode', [
      ...begun,
      log(2, 'loop', 'session.id=child step=0'),
      log(5, 'cancel', 'session.id=child'),
    ])
    expect(told.at(6)).toBe('working/thinking')
  })

  test('a cancel after the end of the turn takes nothing back', () => {
    const told = play('opencode', [...begun, log(4, '"exiting loop"', main), log(5, 'cancel', main)])
    expect(told.at(6)).toBe('idle/turn')
  })
})

test('opencode: events of an abort leave no error behind, and no subagent', () => {
  const error = { name: 'MessageAbortedError', data: { message: 'Aborted' } }
  const told = play('opencode', [
    hook(1, 'message.updated', { sessionID: 'main', info: { id: 'm1', role: 'user' } }),
    hook(2, 'session.status', { sessionID: 'child', status: { type: 'busy' } }),
    hook(5, 'session.error', { sessionID: 'main', error }),
  ])
  expect(told.at(6)).toBe('idle/interrupt')
  expect(told.session.facts.error).toBeUndefined()
})

describe('opencode: a permission that its person refuses', () => {
  const event = (t: number, name: string, fields: object = {}) =>
    hook(t, name, { sessionID: 'main', ...fields })
  const asked = [
    event(1, 'message.updated', { info: { id: 'm1', role: 'user' } }),
    event(3, 'permission.asked', { id: 'per1' }),
  ]
  const replied = (t: number, reply: string) => event(t, 'permission.replied', { requestID: 'per1', reply })
  const ends = (t: number) => [
    event(t, 'session.status', { status: { type: 'idle' } }),
    event(t, 'session.idle'),
  ]

  test('breaks the turn off, where the turn ends with it', () => {
    const told = play('opencode', [...asked, replied(5, 'reject'), ...ends(5.1)])
    expect([told.at(4), told.at(6)]).toEqual(['waiting/permission', 'idle/interrupt'])
  })

  test('breaks nothing off, where the agent goes on', () => {
    const goesOn = event(6, 'message.part.delta')
    const told = play('opencode', [...asked, replied(5, 'reject'), goesOn, ...ends(9)])
    expect(told.at(10)).toBe('idle/turn')
  })

  test('counts for this turn alone, and a granted one for none', () => {
    const next = event(10, 'message.updated', { info: { id: 'm2', role: 'user' } })
    const told = play('opencode', [...asked, replied(5, 'reject'), ...ends(5.1), next, ...ends(12)])
    expect(told.at(13)).toBe('idle/turn')
    expect(play('opencode', [...asked, replied(5, 'once'), ...ends(9)]).at(10)).toBe('idle/turn')
  })
})

test('of one end, that it was broken off tells more than the error that came of it', () => {
  const failed = (t: number, source: 'failed' | 'aborted') =>
    line(
      t,
      { time: stamp(t), event: source === 'failed' ? 'agent.run-failed' : 'session.aborted', properties: {} },
      'cline.log',
    )
  const start = line(
    1,
    { time: stamp(1), event: 'session.input_sent', properties: { sessionId: 's' } },
    'cline.log',
  )
  expect(play('cline', [start, failed(5, 'failed'), failed(5.1, 'aborted')]).at(6)).toBe('idle/interrupt')
  expect(play('cline', [start, failed(5, 'aborted'), failed(5.1, 'failed')]).at(6)).toBe('idle/interrupt')
})

test('pi: a retry that is called off is no error', () => {
  const told = play('pi', [
    hook(1, 'agent_start'),
    hook(2, 'message_end', {
      message: { role: 'assistant', stopReason: 'error', errorMessage: '429 slow down' },
    }),
    hook(2.1, 'agent_end'),
    hook(2.2, 'auto_retry_start', { delayMs: 8000 }),
    hook(6, 'auto_retry_end', { success: false, finalError: 'Retry cancelled' }),
  ])
  expect(told.at(3)).toBe('working/retrying')
  expect(told.at(7)).toBe('idle/interrupt')
  expect(told.session.facts.error).not.toBe('Retry cancelled')
})

describe('gemini: a cancelled request, after which the chat is written again', () => {
  const row = (t: number, type: string, content: unknown, at = t) =>
    line(t, { id: `${type}${t}`, timestamp: stamp(at), type, content }, 'session-1.jsonl')
  const context = [{ text: '<session_context>\nThis is the Gemini CLI.' }]
  const first = [
    line(0.5, { $set: { messages: [{ type: 'user', content: context }] } }, 'session-1.jsonl'),
    row(1, 'user', [{ text: 'go' }]),
    row(2, 'gemini', 'I need to create a file.'),
  ]
  /** As 0.61.0 wrote it: all that was said, stamped anew, one by one. */
  const again = [
    row(9, 'info', 'Request cancelled.'),
    row(9.1, 'user', context, 9),
    row(9.1, 'gemini', [{ text: 'I need to create a file.' }], 9.001),
    row(9.1, 'user', [{ text: 'go' }], 9.001),
    row(9.1, 'user', [{ functionResponse: { name: 'run_shell_command' } }], 9.002),
    row(9.1, 'user', [{ text: 'before that' }], 9.002),
    line(9.1, { $set: { messages: [{ type: 'user', content: context }] } }, 'session-1.jsonl'),
  ]

  test('has no turn that begins again', () => {
    expect(play('gemini', [...first, ...again]).path).toEqual([
      'starting',
      'working/thinking',
      'idle/interrupt',
    ])
  })

  test('tells of the next', () => {
    const told = play('gemini', [...first, ...again, row(12, 'user', [{ text: 'rather this' }])])
    expect(told.at(12)).toBe('working/thinking')
  })

  test('begins with a prompt as ever, however soon it comes', () => {
    const told = play('gemini', [row(0.5, 'user', context), row(0.6, 'user', [{ text: 'go' }])])
    expect(told.at(1)).toBe('working/thinking')
  })
})
