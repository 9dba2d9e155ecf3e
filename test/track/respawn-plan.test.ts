/**
 * The nine unit tests that docs/seeds.md#003 names for its first phase, by their names. Where the document's controller has a
 * method or a field, lull has what it is for: the comments say what.
 */
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/core/explain/explain.ts'
import { idleConfidence } from '../../src/core/judge/idle-confidence.ts'
import { hook, play } from '../support/scenario.ts'

const prompt = (t: number, id = 'p1') => hook(t, 'UserPromptSubmit', { prompt_id: id, prompt: 'do it' })
const stop = (t: number, id = 'p1') =>
  hook(t, 'Stop', { prompt_id: id, background_tasks: [], last_assistant_message: 'Done.' })
const idlePrompt = (t: number, id = 'p1') =>
  hook(t, 'Notification', { prompt_id: id, notification_type: 'idle_prompt' })
const bash = { prompt_id: 'p1', tool_name: 'Bash', tool_use_id: 't1' }

const turn = play('claude', [prompt(1), stop(9)])
/** Its Stop was lost. */
const late = play('claude', [prompt(1), idlePrompt(69)])

describe('RespawnController Hook-Based Idle Detection', () => {
  test('should expose signalStopHook method', () => {
    expect([turn.at(8.9), turn.at(9)]).toEqual(['working/thinking', 'idle/turn'])
  })

  test('should expose signalIdlePrompt method', () => {
    expect(late.at(68.9)).toBe('working/thinking')
    expect(late.verdict(69).state.kind).toBe('idle')
  })

  /** The evidence of the verdict, with its time. */
  test('should set stopHookReceived in detection status when Stop hook signaled', () => {
    expect(turn.verdict(8).because).not.toContainEqual(expect.objectContaining({ what: 'Stop' }))
    expect(turn.verdict(9).because).toContainEqual(
      expect.objectContaining({ source: 'hook', what: 'Stop', at: 9000 }),
    )
  })

  test('should include hook status in statusText when Stop hook received', () => {
    expect(explain(turn.verdict(9), 12_000)).toContain('the Stop hook said so 3.0 s ago')
  })

  /** What acts waits for the verdict to hold: `lull wait --for`, a loop's next iteration. */
  test('should trigger respawn cycle after Stop hook confirmation', () => {
    expect(turn.at(12)).toBe('idle/turn')
    expect(turn.verdict(12)).toMatchObject({ since: 9000, turnOver: true })
  })

  test('should immediately confirm idle when idle_prompt signaled (skip confirmation)', () => {
    expect(late.verdict(69)).toMatchObject({ since: 69_000, turnOver: true })
  })

  test('should cancel Stop hook confirmation if working patterns detected', () => {
    const goesOn = play('claude', [
      prompt(1),
      hook(8, 'PreToolUse', bash),
      hook(8.5, 'PostToolUse', bash),
      stop(9),
      hook(10, 'PreToolUse', { ...bash, tool_use_id: 't2' }),
    ])
    expect([goesOn.at(9.5), goesOn.at(10), goesOn.at(12)]).toEqual([
      'idle/turn',
      'working/tool',
      'working/tool',
    ])
  })

  /** A Stop that is of another turn than the one that goes on. */
  test('should ignore Stop hook when not in watching state', () => {
    const second = play('claude', [prompt(1), stop(4), prompt(6, 'p2'), stop(7)])
    expect([second.at(5), second.at(7), second.at(60)]).toEqual([
      'idle/turn',
      'working/thinking',
      'working/thinking',
    ])
  })

  test('should have 100% confidence when hook signal is received', () => {
    expect(idleConfidence(turn.session, 10_000)).toBe(100)
    expect(idleConfidence(late.session, 70_000)).toBe(100)
    expect(idleConfidence(play('claude', [prompt(1)]).session, 10_000)).toBe(0)
  })
})
