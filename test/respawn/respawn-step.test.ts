import { describe, expect, test } from 'vitest'
import { ended, player, worked } from '../support/respawn.ts'

const sent = { is: 'sent' } as const
const twoSteps = [
  { act: { do: 'prompt', text: 'go on' } },
  { act: { do: 'command', text: '/clear' } },
] as const

// The scenarios of docs/seeds.md#003.
test('scenario 1: a turn ends with a Stop, and the next step is sent 3 s later', () => {
  const play = player().until(1000).sees(worked(1)).until(60_000).sees(ended()).until(62_999)
  expect(play.at('act')).toEqual([])
  expect(play.state.phase).toBe('hook_idle')
  expect(play.until(70_000).at('act')).toEqual([63_000])
  expect(play.acted(sent).state.phase).toBe('waiting')
})

test('a shorter --held counts from the Stop hook: an end that hooks have yet to tell takes 3 s, and no judge', () => {
  const play = player({ timers: { held: 500 }, hasJudge: true })
    .until(1000)
    .sees(worked(1))
    .until(5000)
  expect(
    play
      .sees(ended('hooks_due'))
      .until(7999)
      .effects()
      .filter(({ do: what }) => what !== 'tell'),
  ).toEqual([])
  expect(play.until(8000).at('act')).toEqual([8000])
  const told = player({ timers: { held: 500 } })
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees(ended('hooks_due'))
  expect(
    told
      .until(6000)
      .sees({ ...ended('reported'), since: 5000 })
      .until(6500)
      .at('act'),
  ).toEqual([6000])
})

test('scenario 2: idle_prompt confirms at once', () => {
  const play = player().until(1000).sees(worked(1)).until(60_000).sees(ended('prompted'))
  expect(play.at('act')).toEqual([60_000])
})

test('idle_prompt confirms nothing while tasks run in the background', () => {
  const play = player().until(1000).sees(worked(1)).sees({ is: 'working', isBeside: true }).until(600_000)
  expect(play.at('act')).toEqual([])
})

test('scenarios 3 and 4: a permission or a question waits for a person, whatever ended before', () => {
  for (const asked of ['permission', 'question'] as const) {
    const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(6000)
    play.sees({ is: 'waiting', for: asked }).until(3_600_000)
    expect(play.at('act')).toEqual([])
    expect(play.state.phase).toBe('blocked')
    expect(play.tells('blocked')).toEqual([{ type: 'blocked', for: asked }])
    expect(play.sees({ is: 'working' }).state.phase).toBe('watching')
  }
})

test('scenario 5: a plan that awaits approval is answered by a rule alone', () => {
  const play = player().until(1000).sees({ is: 'waiting', for: 'plan' }).until(2500)
  expect(play.at('accept')).toEqual([2000])
  expect(play.input({ type: 'accepted', why: 'by rule 1' }).tells('accepted')).toHaveLength(1)
})

test('what it asks is told once, as what it turns out to be, and no rule is asked before', () => {
  const play = player().until(1000).sees({ is: 'waiting', for: 'permission' }).until(1500)
  expect(play.state.phase).toBe('blocked')
  play.sees({ is: 'waiting', for: 'plan' }).until(9000)
  expect(play.tells('blocked')).toEqual([{ type: 'blocked', for: 'plan' }])
  expect(play.at('accept')).toEqual([2500])
})

test('an answer of a rule is told, though the agent has gone on by then', () => {
  const play = player({ hasRules: true }).until(1000).sees({ is: 'waiting', for: 'permission' })
  play.sees(worked(1)).input({ type: 'accepted', why: 'rule 1 allows it', text: 'touch a' })
  expect(play.tells('accepted')).toEqual([{ type: 'accepted', text: 'touch a' }])
  expect(play.state.tally.accepted).toBe(1)
})

