/** SESSION on a command line: which of the sessions are meant, and what is said where it is not one. */
import { describe, expect, test } from 'vitest'
import { LullError } from '../../src/core/lull-error.ts'
import { type CallerContext, findSession, matchSessions } from '../../src/sessions/address.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { withVerdict } from '../support/live.ts'

const here: CallerContext = { cwd: '/home/dev/api', home: '/home/dev' }

const session = (id: string, more: Partial<LiveSession> = {}): LiveSession => withVerdict({}, { id, ...more })
const nowhere = (id: string, more: Partial<LiveSession>): LiveSession => {
  const { cwd: _, ...rest } = session(id, more)
  return rest
}
const exited = (id: string, more: Partial<LiveSession> = {}): LiveSession =>
  withVerdict({ state: { kind: 'exited' } }, { id, ...more })

const sessions: readonly LiveSession[] = [
  session('k3f2a91b', {
    agent: 'claude',
    pid: 123,
    cwd: '/home/dev/api',
    pane: '%3',
    tmux: '/tmp/tmux-1/default',
  }),
  session('k3zz0000', {
    agent: 'codex',
    pid: 1234,
    cwd: '/home/dev/api/web',
    pane: '%3',
    tmux: '/tmp/tmux-1/other',
  }),
  session('q9aaaaaa', { agent: 'pi', pid: 55, cwd: '/srv/pi' }),
  session('pi000000', { agent: 'gemini', pid: 56, cwd: '/srv/日本 語' }),
  nowhere('zz000000', { agent: 'qwen', pid: 57 }),
]

const found = (address: string, around = here, all = sessions): string =>
  matchSessions(address, all, around)
    .map(({ id }) => id)
    .join(' ')

describe('another user’s session', () => {
  const theirs = nowhere('clau0000', { agent: 'claude', pid: 77, owner: 'eve' })
  const all = [...sessions, theirs]

  test.each([
    ['claude', 'k3f2a91b', 'a name means one’s own'],
    ['pid:77', 'clau0000', 'a process is meant, whosever it is'],
    ['clau0000', 'clau0000', 'and an id'],
    ['cla', 'clau0000', 'and the beginning of one, where none of one’s own begins so'],
  ])('%s → %s: %s', (address, ids) => {
    expect(found(address, here, all)).toBe(ids)
  })

  test('is meant by no name, not even alone; the sentence says whose it is', () => {
    expect(found('claude', here, [theirs])).toBe('')
    expect(() => findSession('claude', [theirs], here)).toThrow('there is clau0000 (claude, pid 77, of eve)')
  })
})

