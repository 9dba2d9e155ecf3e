/** What a session is about, and where a person finds it, by one rule for all agents. */
import { expect, test } from 'vitest'
import { defined } from '../../src/core/defined.ts'
import { newSession } from '../../src/core/session.ts'
import { topicOf, whereOf } from '../../src/sessions/session-names.ts'

const live = {
  id: 'a',
  agent: 'claude',
  pid: 7,
  hooks: 'unknown',
  isSeen: true,
  session: newSession(0),
} as const

const about = (title: string | undefined, prompt: string | undefined) => {
  const session = { ...newSession(0), facts: defined({ prompt }) }
  return topicOf({ ...live, session, ...defined({ title }) })
}

test.each([
  ['the newest prompt, whatever the agent calls it', 'Login fix', 'now the tests', 'now the tests'],
  ['the title where no prompt is known', 'Login fix', undefined, 'Login fix'],
  ['nothing where neither is known', undefined, undefined, ''],
])('%s', (_, title, prompt, topic) => expect(about(title, prompt)).toBe(topic))

const ofServer = (tmux: string) => ({ pane: '%3', place: 'main:2.1', window: 'api', tmux })

test.each([
  ['the pane of the default server by its place', ofServer('/tmp/tmux-0/default'), 'main:2.1 api'],
  ['the same where TMUX_TMPDIR is set', ofServer('/run/user/7/tmux-1000/default'), 'main:2.1 api'],
  ['another server as -L takes it', ofServer('/tmp/tmux-1000/work'), 'main:2.1 (-L work) api'],
  [
    'one of another TMUX_TMPDIR as -S takes it',
    ofServer('/srv/tmux-7/work'),
    'main:2.1 (-S /srv/tmux-7/work) api',
  ],
  ['a socket elsewhere as -S takes it', ofServer('/srv/sock'), 'main:2.1 (-S /srv/sock) api'],
  ['a pane without a place', { pane: '%3', tmux: '/tmp/tmux-0/work' }, '%3 (-L work)'],
  ['a terminal of lull’s own by its name', { terminal: 'own1', ...ofServer('/srv/sock') }, 'own1'],
  ['nothing outside terminals', {}, ''],
])('where: %s', (_, place, where) => expect(whereOf({ ...live, ...place })).toBe(where))