test('scenario 6: without a definitive signal the judge is asked, and its answer counts', () => {
  const play = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
  expect(play.until(14_999).at('judge')).toEqual([])
  expect(play.until(15_000).at('judge')).toEqual([15_000])
  expect(play.state.phase).toBe('ai_checking')
  expect(play.judged('IDLE').at('act')).toEqual([15_000])
})

test('signs of work cancel a confirmation', () => {
  const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(7000).sees(worked(1))
  expect(play.until(60_000).at('act')).toEqual([])
  expect(play.state.phase).toBe('watching')
})

test('a Stop outside watching is ignored: one that comes while a step is typed sends nothing more', () => {
  const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
  expect(play.at('act')).toHaveLength(1)
  play.sees(ended()).until(9000).sees(ended())
  expect(play.until(60_000).at('act')).toHaveLength(1)
  expect(play.acted(sent).sees(ended()).until(65_000).at('act')).toHaveLength(1)
})

test('each step ends with the turn that it began', () => {
  const play = player({ steps: twoSteps }).until(1000).sees(worked(1)).until(5000).sees(ended())
  play.until(8000).acted(sent).until(8500).sees(worked(2)).until(100_000)
  expect(play.state.phase).toBe('waiting')
  play.sees(ended()).until(103_000)
  expect(play.at('act')).toEqual([8000, 103_000])
  // A command of the agent's own need not begin a turn.
  play.acted(sent).until(106_000)
  expect(play.tells('turn_ended')).toHaveLength(2)
  expect(play.state).toMatchObject({ next: 0, cycle: 2 })
})

test('a turn that begins and ends before it is told that its prompt was typed is that prompt’s', () => {
  const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
  play
    .sees(worked(2))
    .sees(ended())
    .acted({ is: 'sent', before: { at: 8000, turn: 1 } })
    .until(20_000)
  expect(play.tells('turn_ended')).toHaveLength(1)
  expect(play.tells('no_turn')).toEqual([])
  expect(play.at('act')).toEqual([8000, 11_000])
})

test('a turn that a person began and ended while a step was typed is not the step’s', () => {
  const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
  play
    .sees(worked(2))
    .sees(ended())
    .acted({ is: 'sent', before: { at: 8000, turn: 2 } })
    .until(20_000)
  expect(play.tells('turn_ended')).toEqual([])
  expect(play.at('act')).toEqual([8000])
})

test('a prompt that begins no turn is not sent again, and the third in a row ends the plan', () => {
  const play = player().until(1000).sees(ended()).until(5000)
  for (let time = 0; time < 3; time++) play.acted(sent).until(5000 + (time + 1) * 40_000)
  expect(play.tells('no_turn')).toHaveLength(3)
  expect(play.at('act')).toHaveLength(3)
  expect(play.state).toMatchObject({ phase: 'stopped', stop: 'no_progress' })
})

test('a limit parks the plan until two minutes after its reset, and the step is done again', () => {
  const play = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000).acted(sent)
  play.until(9000).sees(worked(2)).until(20_000)
  play.sees(ended('reported', { after: 'limit', limit: { until: play.epoch + 3_600_000 } }))
  expect(play.state.phase).toBe('limited')
  expect(play.until(3_719_000).at('act')).toHaveLength(1)
  expect(play.until(3_725_000).at('act')).toHaveLength(2)
  expect(play.state.next).toBe(0)
})

test('a person who breaks a turn off has it for themselves until they go on, or say so', () => {
  const play = player().until(1000).sees(ended()).until(5000).acted(sent).sees(worked(1)).until(9000)
  play.sees(ended('reported', { after: 'interrupt' })).until(7_200_000)
  expect(play.state).toMatchObject({ phase: 'paused', pause: 'interrupted' })
  expect(play.at('act')).toHaveLength(1)
  expect(play.input({ type: 'resume' }).until(7_300_000).at('act')).toHaveLength(2)
})

