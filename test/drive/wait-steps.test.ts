/** What decides on a terminal, without one: observations in, outcomes out; patterns, goals and keys as they are written. */
import { describe, expect, test } from 'vitest'
import { defaultPrompt, type PatternState, stepPattern } from '../../src/drive/wait/pattern-step.ts'
import { readPattern, takenForPrompt } from '../../src/drive/wait/pattern-text.ts'
import { lineWatch, withoutEscapes } from '../../src/drive/wait/printed-lines.ts'
import {
  contradiction,
  type Observed,
  type ReadyRequest,
  startReady,
  stepReady,
  stirred,
} from '../../src/drive/wait/ready-step.ts'
import { isTerminalGoal, readGoals } from '../../src/drive/wait/terminal-goals.ts'
import { readKey } from '../../src/os/tmux/key-names.ts'
import { expectLinear } from '../support/growth.ts'

const ready: Observed = {
  word: 'ready',
  isProven: true,
  isWhole: false,
  isConclusive: true,
  reader: 7,
  screen: '0 2 $',
  lastLine: '$ ',
  isConsumed: true,
  isPrinted: false,
  isStill: false,
}
const running: Observed = { ...ready, word: 'running', reader: 8, screen: '1 0', lastLine: 'compiling' }
const forReady: ReadyRequest = { goals: [{ type: 'ready' }] }

/** What observations come to, each some ms after the last. */
function outcome(request: ReadyRequest, looks: readonly Observed[], timeout = 10_000): string | undefined {
  let state = startReady(0, timeout)
  for (const [n, seen] of looks.entries()) {
    const step = stepReady(request, state, seen, n)
    if (step.done) return `${step.done} after ${n + 1}`
    state = step.state
  }
  return undefined
}

