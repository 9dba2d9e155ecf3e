/** What is unknown says what would make it known: once, and only where that is so. */
import { expect, test } from 'vitest'
import { newSession } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { unknownHint } from '../../src/sessions/hints/unknown-hint-step.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'

function session(
  agent: string,
  more: Partial<LiveSession> = {},
  state: State = { kind: 'unknown' },
): LiveSession {
  const begun = newSession(0)
  const judged = { ...begun, verdict: { ...begun.verdict, state } }
  return { id: agent, agent, pid: 1, hooks: 'unknown', isSeen: false, session: judged, ...more }
}

const none = new Set<string>()

test('names the command, for one agent and for several, however many sessions there are', () => {
  expect(unknownHint([session('codex'), session('codex')], none)).toBe(
    'codex is unknown: run lull hooks install codex, and start it again',
  )
  expect(unknownHint([session('codex'), session('gemini'), session('pi')], none)).toBe(
    'codex, gemini and pi are unknown: run lull hooks install, and start them again',
  )
})

test('where hooks are installed, the doctor knows more', () => {
  expect(unknownHint([session('codex')], new Set(['codex']))).toBe(
    'codex is unknown though hooks are installed: run lull hooks doctor codex',
  )
  // What is not installed comes first: that is one command.
  expect(unknownHint([session('codex'), session('pi')], new Set(['codex']))).toContain(
    'lull hooks install pi',
  )
})

test('an agent without hooks is known by its screen, where that can be seen', () => {
  expect(unknownHint([session('aider')], none)).toBe(
    'aider is unknown: in tmux, or in a terminal of lull’s own (lull open), lull reads its screen',
  )
  expect(unknownHint([session('aider', { pane: '%1', tmux: '/s' })], none)).toBeUndefined()
})

test('says nothing of what is known, of another user’s, of who is heard, of a command or a halted one', () => {
  const known = session('codex', {}, { kind: 'idle' })
  const halted = session('codex')
  const others = [
    known,
    session('codex', { note: 'it belongs to another user' }),
    session('codex', { hooks: 'heard' }),
    session('command'),
    session('terminal'),
    {
      ...halted,
      session: { ...halted.session, verdict: { ...halted.session.verdict, rule: 'halted' as const } },
    },
  ]
  expect(unknownHint(others, none)).toBeUndefined()
})