test('a person who types, or looks, pauses the plan', () => {
  const play = player({ timers: { person: 60_000 } })
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees(ended())
  play.until(7000).input({ type: 'person', why: 'typed' }).until(9000)
  expect(play.state).toMatchObject({ phase: 'paused', pause: 'person' })
  expect(play.until(66_999).at('act')).toEqual([])
  expect(play.until(67_000).at('act')).toEqual([67_000])
})

test('a turn that nobody of ours began is a person’s', () => {
  const play = player({ timers: { person: 60_000 } })
    .until(1000)
    .sees(ended())
    .until(5000)
    .acted(sent)
  play.sees(worked(1)).until(9000).sees(ended()).until(10_000).sees(worked(2)).until(11_000).sees(ended())
  expect(play.until(69_000).at('act')).toHaveLength(1)
  expect(play.until(71_000).at('act')).toHaveLength(2)
})

test('turns that fail are repeated less and less often, and not for ever', () => {
  const play = player().until(0).sees(ended()).until(3000)
  for (let at = 3000, turn = 1; turn < 20 && play.state.phase !== 'stopped'; turn++, at += 2_000_000) {
    play
      .acted(sent)
      .until(at + 1000)
      .sees(worked(turn))
      .until(at + 2000)
    play.sees(ended('reported', { after: 'error' })).until(at + 1_999_000)
  }
  expect(play.state).toMatchObject({ phase: 'stopped', stop: 'failed' })
  expect(play.at('act')).toHaveLength(6)
})

test('an agent that ended is not started again; one that crashed may be, three times an hour', () => {
  expect(player({ relaunch: 'claude' }).sees({ is: 'exited' }).state).toMatchObject({ stop: 'exited' })
  expect(player().sees({ is: 'exited', isCrash: true }).state).toMatchObject({ stop: 'exited' })
  const play = player({ relaunch: 'claude' })
  for (let time = 1; time <= 3; time++) {
    play.until(time * 60_000).sees({ is: 'exited', isCrash: true })
    expect(play.state.phase).toBe('sending')
    play.acted(sent).sees(worked(0))
  }
  expect(play.until(200_000).sees({ is: 'exited', isCrash: true }).state).toMatchObject({ stop: 'exited' })
  expect(play.at('relaunch')).toHaveLength(3)
})

test('one that crashed while it was paused is started again once it goes on, and one that just ended is not', () => {
  const paused = () => player({ relaunch: 'claude' }).until(1000).sees(worked(1)).input({ type: 'pause' })
  const play = paused().sees({ is: 'exited', isCrash: true }).until(3_600_000)
  expect(play.state.phase).toBe('paused')
  expect(play.at('relaunch')).toEqual([])
  expect(play.input({ type: 'resume' }).at('relaunch')).toEqual([3_600_000])
  expect(paused().sees({ is: 'exited' }).state).toMatchObject({ stop: 'exited' })
  const without = player().until(1000).sees(worked(1)).input({ type: 'pause' })
  expect(without.sees({ is: 'exited', isCrash: true }).state).toMatchObject({ stop: 'exited' })
})

test('what is stuck is told after five minutes, and recovered after ten, three times at most', () => {
  const play = player({ recover: [['Escape'], ['C-c']] })
    .until(1000)
    .sees(worked(1))
  play.sees({ is: 'working', stuckSince: 1000 })
  play.until(301_000)
  expect(play.tells('stuck')).toHaveLength(1)
  for (let time = 0; time < 6; time++) play.until(700_000 * (time + 1)).acted(sent)
  expect(play.effects().flatMap(effect => (effect.do === 'recover' ? [effect.keys] : []))).toEqual([
    ['Escape'],
    ['C-c'],
    ['C-c'],
  ])
})

test('the plan ends with its cycles, its time, its cost, its condition', () => {
  const cycles = player({ times: 1 }).sees(ended()).until(3000).acted(sent).sees(worked(1)).until(9000)
  expect(cycles.sees(ended()).until(60_000).state).toMatchObject({ stop: 'times' })
  expect(player({ for: 10_000 }).until(10_000).state).toMatchObject({ stop: 'time' })
  expect(player({ maxCost: 2 }).sees({ is: 'working', cost: 2.5 }).state).toMatchObject({ stop: 'max_cost' })
  const until = player().sees(ended()).until(3000).acted({ is: 'done', why: 'DONE.md is there' })
  expect(until.state).toMatchObject({ stop: 'done' })
})