describe('an address', () => {
  test.each([
    ['k3f2a91b', 'k3f2a91b', 'an id'],
    ['k3f', 'k3f2a91b', 'the beginning of one'],
    ['k3', '', 'no beginning of fewer than three letters'],
    ['q', '', 'not even where one alone begins so'],
    ['3f2a', '', 'no part from its middle'],
    ['K3F', '', 'not in capitals'],
    ['claude', 'k3f2a91b', 'an agent'],
    ['clau', '', 'no part of one'],
    ['web', 'k3zz0000', 'the name of a folder'],
    ['日本 語', 'pi000000', 'whatever it is called'],
    ['pi', 'q9aaaaaa', 'an agent and a folder, however short'],
    ['k3f2a9', 'k3f2a91b', 'more of the beginning'],
    ['pid:123', 'k3f2a91b', 'a process'],
    ['pid:12', '', 'no part of its number'],
    ['tmux:%3', 'k3f2a91b k3zz0000', 'a pane, of two servers'],
    ['.', 'k3f2a91b', 'this folder'],
    ['./', 'k3f2a91b', 'this folder'],
    ['..', 'k3f2a91b k3zz0000', 'the folder above: those below it'],
    ['./web', 'k3zz0000', 'a folder in this one'],
    ['~/api', 'k3f2a91b', 'a folder at home'],
    ['~', 'k3f2a91b k3zz0000', 'home: those below it'],
    ['/srv', 'q9aaaaaa pi000000', 'those below'],
    ['/srv/p', '', 'no beginning of a folder'],
    ['/', 'k3f2a91b k3zz0000 q9aaaaaa pi000000', 'all that are somewhere'],
    ['~else/api', '', 'another user’s home is not known'],
    ['nobody', '', 'nothing'],
  ])('%s → %s (%s)', (address, ids) => {
    expect(found(address)).toBe(ids)
  })

  test('a pane is one of the tmux server around', () => {
    expect(found('tmux:%3', { ...here, tmux: '/tmp/tmux-1/other' })).toBe('k3zz0000')
    expect(found('tmux:%3', { ...here, tmux: '/tmp/tmux-1/third' })).toBe('k3f2a91b k3zz0000')
  })

  test('a folder behind a link is the one that it leads to', () => {
    const linked = { ...here, real: (path: string) => path.replace('/link', '/srv') }
    expect(found('/link/pi', linked)).toBe('q9aaaaaa')
    expect(found('/home/dev/api', linked)).toBe('k3f2a91b')
  })

  test('a name that somebody gave is the one of that name, though a folder or a window be called so too', () => {
    const given = session('n1000000', { name: 'web' })
    const [folder, window] = [
      session('f1000000', { cwd: '/srv/web' }),
      session('w1000000', { window: 'web' }),
    ]
    expect(found('web', here, [window, folder, given])).toBe('n1000000')
    expect(found('web', here, [window, folder])).toBe('f1000000')
    expect(found('web', here, [window, { ...window, id: 'w2000000' }])).toBe('w1000000 w2000000')
    expect(found('web', here, [exited('n1000000', { name: 'web' }), folder])).toBe('f1000000')
    expect(
      found('web', here, [
        { ...given, owner: 'eve' },
        { ...window, owner: 'eve' },
      ]),
    ).toBe('')
  })

  test('a name whose terminal has ended a while ago is not what else is called so', () => {
    const [socket, pane, endedAt] = ['/tmp/tmux-1/default', '%7', 1000]
    const around: CallerContext = {
      ...here,
      ended: name => (name === 'api' || name === 'k3f2a91b' ? { socket, pane, endedAt } : undefined),
    }
    expect(found('api')).toBe('k3f2a91b')
    expect(found('api', around)).toBe('')
    expect(found('web', around)).toBe('k3zz0000')
    // An id is nobody's slip, and a name that was given means who has it.
    expect(found('k3f2a91b', around)).toBe('k3f2a91b')
    const given = session('a1', { agent: 'terminal', name: 'api', pane, tmux: '/tmp/tmux-1/other' })
    expect(found('api', around, [...sessions, given])).toBe('a1')
    // The host may list it for a moment longer, or what runs in its pane by now.
    const stale = { name: 'api', pane, tmux: socket }
    const late = [exited('b2', { agent: 'terminal', ...stale }), session('c3', stale)]
    expect(found('api', around, [...sessions, ...late])).toBe('')
    const refused = () => findSession('api', [...sessions, ...late], around)
    expect(refused).toThrow('the terminal api (%7) has ended: use the id of another session')
    expect(refused).toThrow(
      expect.objectContaining({ code: 'NO_SESSION', facts: { address: 'api', closedAt: 1000 } }),
    )
  })

  test('nor is that of one of lull’s own that was closed, nor the agent that ran in it', () => {
    const around: CallerContext = {
      ...here,
      ended: name => (name === 'api' ? { endedAt: 1000 } : undefined),
    }
    const late = exited('b2', { agent: 'claude', name: 'api', terminal: 'api' })
    expect(() => findSession('api', [...sessions, late], around)).toThrow(
      'the terminal api was closed: use the id of another session (lull ps), or free the name with lull name --forget api',
    )
    const given = session('a1', { agent: 'terminal', name: 'api', pane: '%7', tmux: '/tmp/tmux-1/default' })
    expect(found('api', around, [...sessions, late, given])).toBe('a1')
  })

  test('where it can’t be read who has a name an id is meant still, and no folder or agent', () => {
    const around: CallerContext = {
      ...here,
      ended: () => {
        throw new LullError('REFUSED_FILE', 'the names can’t be read')
      },
    }
    expect(found('k3f2a91b', around)).toBe('k3f2a91b')
    for (const name of ['api', 'claude', 'nobody'])
      expect(() => findSession(name, sessions, around)).toThrow('the names can’t be read')
  })

  test('whoever has exited is meant only where nobody else is', () => {
    const all = [exited('a1000000', { pid: 9 }), session('a2000000', { pid: 9 })]
    expect(found('claude', here, all)).toBe('a2000000')
    expect(found('pid:9', here, all)).toBe('a2000000')
    expect(found('a10', here, all)).toBe('a1000000')
  })
})

