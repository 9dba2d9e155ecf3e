/** Whether what was sent was read, and whether two looks show one moment. */
import { describe, expect, test } from 'vitest'
import { learn } from '../../src/terminal/classify/learn.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import { hasConsumed, isConsumed } from '../../src/terminal/consumption.ts'
import type { Probe, TerminalProcess } from '../../src/terminal/probe/probed.ts'
import { isSteady } from '../../src/terminal/probe/steady.ts'
import { probeOf, process, type Told } from '../support/probes.ts'

const bash = (changes: Partial<TerminalProcess> = {}): TerminalProcess => ({
  ...process('bash', 'pselect6'),
  ...changes,
})
const shown: Told = { mode: 'ce', line: 'ada@box:~$ ' }
const look = (one: TerminalProcess, told: Told = shown): Probe => probeOf([one], told)

describe('what was sent', () => {
  const before = look(bash())
  test('is read once the reader has read as many bytes', () => {
    expect(isConsumed(before, look(bash({ readChars: 1008 })), 9)).toBe(false)
    expect(isConsumed(before, look(bash({ readChars: 1009 })), 9)).toBe(true)
  })
  test('is not read while some of it lies in the terminal', () => {
    expect(isConsumed(before, look(bash({ readChars: 9000 }), { ...shown, queued: 1 }), 9)).toBe(false)
  })
  test('is read where the reader gave the terminal to a command, or ended', () => {
    expect(isConsumed(before, look(process('sleep 1', '-clock_nanosleep', 200)), 9)).toBe(true)
    expect(isConsumed(before, probeOf([], { gone: {} }), 9)).toBe(true)
  })
  test('by waking up, where the bytes are hidden', () => {
    const { readChars: _, ...hidden } = bash()
    expect(isConsumed(look(hidden), look(hidden), 9)).toBe(false)
    expect(isConsumed(look(hidden), look({ ...hidden, switches: 11 }), 9)).toBe(true)
  })
  test('can not be told of one that hides its bytes and wakes by itself, or hides all', () => {
    const { readChars: _, ...hidden } = process('python3', 'poll~')
    expect(isConsumed(look(hidden), look({ ...hidden, switches: 99 }), 9)).toBeUndefined()
    expect(isConsumed(probeOf([]), probeOf([]), 9)).toBeUndefined()
  })
  test('counts in the terminal that a relay feeds', () => {
    const outer = (inner: Probe) => probeOf([process('script', 'poll+1', 50)], { mode: 'ce', inner })
    expect(isConsumed(outer(before), outer(look(bash({ readChars: 1008 }))), 9)).toBe(false)
    expect(isConsumed(outer(before), outer(look(bash({ readChars: 1009 }))), 9)).toBe(true)
  })
})

describe('Enter', () => {
  const before = look(bash())
  const typed = { before, bytes: 1, at: 5000, isEntered: true }
  const read = (at: number, lastOutput: number): Probe => ({
    ...look(bash({ readChars: 1001 })),
    at,
    stream: { lastOutput },
  })
  test('is not read before something has come of it, whatever was read', () => {
    expect(hasConsumed(typed, read(5020, 4990))).toBe(false)
    expect(hasConsumed(typed, read(5020, 5010))).toBe(true)
  })
  test('is read by the count alone where nothing comes for long, or keys do not show', () => {
    expect(hasConsumed(typed, read(5301, 4990))).toBe(true)
    const password = { ...typed, before: look(bash(), { mode: 'Ce', line: 'Password: ' }) }
    expect(hasConsumed(password, read(5020, 4990))).toBe(true)
  })
})

describe('two looks', () => {
  test('are steady where nothing moved', () => {
    expect(isSteady(look(bash()), { ...look(bash()), at: 99_999 })).toBe(true)
  })
  test.each<[string, Probe]>([
    ['bytes were read', look(bash({ readChars: 1001 }))],
    ['it reads elsewhere', look(process('bash', 'pselect6@99'))],
    ['it runs', look(process('bash', 'running'))],
    ['another reads', look(process('bash', 'pselect6', 101))],
    ['the settings changed', look(bash(), { ...shown, mode: 'Ce' })],
    ['the foreground changed', look(bash(), { ...shown, foreground: 7 })],
    ['input came', look(bash(), { ...shown, queued: 1 })],
    ['it ended', probeOf([], { gone: {} })],
  ])('are not where %s', (_, after) => {
    expect(isSteady(look(bash()), after)).toBe(false)
    expect(isSteady(after, look(bash()))).toBe(false)
  })
})

describe('what is learned of an idle reader', () => {
  test('is its prompt without what is typed behind', () => {
    const once = learn(nothingLearned, look(bash()))
    expect(once.idle).toMatchObject([{ pid: 100, prompt: 'ada@box:~$ ' }])
    expect(learn(once, look(bash(), { ...shown, line: 'ada@box:~$ git st' })).idle).toMatchObject([
      { pid: 100, prompt: 'ada@box:~$ ' },
    ])
  })
  test('is nothing while it runs, asks, or is not ripe', () => {
    for (const one of [
      look(process('sleep 9', '-clock_nanosleep')),
      look(process('bash', 'read(4096)'), { line: 'Name: ' }),
      look(process('mytool', 'read(1)'), { mode: 'ce', line: 'mytool> ' }),
    ])
      expect(learn(nothingLearned, one)).toBe(nothingLearned)
  })
  test('never grows without end', () => {
    let learned = nothingLearned
    for (let pid = 1; pid <= 500; pid++) learned = learn(learned, look(bash({ pid })))
    expect(learned.idle.length).toBeLessThanOrEqual(32)
    expect(learned.idle.at(-1)?.pid).toBe(500)
  })
})