test('a step whose times are over is passed; where none has any left, the plan is over', () => {
  const [prompt] = twoSteps
  const play = player({ steps: [{ ...prompt, times: 1 }], times: 5 })
    .sees(ended())
    .until(3000)
    .acted(sent)
  play.sees(worked(1)).until(9000).sees(ended()).until(60_000)
  expect(play.state).toMatchObject({ stop: 'times' })
})

test('`after` counts from the end of the step before it', () => {
  const [prompt, command] = twoSteps
  const play = player({ steps: [prompt, { ...command, after: 60_000 }] })
    .until(1000)
    .sees(ended())
    .until(4000)
  play.acted(sent).until(5000).sees(worked(1)).until(20_000).sees(ended())
  expect(play.until(79_999).at('act')).toEqual([4000])
  expect(play.until(90_000).at('act')).toEqual([4000, 80_000])
})

test('an end that is reported makes the judge needless: it is counted once, asked or not', () => {
  const play = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
  expect(play.state).toMatchObject({ phase: 'sending', tally: { judged: 0, judgeAvoided: 1 } })
  const asked = player({ hasJudge: true }).until(1000).sees({ is: 'unknown' }).until(31_000).sees(ended())
  expect(asked.until(40_000).state).toMatchObject({ phase: 'sending', tally: { judged: 0, judgeAvoided: 1 } })
  const without = player().until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
  expect(without.state.tally.judgeAvoided).toBe(0)
})

test('steps that are passed over do not spin', () => {
  const play = player({ steps: twoSteps }).sees(ended()).until(3000)
  for (let at = 3000; at < 600_000; at += 100) {
    if (play.state.phase === 'sending') play.acted({ is: 'passed', why: 'no' })
    play.until(at)
  }
  expect(play.at('act').length).toBeLessThan(40)
})

test('stop means stop: what comes of anything afterwards does nothing', () => {
  const play = player().sees(ended()).until(3000).input({ type: 'stop' })
  const before = play.effects().length
  play.acted(sent).sees(ended()).judged('IDLE').until(600_000).input({ type: 'resume' })
  expect(play.effects()).toHaveLength(before)
  expect(play.state).toMatchObject({ phase: 'stopped', stop: 'asked' })
})

describe('a pause while a step is typed', () => {
  const steps = ['one', 'two'].map(text => ({ act: { do: 'prompt', text } }) as const)
  const typing = () => player({ steps }).until(1000).sees(worked(1)).until(5000).sees(ended()).until(10_000)

  test('too late: the turn is the step’s, and nobody else’s', () => {
    const typed = { ...sent, before: { at: 10_000, turn: 1 } }
    const play = typing().input({ type: 'pause' }).sees(worked(2)).until(11_000).acted(typed)
    expect(play.state).toMatchObject({ phase: 'paused', inFlight: { step: 0 } })
    expect(play.state).not.toHaveProperty('personAt')
    play.until(15_000).sees(ended()).until(20_000).input({ type: 'resume' }).until(30_000)
    expect(play.tells('turn_ended')).toEqual([expect.objectContaining({ step: 0 })])
    expect(play.tells('sending')).toEqual([0, 1].map(step => expect.objectContaining({ step })))
  })

  test('in time: it is typed once the pause is over, and not before its first typing has ended', () => {
    const play = typing().input({ type: 'pause' }).input({ type: 'resume' }).until(30_000)
    expect(play.tells('sending')).toHaveLength(1)
    play.acted({ is: 'refused', why: 'called off' }).until(40_000)
    expect(play.tells('sending')).toEqual([0, 0].map(step => expect.objectContaining({ step })))
  })

  test.each([
    ['too late', sent, { phase: 'paused', next: 0, inFlight: { step: 0 } }, 0],
    ['in time', { is: 'refused', why: 'called off' } as const, { phase: 'paused', next: 1 }, 1],
  ])('and a skip then, %s', (_, result, state, skipped) => {
    const play = typing()
      .input({ type: 'pause' })
      .input({ type: 'pause' })
      .input({ type: 'skip' })
      .acted(result)
    expect(play.state).toMatchObject(state)
    expect(play.tells('skipped')).toHaveLength(skipped)
  })

  test('and a resume before it is known: the step is waited for', () => {
    const play = typing().input({ type: 'pause' }).input({ type: 'resume' }).acted(sent)
    expect(play.state).toMatchObject({ phase: 'waiting', inFlight: { step: 0 } })
  })
})

