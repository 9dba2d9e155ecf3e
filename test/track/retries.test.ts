/** A provider that refuses, and is asked again: `working/retrying` wherever a source tells of it. */
import { describe, expect, test } from 'vitest'
import { line, play, stamp } from '../support/scenario.ts'

describe('Copilot’s events', () => {
  const event = (t: number, type: string, data: object) => line(t, { type, timestamp: stamp(t), data })
  const turn = [event(1, 'user.message', { content: 'go' }), event(1.1, 'assistant.turn_start', {})]
  const failed = (recoverable: boolean) =>
    event(2, 'hook.start', { hookType: 'errorOccurred', input: { recoverable, error: { message: '429' } } })

  test('tell of a request that is made again, though none of lull’s hooks is heard', () => {
    expect(play('copilot', [...turn, failed(true)]).at(3)).toBe('working/retrying')
    expect(play('copilot', [...turn, failed(false)]).at(3)).toBe('working/thinking')
    const more = event(2, 'hook.start', { hookType: 'preToolUse', input: { recoverable: true } })
    expect(play('copilot', [...turn, more]).at(3)).toBe('working/thinking')
  })
})

describe('Claude Code’s transcript', () => {
  const row = (t: number, more: object) => line(t, { timestamp: stamp(t), ...more })
  const prompt = row(1, { type: 'user', promptId: 'p1', message: { content: 'go' } })
  const refused = (t: number, retryInMs?: number) =>
    row(t, { type: 'system', subtype: 'api_error', retryAttempt: 1, ...(retryInMs ? { retryInMs } : {}) })
  const answer = row(30, {
    type: 'assistant',
    message: { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
  })

  test('tells of each refusal, and until when it waits', () => {
    const told = play('claude', [prompt, refused(2, 20_000), refused(22), answer])
    expect([told.at(3), told.at(23)]).toEqual(['working/retrying', 'working/retrying'])
    expect(told.verdict(3).limit).toEqual({ until: 22_000 })
    expect(told.at(30)).toBe('idle/turn')
  })
})

describe('Codex’ transcript', () => {
  const event = (t: number, payload: object) => line(t, { type: 'event_msg', timestamp: stamp(t), payload })

  test('tells of a stream that broke, and is asked for again', () => {
    const told = play('codex', [
      event(1, { type: 'task_started', turn_id: 't1' }),
      event(2, { type: 'stream_error', message: 'Reconnecting... 2/5' }),
      event(30, { type: 'task_complete', turn_id: 't1' }),
    ])
    expect(told.at(3)).toBe('working/retrying')
    expect(told.at(30)).toBe('idle/turn')
  })

  // As 0.169.0 wrote them.
  test.each([
    ['You’ve hit your usage limit. Try again at 2:25 AM.', 'usage_limit_exceeded', 'limit'],
    ['A limit in words that nobody knows', 'usage_limit_exceeded', 'limit'],
    [
      'exceeded retry limit, last status: 429 Too Many Requests',
      { response_too_many_failed_attempts: { http_status_code: 429 } },
      'limit',
    ],
    ['slow down', { response_too_many_failed_attempts: { http_status_code: 429 } }, 'limit'],
    ['scripted error', { response_too_many_failed_attempts: { http_status_code: 500 } }, 'error'],
    ['unexpected status 400', 'bad_request', 'error'],
  ])('tells a limit from another failure: %s', (message, kind, after) => {
    const told = play('codex', [
      event(1, { type: 'task_started', turn_id: 't1' }),
      event(2, { type: 'task_complete', turn_id: 't1', error: { message, codex_error_info: kind } }),
    ])
    expect(told.at(3)).toBe(`idle/${after}`)
  })
})

describe('Qwen’s chat file', () => {
  const row = (t: number, more: object) => line(t, { timestamp: stamp(t), sessionId: 's', ...more })
  const prompt = row(1, { type: 'user', provenance: 'real_user', message: { parts: [{ text: 'go' }] } })
  const told = (name: string, status_code?: number) =>
    row(2, {
      type: 'system',
      subtype: 'ui_telemetry',
      systemPayload: { uiEvent: { 'event.name': name, status_code } },
    })

  test.each([
    ['qwen-code.api_error', 429, 'working/retrying'],
    ['qwen-code.api_error', 503, 'working/retrying'],
    ['qwen-code.chat.content_retry', undefined, 'working/retrying'],
    ['qwen-code.api_error', 400, 'working/thinking'],
    ['qwen-code.api_response', 200, 'working/thinking'],
  ])('%s %s', (name, status, state) => {
    expect(play('qwen', [prompt, told(name, status)]).at(3)).toBe(state)
  })

  test('what nobody tells the end of is unknown in the end', () => {
    expect(play('qwen', [prompt, told('qwen-code.api_error', 429)]).at(700)).toBe('unknown')
  })
})

describe('pi’s session file', () => {
  const row = (t: number, message: object) =>
    line(t, { type: 'message', id: `m${t}`, timestamp: stamp(t), message })
  const prompt = row(1, { role: 'user', content: 'go' })
  const refused = (t: number) =>
    row(t, { role: 'assistant', stopReason: 'error', errorMessage: '429 rate limit' })

  test('tells of an attempt when it is over: until then its turn is not', () => {
    const done = row(30, { role: 'assistant', stopReason: 'stop', content: 'Done.' })
    const told = play('pi', [prompt, refused(2), refused(7), done])
    expect(told.at(3)).toBe('working/retrying')
    // The next attempt was due at 4 s, and may take long.
    expect(told.at(6.5)).toBe('unknown')
    expect(told.at(8)).toBe('working/retrying')
    expect(told.at(29)).toBe('unknown')
    expect(told.at(30)).toBe('idle/turn')
    expect(told.path).not.toContain('idle/limit')
    expect(told.session.verdict.turn).toBe(1)
  })

  test('ends with the last attempt', () => {
    const told = play('pi', [prompt, refused(2), refused(5), refused(10), refused(20)])
    expect(told.at(21)).toBe('idle/limit')
  })
})
