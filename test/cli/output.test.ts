/** What comes from outside reaches the terminal as plain text: no escape sequence of a recording is carried out. */
import { describe, expect, test } from 'vitest'
import { temporaryFile } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'

const evil = '\u001b]0;owned\u0007\u001b[2J\r\n\u009b31m'
const header = (lull: object) =>
  JSON.stringify({ version: 2, width: 80, height: 24, lull: { trace: 1, ...lull } })
const row = (t: number, code: string, data: object | string) =>
  JSON.stringify([t, code, typeof data === 'string' ? data : JSON.stringify(data)])

const hook = (event: string, payload: object = {}, t = 1) => row(t, 'h', { event, payload })
const prompt = hook('UserPromptSubmit', { prompt_id: 'p1' })

/** Where it stands; the trace. */
const traces: readonly (readonly [string, readonly string[]])[] = [
  ['the cause of an exit', [header({ agent: 'claude' }), row(1, 'x', { cause: evil })]],
  ['the signal of an exit', [header({ agent: 'claude' }), row(1, 'x', { signal: evil, cause: 'kill' })]],
  ['the name of a hook', [header({ agent: 'claude' }), hook(`Stop${evil}`, { cwd: 5 })]],
  ['the agent of a hook', [header({ agent: 'claude' }), row(1, 'h', { agent: evil, event: 'Stop' })]],
  ['a field’s name', [header({ agent: 'claude' }), hook('Stop', { tool_input: 5, [evil]: 5 })]],
  ['a tool', [header({ agent: 'claude' }), prompt, hook('PreToolUse', { tool_name: evil })]],
  ['a code', [header({ agent: 'claude' }), row(1, evil, '')]],
  [
    'a question',
    [header({ agent: 'claude' }), prompt, hook('PermissionRequest', { tool_input: { command: evil } })],
  ],
  [
    'a dialog behind another',
    [
      header({ agent: 'claude' }),
      prompt,
      hook('PermissionRequest', { tool_name: evil }),
      hook('PermissionRequest', { tool_name: 'Bash' }, 2),
    ],
  ],
  ['a title', [header({ agent: 'codex' }), row(1, 'o', `\u001b]0;⠋ \u009b31m\u0085x\u0007`)]],
  [
    'a line’s type',
    [
      header({ agent: 'copilot' }),
      row(1, 't', { path: 'x', line: JSON.stringify({ type: `abort`, data: { [evil]: 1, content: 1 } }) }),
    ],
  ],
  ['the agent of the header', [header({ agent: evil })]],
  ['the version of the header', [JSON.stringify({ version: evil })]],
]

const commands = [['replay'], ['explain']] as const

/** Anything but text and line ends. */
const controls = (text: string): string[] =>
  [...text].filter(char => char !== '\n' && (char < ' ' || (char >= '\u007f' && char < '\u00a0')))

describe.each(commands)('lull %s', command => {
  test.each(traces)('%s', async (_, lines) => {
    const file = temporaryFile('evil.cast', lines.join('\n'))
    const { stdout, stderr } = await lullHere([command, file])
    expect(`${stdout}${stderr}`).not.toBe('')
    expect(controls(stdout)).toEqual([])
    expect(controls(stderr)).toEqual([])
    expect(stderr.split('\n').filter(line => line !== '' && !line.startsWith('lull: '))).toEqual([])
  })
})
