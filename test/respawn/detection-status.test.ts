/** The nine hook tests of docs/seeds.md#003 once more, by their names: now with what acts. */
import { describe, expect, test } from 'vitest'
import { respawnOn } from '../support/respawn-runner.ts'
import { hook, play } from '../support/scenario.ts'

const prompt = hook(1, 'UserPromptSubmit', { prompt_id: 'p1', prompt: 'do it' })
const stop = hook(9, 'Stop', { prompt_id: 'p1', background_tasks: [], last_assistant_message: 'Done.' })
const idlePrompt = hook(69, 'Notification', { prompt_id: 'p1', notification_type: 'idle_prompt' })
const tool = hook(10, 'PreToolUse', { prompt_id: 'p1', tool_name: 'Bash', tool_use_id: 't1' })

const working = play('claude', [prompt], { until: 2 }).session
const stopped = play('claude', [prompt, stop], { until: 9 }).session
const prompted = play('claude', [prompt, idlePrompt], { until: 69 }).session
const asks = hook(10, 'PermissionRequest', { prompt_id: 'p1', tool_name: 'Bash', tool_use_id: 't1' })
const asking = play('claude', [prompt, stop, tool, asks], { until: 10 }).session
const again = play('claude', [prompt, stop, tool], { until: 10 }).session

async function watching(at = 2) {
  const play = respawnOn(working)
  play.clock.advance(at * 1000)
  await play.begin()
  return play
}

describe('RespawnController Hook-Based Idle Detection', () => {
  test('should expose signalStopHook method', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    expect(play.status().phase).toBe('hook_idle')
  })

  test('should expose signalIdlePrompt method', async () => {
    const play = await watching(69)
    await play.sees(prompted)
    expect(play.status().detection.idlePromptReceived).toBe(true)
  })

  test('should set stopHookReceived in detection status when Stop hook signaled', async () => {
    const play = await watching(9)
    expect(play.status().detection).toMatchObject({ stopHookReceived: false, stopHookTime: null })
    await play.sees(stopped)
    expect(play.status().detection).toMatchObject({
      stopHookReceived: true,
      stopHookTime: Date.UTC(2026, 10, 1) + 9000,
      idlePromptReceived: false,
      idlePromptTime: null,
    })
  })

  test('should include hook status in statusText when Stop hook received', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    expect(play.status().detection.statusText).toContain('the Stop hook said so')
  })

  test('should trigger respawn cycle after Stop hook confirmation', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    await play.advance(2900)
    expect(play.typed).toEqual([])
    await play.advance(200)
    expect(play.typed).toEqual(['go on', '\r'])
    expect(play.status().phase).toBe('waiting')
  })

  test('should immediately confirm idle when idle_prompt signaled (skip confirmation)', async () => {
    const play = await watching(69)
    await play.sees(prompted)
    expect(play.typed).toEqual(['go on', '\r'])
  })

  test('should cancel Stop hook confirmation if working patterns detected', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    await play.advance(1000)
    await play.sees(again)
    await play.advance(60_000)
    expect(play.typed).toEqual([])
    expect(play.status()).toMatchObject({
      phase: 'watching',
      detection: { stopHookReceived: false, working: true },
    })
  })

  test('should ignore Stop hook when not in watching state', async () => {
    const play = await watching(9)
    play.runner.control('pause')
    await play.sees(stopped)
    await play.advance(60_000)
    expect(play.typed).toEqual([])
    expect(play.status().phase).toBe('paused')
  })

  test('flags are reset with the next cycle: the Stop of a turn is none of the next one', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    await play.advance(3100)
    expect(play.typed).toEqual(['go on', '\r'])
    await play.sees(again)
    expect(play.status()).toMatchObject({ phase: 'waiting' })
    expect(play.status().detection).toMatchObject({
      stopHookReceived: false,
      stopHookTime: null,
      idlePromptReceived: false,
      working: true,
      idleConfidence: 0,
    })
  })

  test('a permission is told as blocked, whatever Stop came before, and confirms nothing', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    await play.sees(asking)
    await play.advance(60_000)
    expect(play.typed).toEqual([])
    expect(play.status()).toMatchObject({ phase: 'blocked', tally: { blocked: 1 } })
    expect(play.status().detection).toMatchObject({
      blocked: true,
      stopHookReceived: false,
      idleConfidence: 0,
    })
  })

  test('should have 100% confidence when hook signal is received', async () => {
    const play = await watching(9)
    await play.sees(stopped)
    expect(play.status().detection.idleConfidence).toBe(100)
    expect(play.status().detection.confidence).toBeGreaterThanOrEqual(98)
  })
})