test('the judge is asked of an unknown state, and a reported end makes its answer needless', () => {
  const play = player({ hasJudge: true }).until(1000).sees({ is: 'unknown' })
  expect(play.until(31_000).at('judge')).toEqual([31_000])
  const { attempt } = play.state
  play.sees(ended()).input({ type: 'judged', attempt, says: 'IDLE', why: '', again: 0 })
  expect(play.state.phase).toBe('hook_idle')
  expect(play.tells('judged')).toEqual([])
  expect(play.state.tally).toMatchObject({ judged: 0, judgeAvoided: 1 })
})

test('WORKING is believed for its cooldown; a judge that is off is asked no more', () => {
  const play = player({ hasJudge: true }).until(1000).sees(ended('shown')).until(11_000).judged('WORKING')
  expect(play.until(190_000).at('judge')).toEqual([11_000])
  expect(play.until(191_000).at('judge')).toEqual([11_000, 191_000])
  play.judged('error', 'never')
  // What looks idle is sure enough without one.
  expect(play.until(192_000).at('act')).toEqual([191_000])
  const doubtful = player().until(1000).sees(ended('doubtful')).until(3_600_000)
  expect(doubtful.at('act')).toEqual([])
})

test('skip while the turn of a step runs: that turn ends as it would, and the step behind it is passed over', () => {
  const steps = ['one', 'two', 'three'].map(text => ({ act: { do: 'prompt', text } }) as const)
  const play = player({ steps, times: 1 }).until(1000).sees(worked(1)).until(5000).sees(ended())
  play.until(10_000).acted(sent).input({ type: 'skip' })
  expect(play.state.phase).toBe('waiting')
  expect(play.tells('skipped')).toHaveLength(1)
  play.sees(worked(2)).until(20_000).sees(ended()).until(30_000)
  expect(play.tells('turn_ended')).toEqual([expect.objectContaining({ step: 0 })])
  expect(play.tells('sending')).toEqual([
    expect.objectContaining({ step: 0 }),
    expect.objectContaining({ step: 2 }),
  ])
})

describe('skip while a step is typed', () => {
  const steps = ['one', 'two'].map(text => ({ act: { do: 'prompt', text } }) as const)
  const typing = () => player({ steps }).until(1000).sees(worked(1)).until(5000).sees(ended()).until(10_000)

  test('calls it off, and goes on once it is known what came of it', () => {
    const play = typing().input({ type: 'skip' })
    expect(play.at('abandon')).toHaveLength(1)
    expect(play.state.phase).toBe('sending')
    expect(play.until(11_000).tells('skipped')).toEqual([])
    play.acted({ is: 'refused', why: 'called off' })
    expect(play.tells('skipped')).toEqual([expect.objectContaining({ step: 0, cycle: 1 })])
    expect(play.tells('sent')).toEqual([])
    expect(play.tells('sending').at(-1)).toMatchObject({ step: 1 })
  })

  test('too late: what was typed is a step as any, its turn is its own, and nothing is skipped', () => {
    const play = typing().input({ type: 'skip' }).acted(sent)
    expect(play.state).toMatchObject({ phase: 'waiting', next: 0 })
    expect(play.tells('skipped')).toEqual([])
    play.sees(worked(2)).until(20_000).sees(ended()).until(30_000)
    expect(play.tells('turn_ended')).toEqual([expect.objectContaining({ step: 0 })])
    expect(play.tells('paused')).toEqual([])
    expect(play.tells('sending')).toEqual([0, 1].map(step => expect.objectContaining({ step })))
  })

  test('and a pause then: it is skipped, unless it had been typed', () => {
    const play = () => typing().input({ type: 'skip' }).input({ type: 'pause' })
    const refused = play().acted({ is: 'refused', why: 'called off' })
    expect(refused.state).toMatchObject({ phase: 'paused', next: 1 })
    expect(refused.tells('skipped')).toEqual([expect.objectContaining({ step: 0 })])
    expect(play().acted(sent).state).toMatchObject({ phase: 'paused', next: 0, inFlight: { step: 0 } })
  })
})