describe('a wait on a terminal', () => {
  test('believes two looks that agree, and not one', () => {
    expect(outcome(forReady, [ready])).toBeUndefined()
    expect(outcome(forReady, [ready, ready])).toBe('reached after 2')
    expect(outcome(forReady, [ready, running, ready])).toBeUndefined()
  })
  test('believes one look at what the kernel proves, if nothing was left to print', () => {
    expect(outcome(forReady, [{ ...ready, isWhole: true }])).toBe('reached after 1')
    expect(outcome(forReady, [{ ...ready, isWhole: true, isProven: false }])).toBeUndefined()
    expect(outcome(forReady, [{ ...ready, isWhole: true, isConclusive: false }])).toBeUndefined()
  })
  test('begins to count again where another reads', () => {
    expect(outcome(forReady, [ready, { ...ready, reader: 9 }])).toBeUndefined()
  })
  test('looks again while the screen changes, but not for ever: a job in the background prints', () => {
    const looks = [1, 2, 3, 4, 5, 6].map(n => ({ ...ready, screen: `${n}` }))
    expect(outcome(forReady, looks.slice(0, 4))).toBeUndefined()
    expect(outcome(forReady, looks)).toBe('reached after 5')
  })
  test.each([{ isConclusive: false }, { isConsumed: false }])('does not believe %j', more => {
    const unripe = { ...ready, ...more }
    expect(outcome(forReady, [unripe, unripe, unripe, unripe, unripe, unripe])).toBeUndefined()
  })
  test.each<[Observed['word'], string]>([
    ['question', 'waitsForPerson'],
    ['keypress', 'waitsForPerson'],
    ['password', 'waitsForPerson'],
    ['pager', 'waitsForPerson'],
    ['editor', 'waitsForPerson'],
    ['exited', 'gone'],
  ])('for ready, %s is %s', (word, expected) => {
    const seen = { ...ready, word }
    expect(outcome(forReady, [seen, seen])).toMatch(expected)
  })
  test.each<[Observed['word'], 'question' | 'password', string | undefined]>([
    ['question', 'question', 'reached'],
    ['keypress', 'question', 'reached'],
    ['password', 'question', 'waitsForPerson'],
    ['password', 'password', 'reached'],
    ['question', 'password', 'waitsForPerson'],
    ['ready', 'question', undefined],
    ['running', 'password', undefined],
  ])('%s, waited for as %s, is %s', (word, type, expected) => {
    const seen = { ...ready, word }
    expect(outcome({ goals: [{ type }] }, [seen, seen])?.split(' ')[0]).toBe(expected)
  })
  test('frozen ends it although what was typed is not read', () => {
    const frozen = { ...ready, word: 'frozen', isConsumed: false } as const
    const looks = (screen: (at: number) => string) => {
      let state = startReady(0, 10_000)
      for (let at = 0; at <= 3000; at += 250) {
        const step = stepReady(forReady, state, { ...frozen, screen: screen(at) }, at)
        if (step.done) return `${step.done} at ${at}`
        state = step.state
      }
      return undefined
    }
    // Under a flood a writer stands still again and again.
    expect(looks(() => 'same')).toBe('stuck at 1000')
    expect(looks(at => `${at}`)).toBeUndefined()
    expect(looks(at => (at < 500 ? 'first' : 'second'))).toBe('stuck at 1500')
  })
  test('for output ends with the line, whatever the program does, and with no question', () => {
    const request: ReadyRequest = { goals: [{ type: 'output', pattern: /done/ }] }
    expect(outcome(request, [running, { ...running, isPrinted: true }])).toBe('reached after 2')
    const asking = { ...ready, word: 'question' } as const
    expect(outcome(request, [asking, asking, asking])).toBeUndefined()
  })
  test('that is late tells so, not what it hoped', () => {
    expect(outcome(forReady, [running, running, running], 2)).toBe('timeout after 3')
  })
  test('that is late tells of nothing that it would have ended with', () => {
    const told = (observed: Observed, request = forReady) => contradiction(request, 'timeout', observed)
    expect(told(running)).toBeUndefined()
    expect(told({ ...ready, word: 'unknown' })).toBeUndefined()
    expect(told(ready)).toBe('unsure')
    expect(told({ ...ready, word: 'question', isConclusive: false })).toBe('unsure')
    expect(told({ ...ready, isConsumed: false })).toBe('unread')
    expect(told(ready, { goals: [{ type: 'output', pattern: /x/ }] })).toBeUndefined()
    expect(told(ready, { ...forReady, pattern: /never/ })).toBe('notByPattern')
  })
  test('looks less and less often, at least every 20 ms, after 5 s every 100 ms, and at once when stirred', () => {
    let state = startReady(0, 60_000)
    const delays: number[] = []
    for (let now = 0; now < 6000; now += delays.at(-1) ?? 1) {
      const step = stepReady(forReady, state, running, now)
      state = step.state
      delays.push(step.delay)
    }
    expect(delays.slice(0, 8)).toEqual([0.5, 1, 2, 4, 8, 16, 20, 20])
    expect(delays.at(-1)).toBe(100)
    expect(Math.max(...delays)).toBe(100)
    // While nothing runs it may be longer: to wake up costs more than to look.
    const still = stepReady(forReady, { ...state, delay: 200 }, { ...running, isStill: true }, 6000)
    expect(stepReady(forReady, still.state, { ...running, isStill: true }, 6200).delay).toBe(400)
    expect(stepReady(forReady, stirred(state), running, 6000).delay).toBe(0.5)
  })
  test('of a program that is gone needs one look', () => {
    expect(outcome(forReady, [{ ...ready, word: 'exited' }])).toBe('gone after 1')
  })
  test('does not take one answer for another, nor one reader for another', () => {
    expect(outcome(forReady, [{ ...ready, word: 'question' }, ready])).toBeUndefined()
    const readers = [1, 2, 3, 4, 5, 6].map(reader => ({ ...ready, reader, screen: `${reader}` }))
    expect(outcome(forReady, readers)).toBeUndefined()
    const { reader: _, ...nobody } = running
    expect(outcome(forReady, [nobody, nobody])).toBeUndefined()
  })
  test('counts how long a writer stands still for each of them, and needs all of it, however sure', () => {
    const frozen = { ...ready, word: 'frozen', isWhole: true } as const
    const looks = (seen: (at: number) => Partial<Observed>) => {
      let state = startReady(0, 10_000)
      for (let at = 0; at <= 3000; at += 250) {
        const step = stepReady(forReady, state, { ...frozen, ...seen(at) }, at)
        if (step.done) return `${step.done} at ${at}`
        state = step.state
      }
      return undefined
    }
    expect(looks(at => ({ screen: `${at}` }))).toBeUndefined()
    expect(looks(at => ({ reader: at < 500 ? 7 : 8 }))).toBe('stuck at 1500')
  })
  test('looks again at once where the next look may end it', () => {
    expect(stepReady(forReady, startReady(0, 60_000), ready, 1).delay).toBe(0)
  })
  test('looks less often once it has lasted for more than 5 s, whenever it began', () => {
    const late = { ...startReady(3000, 60_000), delay: 400 }
    expect(stepReady(forReady, late, running, 8000).delay).toBe(20)
    expect(stepReady(forReady, late, running, 8001).delay).toBe(100)
  })
  test('for one of several is over with any of them', () => {
    const goals: ReadyRequest['goals'] = [{ type: 'ready' }, { type: 'output', pattern: /done/ }]
    expect(outcome({ goals }, [ready, ready])).toBe('reached after 2')
    const asking = { ...ready, word: 'question' } as const
    expect(outcome({ goals }, [asking, asking])).toBe('waitsForPerson after 2')
  })
  test('looks no later than the look itself asks for, nor than its end', () => {
    const late = { ...startReady(0, 1000), delay: 20 }
    expect(stepReady(forReady, late, { ...running, observeAgainIn: 3 }, 1).delay).toBe(3)
    expect(stepReady(forReady, late, running, 995).delay).toBe(5)
  })
})

