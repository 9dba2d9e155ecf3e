/** `SESSION@BOX`, the names of boxes, and what ssh is called with. */
import { describe, expect, test } from 'vitest'
import { boxesNamed, isBoxName, readBoxAddress } from '../../src/fleet/box-address.ts'
import { sshWords, whyEnded } from '../../src/fleet/ssh-words.ts'
import { findSession, matchSessions } from '../../src/sessions/address.ts'
import { answerTo } from '../support/answer-to.ts'
import { finished, liveSession, news, prompt, sessionOf } from '../support/live.ts'

test.each([
  ['web@box1', { session: 'web', box: 'box1' }],
  ['tmux:%3@box-1.lan', { session: 'tmux:%3', box: 'box-1.lan' }],
  ['/home/me/node@24@box1', { session: '/home/me/node@24', box: 'box1' }],
  ['web', { session: 'web' }],
  ['@box1', { session: '@box1' }],
  ['/srv/a@b/c', { session: '/srv/a@b/c' }],
])('%s is read as its session and its box', (address, read) => {
  expect(readBoxAddress(address)).toEqual(read)
})

test.each([
  '-oProxyCommand=x',
  'a b',
  'a;b',
  '$(a)',
  '`a`',
  'a|b',
  'a\nb',
  '',
  '.a',
  'me@box',
  'a/b',
  'a'.repeat(101),
])('%j is no name of a box', name => expect(isBoxName(name)).toBe(false))

describe('the boxes of a command', () => {
  test('are those of --on, or those of its addresses', () => {
    expect(boxesNamed('a, b,,c', [])).toEqual(['a', 'b', 'c'])
    expect(boxesNamed(undefined, ['web@a', 'api@b'])).toEqual(['a', 'b'])
  })
  test('are refused where an address of this machine stands beside', async () => {
    expect(await answerTo(async () => boxesNamed(undefined, ['web@a', 'api']))).toBe(
      'USAGE "api" names no box, and another address does: write it as api@BOX',
    )
  })
})

describe('a session of a box', () => {
  const live = liveSession(sessionOf([prompt(1), news(2, finished)]), { cwd: '/srv/web' })
  const on = (host: string) => ({ ...live, id: `${live.id}@${host}`, host })
  const sessions = [on('box1'), on('box2'), live]
  const here = { cwd: '/srv', home: '/root' }

  test.each([
    `${live.id}@box1`,
    `${live.id.slice(0, 4)}@box1`,
    'web@box1',
    '/srv/web@box1',
    'claude@box1',
    `pid:${live.pid}@box1`,
  ])('is meant by %s alone', address =>
    expect(findSession(address, sessions, here)).toMatchObject({ host: 'box1' }),
  )
  test('is not meant by an address of another box, and without a box all are', () => {
    expect(matchSessions('web@box3', sessions, here)).toEqual([])
    expect(matchSessions('web', sessions, here)).toHaveLength(3)
  })
})

describe('ssh', () => {
  const box = { name: 'box1', ssh: ['ssh', '-F', 'file'], command: '~/bin/lull' }
  test('asks for nothing, shares what the user shares, and takes the name as a name', () => {
    const words = sshWords(box)
    expect(words.slice(0, 3)).toEqual(['ssh', '-F', 'file'])
    expect(words).toContain('BatchMode=yes')
    expect(words.join(' ')).not.toContain('ControlMaster')
    expect(words.slice(-3)).toEqual(['--', 'box1', '~/bin/lull host stdio'])
  })

  test.each([
    [255, 'Welcome\nssh: connect: refused\n', 'box1 is not reached (ssh: connect: refused)'],
    [
      127,
      'bash: lull: command not found',
      'box1 has no lull that can be run as "~/bin/lull" (bash: lull: command not found): install it there, or give its path as command in hosts.yaml',
    ],
    [
      2,
      "lull: unknown command 'stdio': lull host --help lists them",
      'box1 has an older lull, without `lull host stdio`: update it there',
    ],
    [1, '', 'box1: `lull host stdio` ended there with 1 and no greeting'],
    [255, '\u001b]0;title\u0007\u001b[31mno\u202e', 'box1 is not reached (]0;title  [31mno)'],
  ])('that ends with %i and %j', (code, stderr, why) => {
    expect(whyEnded(box, { code, stderr }, false)).toBe(why)
  })
})
