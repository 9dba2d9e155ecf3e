/** What is decided about a run: when it is looked at, what is said, and when it is acted upon. */
import { describe, expect, test } from 'vitest'
import type { Health } from '../../src/core/state.ts'
import { newRun, type RunInput, type RunPlan, stepRun } from '../../src/run/step/run-step.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'

const plain: RunPlan = { actAt: 'confirmed', followsTerminal: false }
const levels = {
  healthy: { level: 'healthy', certainty: 'high' },
  likely: { level: 'likely_stuck', cause: 'no_progress', certainty: 'medium' },
  stuck: { level: 'confirmed_stuck', cause: 'stdin', certainty: 'certain' },
  stopped: { level: 'confirmed_stuck', cause: 'stopped', certainty: 'certain' },
} as const satisfies Record<string, Health>

const verdictOf = (level: keyof typeof levels): RunVerdict => ({
  at: 0,
  health: levels[level],
  since: 0,
  reason: `it is ${level}`,
  safeToKill: false,
  metrics: { cpuPercent: 0, ioBytes: 0, connections: 0, fds: 0, residentBytes: 0 } as RunVerdict['metrics'],
  history: [],
})

const sees = (level: keyof typeof levels): RunInput => ({
  type: 'verdict',
  verdict: verdictOf(level),
  isNews: true,
})
const judgedAgain = (level?: keyof typeof levels): RunInput => ({
  type: 'judged_again',
  ...(level ? { verdict: verdictOf(level) } : {}),
})
const loads = (part: 'watch' | 'terminal'): RunInput => ({ type: 'loaded', part })
const begin: RunInput = { type: 'begin' }
const started: RunInput = { type: 'started' }
const time: RunInput = { type: 'time' }
const leave: RunInput = { type: 'leave' }
const ended: RunInput = { type: 'ended', end: { code: 0 } }

/** What is done at each input, in words; a verdict that is passed on is left out. */
function done(plan: Partial<RunPlan>, inputs: readonly RunInput[]): string[][] {
  let state = newRun({ ...plain, ...plan })
  return inputs.map(input => {
    const next = stepRun(state, input)
    state = next.state
    return next.effects.flatMap(effect => {
      switch (effect.do) {
        case 'publish':
          return []
        case 'load':
          return [`load ${effect.part}`]
        case 'kill':
          return [effect.signal]
        case 'notice':
          return [effect.sentence]
        case 'start_program':
          return [`start ${effect.program.type}`]
        case 'close':
          return [effect.isActedOn ? 'close: acted on' : 'close']
        default:
          return [effect.do]
      }
    })
  })
}

describe('from start to end', () => {
  test('what judges it is loaded once it has run for a moment', () => {
    expect(done({}, [begin, started, time, loads('watch'), ended])).toEqual([
      ['start'],
      ['timer'],
      ['load watch'],
      ['watch'],
      ['close'],
    ])
  })

  test('one that is over sooner is not looked at', () => {
    expect(done({}, [begin, started, ended, time])).toEqual([['start'], ['timer'], ['close'], []])
    expect(done({}, [begin, started, time, ended, loads('watch')]).at(-1)).toEqual([])
  })

  test('its terminal is followed at once where somebody wants to know', () => {
    const [, atStart, atLoad] = done({ followsTerminal: true }, [begin, started, loads('terminal')])
    expect(atStart).toEqual(['timer', 'load terminal'])
    expect(atLoad).toEqual(['follow_terminal'])
  })

  test('one that can’t be started rejects, and nothing follows', () => {
    expect(done({}, [begin, { type: 'not_started', error: new Error('no') }, time])).toEqual([
      ['start'],
      ['reject'],
      [],
    ])
  })

  test('each verdict is passed on, as news or not', () => {
    const verdict = verdictOf('healthy')
    for (const isNews of [true, false])
      expect(stepRun(newRun(plain), { type: 'verdict', verdict, isNews }).effects).toEqual([
        { do: 'publish', verdict, isNews },
      ])
  })

  test('what goes wrong beside it is a sentence, and the command goes on', () => {
    const inputs: RunInput[] = [
      { type: 'fault', message: 'a bug' },
      { type: 'recording_failed', why: 'ENOSPC' },
      { type: 'unsupported', why: 'this system tells nothing' },
    ]
    expect(done({}, [begin, started, ...inputs, time]).slice(2)).toEqual([
      ["a fault of lull's own, the command goes on unwatched: a bug"],
      ["the recording ends here, it can't be written: ENOSPC"],
      ['this system tells nothing'],
      ['load watch'],
    ])
  })
})