describe('a prompt pattern of one’s own', () => {
  const request: ReadyRequest = { ...forReady, pattern: /opencode> $/ }
  const shown: Observed = { ...ready, word: 'question', lastLine: 'opencode> ' }
  test('decides: what it matches is ready, what it does not match is not', () => {
    expect(outcome(request, [shown, shown])).toBe('reached after 2')
    expect(outcome(request, [ready, ready, ready])).toBeUndefined()
  })
  test('unless the kernel proves that the program runs, or it is a password', () => {
    const busy: Observed = { ...shown, word: 'running', isProven: true }
    expect(outcome(request, [busy, busy, busy])).toBeUndefined()
    expect(
      outcome(request, [
        { ...busy, isProven: false },
        { ...busy, isProven: false },
      ]),
    ).toMatch('reached')
    const password: Observed = { ...shown, word: 'password' }
    expect(outcome(request, [password, password])).toMatch('waitsForPerson')
  })
})

describe('document 002: the table of prompts', () => {
  test.each([
    ['bash shell', 'user@host:~$ ', true],
    ['zsh shell', '~/project % ', true],
    ['root shell', 'root@host:~# ', true],
    ['Python REPL', '>>> ', true],
    ['node REPL', '> ', true],
    ['CLI sub-prompt', 'Continue? [y/N]', false],
    ['CLI sub-prompt', 'Press Enter to continue', false],
    ['OpenCode', '> ', true],
    ['OpenCode', 'opencode> ', true],
    ['git confirm', 'Are you sure? (y/n)', false],
  ])('%s: %j', (_, line, matches) => {
    expect(defaultPrompt.test(line)).toBe(matches)
  })
})

/** What captures come to, one after the other. */
function captured(texts: readonly string[], pattern = defaultPrompt, captures = 1): string | undefined {
  let state: PatternState = { equal: 0 }
  for (const [n, text] of texts.entries()) {
    const step = stepPattern(state, text, pattern, captures)
    if (step.found) return `${step.found} after ${n + 1}`
    state = step.state
  }
  return undefined
}

describe('document 002: its pitfalls, with the strategy pattern', () => {
  test('1: a prompt in what scrolled by is none', () => {
    expect(captured(['echo "$ prompt example"\n$ \nbuilding'])).toBeUndefined()
    expect(captured(['building\n\n$ \n\n'])).toBe('ready after 1')
  })
  test('2: colours around the prompt hide nothing', () => {
    expect(defaultPrompt.test('\u001b[32m$ \u001b[0m')).toBe(false)
    expect(captured([withoutEscapes('\u001b[32m$ \u001b[0m')])).toBe('ready after 1')
  })
  test('3: the first look is compared with nothing, and an empty pane after clear is not stable', () => {
    expect(captured(['building'])).toBeUndefined()
    expect(captured(['', '', '', ''])).toBeUndefined()
    expect(captured(['building', 'building'])).toBe('stable after 2')
  })
  test('what follows the text, and an empty screen, are no part of it, whatever the pattern', () => {
    expect(captured(['building\n', 'building\n\n'])).toBe('stable after 2')
    expect(captured(['$ a\nb'], /^[$]/)).toBeUndefined()
    expect(captured(['a\n>>> '], /^>>>$/)).toBe('ready after 1')
    for (const pattern of [/^\s*$/, /./]) expect(captured([' \n ', '\n'], pattern)).toBeUndefined()
  })
  test('stable is as many equal captures in a row as are asked for', () => {
    expect(captured(['a', 'a', 'b', 'b'], defaultPrompt, 2)).toBeUndefined()
    expect(captured(['a', 'b', 'b', 'b'], defaultPrompt, 2)).toBe('stable after 4')
  })
  test('5: a pattern that is too broad is told of, the usual one is not', () => {
    expect(takenForPrompt(/.*/)).toBe('')
    expect(takenForPrompt(/\?/)).toBe('Continue? [y/N]')
    expect(takenForPrompt(defaultPrompt)).toBeUndefined()
    expect(takenForPrompt(/opencode> $/)).toBeUndefined()
  })
})

