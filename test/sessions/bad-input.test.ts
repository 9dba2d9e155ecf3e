/** What a day brings that no program planned: two of everything, and a clock that leaps. */
import { describe, expect, test } from 'vitest'
import { answer, epoch, machine, prompt, row } from '../support/machine.ts'

const hour = 3_600_000

describe('two agents of one folder that start in one second', () => {
  function twins() {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.search()
    return at
  }

  test('have no transcript while only one is there: it is one’s', () => {
    const at = twins()
    at.file('t.jsonl', prompt(500))
    at.finds({ a: { how: 'guessed', path: 't.jsonl' }, bb: { how: 'guessed', path: 't.jsonl' } })
    at.search(2000)
    at.search(8000)
    expect([at.says('a'), at.says('bb')]).toEqual(['starting', 'starting'])
    at.lines('a', 't.jsonl', prompt(9000))
    expect(at.of('a')?.follow.path).toBeUndefined()
    expect(at.of('bb')?.follow.path).toBeUndefined()
  })

  test('are told apart by their hooks', () => {
    const at = twins()
    at.search(1000)
    at.hook('a', 'UserPromptSubmit', { session_id: 's', prompt_id: 'p' }, 's.jsonl')
    at.hook('bb', 'UserPromptSubmit', { session_id: 't', prompt_id: 'q' }, 't.jsonl')
    at.hook('bb', 'Stop', { session_id: 't', prompt_id: 'q' }, 't.jsonl')
    expect([at.says('a'), at.says('bb')]).toEqual(['working', 'idle'])
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual(['s.jsonl', 't.jsonl'])
  })
})

describe('a session’s id that two processes claim', () => {
  const status = (state: string) => `{"sessionId":"s","status":"${state}","statusUpdatedAt":${epoch}}`

  function claimed() {
    const at = machine()
    at.file('s.jsonl', prompt(100))
    at.finds({ s: { how: 'named', path: 's.jsonl' } })
    at.start('a', { status: status('idle'), startedAt: epoch })
    at.start('bb', { status: status('idle'), startedAt: epoch })
    at.search(1000)
    return at
  }

  test('names a transcript that is neither’s: what one does is not told of the other', () => {
    const at = claimed()
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual([undefined, undefined])
    at.search(40_000)
    at.search(40_000)
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual([undefined, undefined])
  })

  test('names it also by hooks, which go on to tell of each', () => {
    const at = machine()
    at.start('a')
    at.start('bb')
    at.search()
    at.search(1000)
    at.hook('a', 'UserPromptSubmit', { session_id: 's', prompt_id: 'p' }, 's.jsonl')
    at.hook('bb', 'SessionStart', { session_id: 's' }, 's.jsonl')
    at.hook('a', 'PreToolUse', { session_id: 's', prompt_id: 'p', tool_name: 'Bash' }, 's.jsonl')
    expect([at.of('a')?.follow.path, at.of('bb')?.follow.path]).toEqual([undefined, undefined])
    expect(at.says('a')).toBe('working')
    expect(at.says('bb')).not.toBe('working')
  })

  test('is the other’s again once one of them has ended', () => {
    const at = claimed()
    at.end('bb')
    at.search(40_000)
    at.search(40_000)
    expect(at.of('a')?.follow.path).toBe('s.jsonl')
  })
})

describe('a clock that is set in a turn', () => {
  function turn() {
    const at = machine()
    at.finds({ a: { how: 'guessed', path: 't.jsonl' } })
    at.start('a')
    at.search()
    at.search(1000)
    at.lines('a', 't.jsonl', prompt(1000))
    expect(at.says('a')).toBe('working')
    return at
  }

  test.each([
    ['back', -hour],
    ['on', hour],
  ])('%s: the end of the turn is told, and the next turn', (_, leap) => {
    const at = turn()
    at.leap(leap)
    at.search(4000)
    expect(at.says('a')).toBe('working')
    at.lines('a', 't.jsonl', answer(5000 + leap))
    expect(at.says('a')).toBe('idle')
    at.search(3000)
    at.lines('a', 't.jsonl', prompt(8000 + leap))
    expect(at.says('a')).toBe('working')
  })

  test('back: what was stamped before and is read after it is no turn that lies ahead', () => {
    const at = turn()
    at.leap(-hour)
    at.search(1000)
    at.lines('a', 't.jsonl', answer(2000))
    expect(at.says('a')).toBe('idle')
    at.search(3000)
    at.lines('a', 't.jsonl', prompt(5000 - hour))
    expect(at.says('a')).toBe('working')
  })

  test('back: a transcript that is begun after it is no earlier process’ one', () => {
    const at = turn()
    at.leap(-hour)
    at.search(4000)
    at.hook('a', 'SessionStart', { session_id: 'n', source: 'clear' }, 'n.jsonl')
    at.lines('a', 'n.jsonl', prompt(5000 - hour))
    expect(at.says('a')).toBe('working')
    expect(at.track.get('a')?.verdict.because[0]).toMatchObject({ source: 'transcript' })
    at.lines(
      'a',
      'n.jsonl',
      row(6000 - hour, { type: 'user', message: { content: '[Request interrupted by user]' } }),
    )
    expect(at.says('a')).toBe('idle')
  })
})