test('a pause that was asked for is told once, however often it is asked for', () => {
  const play = player().until(1000).sees(worked(1)).input({ type: 'pause' }).input({ type: 'pause' })
  expect(play.tells('paused')).toHaveLength(1)
})

test('skip passes over a wait with its step, and leaves that of the step behind it', () => {
  const step = (text: string, after = 0) => ({ act: { do: 'prompt', text }, after }) as const
  const steps = [step('one'), step('two', 3_600_000), step('three', 60_000)]
  const play = player({ steps, times: 1 }).until(1000).sees(worked(1)).until(5000).sees(ended())
  play.until(10_000).acted(sent).sees(worked(2)).until(20_000).sees(ended()).until(40_000)
  expect(play.at('act')).toHaveLength(1)
  play.input({ type: 'skip' }).until(79_000)
  expect(play.at('act')).toHaveLength(1)
  play.until(81_000)
  expect(play.tells('sending').at(-1)).toMatchObject({ step: 2 })
})

test('a dialog that stood for long enough was of the step’s turn, where nobody counts turns', () => {
  const idle = { is: 'idle', by: 'shown' } as const
  const asked = { is: 'waiting', for: 'question', turn: 0 } as const
  const typed = () => player({ steps: twoSteps }).until(1000).sees(idle).until(12_000).acted(sent)
  const play = typed().until(12_500).sees(asked).until(16_500).sees(idle).until(50_000)
  expect(play.tells('turn_ended')).toHaveLength(1)
  expect(play.tells('no_turn')).toEqual([])
  const brief = typed().until(12_500).sees(asked).until(13_000).sees(idle).until(50_000)
  expect(brief.tells('no_turn')).toHaveLength(1)
})

test('an end is told before how it came: what was typed is over once nothing more may come, and a limit or an Esc counts', () => {
  const typed = () => {
    const play = player({ steps: twoSteps }).until(1000).sees(worked(1)).until(5000).sees(ended()).until(8000)
    return play.acted(sent).sees(worked(2)).until(20_000)
  }
  const untold = { is: 'idle', by: 'reported', turn: 2, since: 20_000 } as const
  expect(typed().sees(untold).until(22_900).state).toMatchObject({ phase: 'waiting', next: 0 })
  expect(typed().sees(untold).until(23_100).state).toMatchObject({ next: 1 })
  const told = (after: 'interrupt' | 'limit') =>
    typed()
      .sees(untold)
      .until(22_000)
      .sees({ ...untold, after }).state
  expect(told('interrupt')).toMatchObject({ phase: 'paused', pause: 'interrupted', next: 0 })
  expect(told('limit')).toMatchObject({ phase: 'limited', next: 0 })
})

test('a turn that its own work in the background woke is nobody’s: it does not pause', () => {
  const play = player()
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees({ is: 'working', isBeside: true, turn: 1 })
  expect(play.until(30_000).sees(worked(2)).until(40_000).sees(ended()).until(50_000).at('act')).toEqual([
    43_000,
  ])
})
