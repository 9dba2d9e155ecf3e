/** Codex shows no spinner while an answer streams: only the end of a turn, or its start, is idleness. */
import { describe, expect, test } from 'vitest'
import { readText, wordOf } from '../../support/agent-screen.ts'

describe('Codex at its composer, without a title', () => {
  const at = (above: string) =>
    readText('codex', `${above}\n\n› Ask Codex to do anything\n\n  gpt-5 · ~/shop`)
  const quoted =
    '• It asks:\n\n  Would you like to run it?\n\n  › 1. Yes, proceed (y)\n    2. No (esc)\n\n  Press enter to confirm or esc to cancel'

  test.each([
    ['a turn that ended', '• Saved.\n\n  Worked for 20s • 22:42', 'idle'],
    ['an end in earlier versions', `• Saved.\n\n─ Worked for 2m 04s ${'─'.repeat(20)}`, 'idle'],
    ['a turn that quotes a dialog', `${quoted}\n\n  Worked for 20s • 22:42`, 'idle'],
    [
      'a turn that quotes its work',
      '• It says:\n\n  • Working (9s • esc to interrupt)\n\n  Worked for 20s • 22:42',
      'idle',
    ],
    ['an interrupted turn', '• word\n\n■ Conversation interrupted - use /feedback', 'idle/interrupt'],
    ['an error', '■ You have hit your limit. Try again\nat 3:14 AM.', 'idle/error'],
    [
      'its start',
      '╭───────────────────────────╮\n│ >_ OpenAI Codex (v0.47.0) │\n╰───────────────────────────╯',
      'idle',
    ],
  ])('rests below %s, and is less sure', (_, above, expected) => {
    const reading = at(above)
    expect(wordOf(reading)).toBe(expected)
    expect(reading.confidence).toBeLessThan(0.9)
  })

  test.each([
    ['an answer may stream', '• word'],
    ['an answer may stream below an earlier end', '  Worked for 20s • 22:42\n\n› next\n\n• word'],
    ['a last message may stream below its divider', `─ Worked for 20s ${'─'.repeat(20)}\n\n• word`],
    ['a prompt was sent after an interruption', '■ Conversation interrupted\n\n› go on'],
    ['a first prompt was sent', '>_ OpenAI Codex (v0.169.0)\n\n› go on'],
    ['an answer quotes an end and goes on', '• It prints\n\n  Worked for 20s • 22:42\n  and then'],
  ])('says nothing where %s', (_, above) => {
    expect(wordOf(at(above))).toBe('unknown')
  })
})
