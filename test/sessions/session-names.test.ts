/** What a session is about, by one rule for all agents. */
import { expect, test } from 'vitest'
import { defined } from '../../src/core/defined.ts'
import { newSession } from '../../src/core/session.ts'
import { topicOf } from '../../src/sessions/session-names.ts'

const about = (title: string | undefined, prompt: string | undefined) => {
  const session = { ...newSession(0), facts: defined({ prompt }) }
  const live = { id: 'a', agent: 'claude', pid: 7, hooks: 'unknown', isSeen: true, session } as const
  return topicOf({ ...live, ...defined({ title }) })
}

test.each([
  ['the newest prompt, whatever the agent calls it', 'Login fix', 'now the tests', 'now the tests'],
  ['the title where no prompt is known', 'Login fix', undefined, 'Login fix'],
  ['nothing where neither is known', undefined, undefined, ''],
])('%s', (_, title, prompt, topic) => expect(about(title, prompt)).toBe(topic))