describe('a pattern that can’t be read', () => {
  test.each([
    ['[$', 0, 'unterminated character class'],
    ['ab(c', 2, 'unterminated group'],
    ['ab)c', 2, 'unmatched'],
    ['a|*b', 2, 'nothing to repeat'],
    ['ab\\', 2, '\\ at end of pattern'],
    ['x[z-a]', 1, 'range out of order'],
    ['a{3,1}', 1, 'out of order'],
    ['(?<1>a)', 1, 'invalid'],
    ['ab(?=c)', 2, 'not supported'],
    ['(a)b\\1', 4, 'not supported'],
  ])('%s is wrong at %i: %s', (pattern, position, what) => {
    expect(() => readPattern(pattern)).toThrow(
      expect.objectContaining({
        code: 'BAD_PATTERN',
        facts: { pattern, position },
        message: expect.stringContaining(what),
      }),
    )
  })
})

describe('a pattern that is given', () => {
  test('finds what is anywhere in a line, as a regular expression does', () => {
    const pattern = readPattern('^(?:o+k|\\d{2,}) ?❯\\s*$')
    expect(['ok ❯ ', '12❯', 'ok ❯ x', '1❯', ''].map(line => pattern.test(line))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect('a bb'.match(readPattern('b+'))).toMatchObject({ 0: 'bb', index: 2 })
  })

  test.each(['(a+)+$', '(a|aa)+$', 'a*a*a*a*b'])(
    '%s takes no longer for a line that is made for it',
    pattern => {
      expectLinear(size => void readPattern(pattern).test(`${'a'.repeat(size)}!`), 1000)
    },
  )
})

test('lines of nothing but escapes are read in time', () => {
  for (const flood of ['\u001b', '\u001b]', '\u001b]0;', '\u001bP', '\u001b[1', '\u001b[ '])
    expectLinear(size => void withoutEscapes(flood.repeat(size)), 20_000)
})

describe('what a wait is for', () => {
  test('is read from its words', () => {
    expect(readGoals('ready')).toEqual([{ type: 'ready' }])
    expect(readGoals('question, password')).toEqual([{ type: 'question' }, { type: 'password' }])
    expect(readGoals('ready,output:/a,b/')).toEqual([{ type: 'ready' }, { type: 'output', pattern: /a,b/ }])
  })
  test.each(['nonsense', 'ready,idle', 'output:done', 'output://', ''])('%j is none', text => {
    expect(() => readGoals(text)).toThrow(expect.objectContaining({ code: 'BAD_GOAL' }))
  })
  test('and is told from what agents are waited for', () => {
    expect(['ready', 'idle,question', 'output:/x/', 'password'].every(isTerminalGoal)).toBe(true)
    expect(['idle', 'waiting', 'stuck,exited'].some(isTerminalGoal)).toBe(false)
  })
})

describe('keys', () => {
  test.each([
    ['C-c', 'C-c'],
    ['Ctrl-C', 'C-c'],
    ['^D', 'C-d'],
    ['enter', 'Enter'],
    ['Esc', 'Escape'],
    ['Return', 'Enter'],
    ['M-x', 'M-x'],
    ['S-Up', 'S-Up'],
    ['C-M-a', 'C-M-a'],
    ['y', 'y'],
    ['^', '^'],
    ['-', '-'],
    [';', ';'],
    ['é', 'é'],
    ['f12', 'F12'],
  ])('%s is %s', (word, key) => {
    expect(readKey(word)).toBe(key)
  })
  test.each(['Entr', 'hello', 'C-', '', 'F13', 'X-c'])('%j is none: tmux would type its letters', word => {
    expect(() => readKey(word)).toThrow(expect.objectContaining({ code: 'BAD_KEY' }))
  })
})

describe('lines as they are printed', () => {
  const found = (pattern: RegExp, ...texts: readonly string[]) => {
    const lines = lineWatch(line => pattern.test(line))
    for (const text of texts) lines.take(text)
    return lines.found()
  }
  test('are put together, without their escape sequences', () => {
    expect(found(/^all done$/, 'all \u001b[1', 'mdo', 'ne\u001b[0m\r\n')).toBe('all done')
    expect(found(/^title$/, '\u001b]0;title\u0007\r\n')).toBeUndefined()
  })
  test('count before they are finished', () => {
    expect(found(/\? $/, 'Go on? ')).toBe('Go on? ')
  })
  test('from before a restart do not count', () => {
    const lines = lineWatch(line => line.includes('done'))
    lines.take('echo done')
    lines.restart()
    expect(lines.found()).toBeUndefined()
    lines.take('\r\ndone\r\n')
    expect(lines.found()).toBe('done')
  })
})
