/** What a status line says of the sessions. */
import { describe, expect, test } from 'vitest'
import { nameIn, segmentText, tallyOf } from '../../src/segment/step/tally-step.ts'
import {
  broken,
  finished,
  interrupted,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  withVerdict,
} from '../support/live.ts'

const waiting = sessionOf([prompt(0), news(0, permission)])
const at = (end: typeof finished) => sessionOf([prompt(0), news(0, end)])
const stuck = { level: 'confirmed_stuck', certainty: 'high' } as const

describe('the segment', () => {
  test('counts who waits, is stuck, failed, is done and works, and names whom lull go means', () => {
    const all = [
      liveSession(at(finished), { id: 'a' }),
      liveSession(at(broken), { id: 'b' }),
      liveSession(at(limited), { id: 'c' }),
      liveSession(waiting, { id: 'd', name: 'web' }),
      liveSession(sessionOf([prompt(0)]), { id: 'e' }),
      withVerdict({ state: { kind: 'working', doing: 'tool' }, health: stuck }, { id: 'f' }),
    ]
    expect(tallyOf(all)).toEqual({ wait: 1, stuck: 1, failed: 2, done: 1, work: 1, first: 'web' })
    expect(segmentText(tallyOf(all), false)).toBe('1 wait (web) · 1 stuck · 2 failed · 1 done · 1 work')
    expect(segmentText(tallyOf(all.slice(3, 5)), true)).toBe('#[fg=yellow]1 wait (web)#[fg=default] · 1 work')
  })

  test('is empty where nobody has to know of anything', () => {
    const all = [
      liveSession(at(finished), { isSeen: true }),
      liveSession(at(interrupted)),
      liveSession(waiting, { owner: 'root' }),
      withVerdict({ state: { kind: 'unknown' } }),
      withVerdict({ state: { kind: 'exited', code: 0 } }),
    ]
    expect(segmentText(tallyOf(all), true)).toBe('')
    expect(segmentText(tallyOf([]), true)).toBe('')
  })

  test('names nobody who only works', () => {
    expect(segmentText(tallyOf([liveSession(sessionOf([prompt(0)]))]), true)).toBe('1 work')
  })

  test.each([
    '#(touch /tmp/x)',
    '#{pid}',
    '#[fg=red]x',
    '##(id)',
    '%H%M',
    '`id`$(id)"\'\\;',
    '\u001b]52;c;x\u0007',
    '\u202e\u0000a\nb',
    '#',
    'x'.repeat(500),
  ])('of a name %j nothing gets there that tmux or a shell would take for its own', name => {
    const text = segmentText(tallyOf([liveSession(waiting, { name })]), true)
    const styles = text.replaceAll('#[fg=yellow]', '').replaceAll('#[fg=default]', '')
    expect(styles).toMatch(/^1 wait(?: \([\p{L}\p{N}._:@+ -]{1,16}\))?$/u)
  })

  test('a folder is called by its last part, whatever the path ends with, and a name has no blanks around it', () => {
    expect(nameIn(liveSession(waiting, { cwd: '/home/dev/api/' }))).toBe('api')
    expect(nameIn(liveSession(waiting, { name: ' # web ' }))).toBe('web')
    expect(nameIn(liveSession(waiting, { cwd: '/' }))).toBe('claude')
  })

  test.each([
    ['stuck', 'magenta'],
    ['failed', 'red'],
    ['done', 'green'],
  ] as const)('%s is %s', (one, colour) => {
    const none = { wait: 0, stuck: 0, failed: 0, done: 0, work: 0 }
    expect(segmentText({ ...none, [one]: 2 }, true)).toBe(`#[fg=${colour}]2 ${one}#[fg=default]`)
    expect(segmentText({ ...none, work: 1, first: 'web' }, false)).toBe('1 work')
  })

  test('a name of another script is a name', () => {
    expect(nameIn(liveSession(waiting, { cwd: '/home/dev/prøject 日本' }))).toBe('prøject 日本')
  })
})
