import { describe, expect, test } from 'vitest'
import type { Cause, Health } from '../../src/core/state.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import { noMetrics } from '../../src/process/metrics.ts'
import {
  isHeldOnPurpose,
  isSafeToKill,
  reasonOf,
  recommendationOf,
  type VerdictFacts,
} from '../../src/run/step/verdict-text.ts'

const health = (level: Health['level'], certainty: Health['certainty'] = 'high', cause?: Cause): Health => ({
  level,
  certainty,
  ...(cause && { cause }),
})
const diagnosis = (more: Partial<Diagnosis> = {}): Diagnosis => ({
  cause: 'stdin',
  proof: 'proven',
  isBlocked: true,
  summary: 'cat(7) reads its stdin',
  chain: [],
  waits: [],
  doubts: [],
  ...more,
})
const facts = (more: Partial<VerdictFacts>): VerdictFacts => ({
  health: health('suspicious'),
  silentFor: 90_000,
  isSilent: false,
  window: { ...noMetrics, cpuPercent: 1.25, ioBytes: 12 } as unknown as VerdictFacts['window'],
  ...more,
})

describe('why', () => {
  const silent = 'no progress in its output for 1 min 30 s'
  const used = '1.3 % CPU and 12 bytes in the last minute'
  test.each<[string, Partial<VerdictFacts>, string]>([
    ['blocked', { diagnosis: diagnosis(), blockedFor: 5000 }, 'blocked 5.0 s: cat(7) reads its stdin'],
    ['a cause', { diagnosis: diagnosis() }, `${silent}: cat(7) reads its stdin`],
    ['a cause, soon', { diagnosis: diagnosis(), silentFor: 59_999 }, 'cat(7) reads its stdin'],
    [
      'a cause, after a minute',
      { diagnosis: diagnosis(), silentFor: 60_000 },
      'no progress in its output for 1 min: cat(7) reads its stdin',
    ],
    ['a healthy one', { diagnosis: diagnosis(), health: health('healthy') }, 'cat(7) reads its stdin'],
    ['nothing', {}, `${silent}, ${used}`],
    [
      'a cause that is not known',
      { diagnosis: diagnosis({ cause: 'unknown' }) },
      `${silent}, ${used}, cat(7) reads its stdin`,
    ],
    [
      'input, by numbers alone',
      { fallback: 'LIKELY_STDIN_WAITING' },
      `${silent}, ${used}, and its threads may not be looked into: it may wait for input`,
    ],
    [
      'a hang, by numbers alone',
      { fallback: 'LIKELY_HUNG', diagnosis: diagnosis({ cause: 'unknown' }) },
      `${silent}, ${used}, and its threads may not be looked into: it may hang`,
    ],
    [
      'just begun',
      { health: health('healthy', 'low') },
      'too early to tell: it has been watched for less than a minute',
    ],
    [
      'silent work',
      { health: health('healthy', 'medium') },
      'it works, though it has been silent for 1 min 30 s',
    ],
    ['work', { health: health('healthy', 'high') }, 'its last output came 1 min 30 s ago'],
    ['certain work', { health: health('healthy', 'certain') }, 'its last output came 1 min 30 s ago'],
    [
      'work of no known kind',
      { health: health('healthy'), diagnosis: diagnosis({ cause: 'unknown' }) },
      'its last output came 1 min 30 s ago',
    ],
  ])('%s', (_, more, sentence) => expect(reasonOf(facts(more))).toBe(sentence))
})

describe('what to do', () => {
  test.each<[string, Partial<VerdictFacts>, string | undefined]>([
    [
      'nothing, where it is well',
      { health: health('healthy'), diagnosis: diagnosis({ advice: 'end it' }) },
      undefined,
    ],
    [
      'what the diagnosis advises',
      { diagnosis: diagnosis({ advice: 'end it' }), fallback: 'LIKELY_STDIN_WAITING' },
      'end it',
    ],
    [
      'no input',
      { fallback: 'LIKELY_STDIN_WAITING', diagnosis: diagnosis() },
      'run it with its stdin closed (</dev/null)',
    ],
    ['nothing yet', { fallback: 'LIKELY_HUNG' }, undefined],
    ['look', { health: health('likely_stuck') }, 'look at it: lull explain pid:N shows what it waits for'],
    ['end', { health: health('confirmed_stuck') }, 'end it by hand if nothing is expected of it'],
  ])('%s', (_, more, sentence) => expect(recommendationOf(facts(more))).toBe(sentence))
})

describe('ending it', () => {
  test.each<[Cause | undefined, boolean]>([
    ['stopped', true],
    ['frozen', true],
    ['traced', true],
    ['stdin', false],
    [undefined, false],
  ])('held on purpose, where it is %s: %s', (cause, held) => expect(isHeldOnPurpose(cause)).toBe(held))

  test.each<[Health, boolean]>([
    [health('confirmed_stuck', 'certain', 'stdin'), true],
    [health('confirmed_stuck', 'certain'), true],
    [health('confirmed_stuck', 'high', 'stdin'), false],
    [health('likely_stuck', 'certain', 'stdin'), false],
    [health('confirmed_stuck', 'certain', 'stopped'), false],
  ])('%j loses nothing: %s', (of, safe) => expect(isSafeToKill(of)).toBe(safe))
})