describe('one session', () => {
  const complaint = (address: string, all = sessions): unknown => {
    try {
      return findSession(address, all, here)
    } catch (error) {
      return error
    }
  }

  test('of two whose ids begin alike is told from the other by more letters', () => {
    const twins = [session('k3f00000'), session('k3f11111')]
    expect(complaint('k3f', twins)).toMatchObject({ code: 'AMBIGUOUS_SESSION' })
    expect(findSession('k3f1', twins, here).id).toBe('k3f11111')
  })

  test('of two in one folder tells where each is and what it is about', () => {
    const at = (id: string, place: string, prompt: string): LiveSession => {
      const live = session(id, { cwd: '/home/dev/api', pane: '%1', tmux: '/tmp/tmux-1/default', place })
      return { ...live, session: { ...live.session, facts: { prompt } } }
    }
    const twins = [at('aaaa0000', 'main:0.0', 'fix the login'), at('bbbb0000', 'main:2.1', 'docs\u001b[2J')]
    expect(complaint('claude', twins)).toMatchObject({
      code: 'AMBIGUOUS_SESSION',
      message:
        '"claude" means 2 sessions: aaaa0000 (claude, main:0.0, pid 100, ~/api, “fix the login”), bbbb0000 (claude, main:2.1, pid 100, ~/api, “docs [2J”); give an id',
      facts: { candidates: ['aaaa0000', 'bbbb0000'] },
    })
    expect(findSession('aaaa0000', twins, here).id).toBe('aaaa0000')
    expect(findSession('tmux:main:2.1', twins, here).id).toBe('bbbb0000')
  })

  test('is meant by no letter of its id, though it be the only one there is', () => {
    const [only] = sessions
    expect(complaint('k', only ? [only] : [])).toMatchObject({
      code: 'NO_SESSION',
      message:
        'no session "k": there is k3f2a91b (claude, %3, pid 123, ~/api); the beginning of an id has at least 3 letters',
    })
  })

  test('where none is meant, those that live are told of first', () => {
    const over = ['x1000000', 'x2000000', 'x3000000'].map(id => exited(id))
    expect(() => findSession('nobody', [...over, ...sessions.slice(0, 1)], here)).toThrow(
      'there is k3f2a91b (',
    )
  })

  test('is returned where it is the only one', () => {
    expect(findSession('k3f', sessions, here).pid).toBe(123)
  })

  test.each([
    [
      '..',
      'AMBIGUOUS_SESSION',
      /^".." means 2 sessions: k3f2a91b \(claude, %3, pid 123, ~\/api\), k3zz0000 \(codex, %3 \(-L other\), pid 1234, ~\/api\/web\); give an id$/,
    ],
    [
      'nobody',
      'NO_SESSION',
      /^no session "nobody": there is k3f2a91b \(claude, %3, pid 123, ~\/api\), .* and \d+ more \(lull ps\)$/,
    ],
    ['pid:99', 'NO_SESSION', /; lull explain pid:99 and lull watch pid:99 work with any process$/],
    ['main:1.0', 'NO_SESSION', /; a tmux pane is written tmux:main:1.0$/],
    ['', 'BAD_ADDRESS', /^no session was given: a session is an id/],
    ['pid:abc', 'BAD_ADDRESS', /^"pid:abc": after pid: comes a process number, like pid:123$/],
    ['pid:-1', 'BAD_ADDRESS', /^"pid:-1": /],
    ['tmux:3', 'BAD_ADDRESS', /^"tmux:3": after tmux: comes a pane, like tmux:%3$/],
  ])('%j: %s, in one sentence', (address, code, sentence) => {
    expect(complaint(address)).toMatchObject({
      code,
      facts: { address },
      message: expect.stringMatching(sentence),
    })
  })

  test('where none runs: that is what is said', () => {
    expect(complaint('claude', [])).toMatchObject({
      message: 'no session "claude": no agent runs on this machine',
    })
  })

  test.each(['pid:x', 'tmux:x', ' '])('where none runs, %j is still no address', address => {
    expect(complaint(address, [])).toMatchObject({ code: 'BAD_ADDRESS' })
  })

  test('of a hundred the first eight are listed', () => {
    const many = Array.from({ length: 100 }, (_, n) => session(`m${n}`))
    const { message } = complaint('claude', many) as Error
    expect(message).toMatch(/m7 \(claude[^)]*\) and 92 more; give an id$/)
    expect(message).not.toContain('m8 ')
  })

  test('folders and addresses that hold control characters are shown without them', () => {
    const { message } = complaint('\u001b[2Jx', [
      session('a1', { cwd: '/tmp/\u001b]0;x\u0007\nlull: all is well' }),
    ]) as Error
    expect(message).toContain('a1 (claude, pid 100, /tmp/ ]0;x  lull: all is well)')
    expect(/^[^\p{Cc}]+$/u.test(message)).toBe(true)
  })
})