describe('stuck', () => {
  const term = { onStuck: { type: 'term' } } as const
  const stuckRun = (plan: Partial<RunPlan>, ...inputs: readonly RunInput[]) =>
    done(plan, [begin, started, ...inputs]).slice(2)

  test('nothing is done unless it was asked for', () => {
    expect(stuckRun({}, sees('stuck'))).toEqual([[]])
  })

  test('it is looked at once more, and acted upon on what is so then', () => {
    expect(stuckRun(term, sees('stuck'), sees('stuck'), judgedAgain('stuck'), ended)).toEqual([
      ['judge_again'],
      [],
      ['it is stuck (it is stuck), so it is sent SIGTERM, as --on-stuck term asks', 'SIGTERM', 'SIGCONT'],
      ['close: acted on'],
    ])
    expect(stuckRun(term, sees('stuck'), judgedAgain('healthy'), ended)).toEqual([
      ['judge_again'],
      [],
      ['close'],
    ])
    expect(stuckRun(term, sees('stuck'), judgedAgain(), ended)).toEqual([['judge_again'], [], ['close']])
    expect(stuckRun(term, sees('stuck'), ended, judgedAgain('stuck'))).toEqual([
      ['judge_again'],
      ['close'],
      [],
    ])
  })

  test('once for each time that it gets stuck', () => {
    const exec = { onStuck: { type: 'exec', command: 'page me' } } as const
    const run = ['it is stuck, so this is run: page me', 'start exec']
    expect(
      stuckRun(
        exec,
        sees('stuck'),
        judgedAgain('stuck'),
        sees('stuck'),
        sees('likely'),
        sees('stuck'),
        sees('healthy'),
        sees('stuck'),
        judgedAgain('stuck'),
        ended,
      ),
    ).toEqual([['judge_again'], run, [], [], [], [], ['judge_again'], run, ['close']])
  })

  test('what looked stuck and was not is looked at again the next time', () => {
    expect(stuckRun(term, sees('stuck'), judgedAgain('healthy'), sees('stuck'))).toEqual([
      ['judge_again'],
      [],
      ['judge_again'],
    ])
  })

  test('a suspicion is acted upon only where that was asked for; what was stopped on purpose never', () => {
    const notify = { onStuck: { type: 'notify' } } as const
    expect(stuckRun(notify, sees('likely'))).toEqual([[]])
    expect(stuckRun({ ...notify, actAt: 'likely' }, sees('likely'), judgedAgain('likely'))).toEqual([
      ['judge_again'],
      ['start notify'],
    ])
    expect(stuckRun({ ...notify, actAt: 'likely' }, sees('stopped'))).toEqual([[]])
  })
})

describe('whoever started it leaves', () => {
  test('what runs is ended softly', () => {
    expect(done({}, [begin, started, leave, ended]).slice(2)).toEqual([['SIGTERM', 'SIGCONT'], ['close']])
  })

  test('also before it runs; and nothing happens after its end', () => {
    expect(done({}, [begin, leave, started])).toEqual([['start'], [], ['timer', 'SIGTERM', 'SIGCONT']])
    expect(done({}, [begin, started, ended, leave]).at(-1)).toEqual([])
  })
})
