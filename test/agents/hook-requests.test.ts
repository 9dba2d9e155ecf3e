/** What agents ask through hooks that may be answered there: whole, with nothing hidden, and with what they take as the answer. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRequest as claude } from '../../src/agents/claude/requests.ts'
import { readRequest as opencode } from '../../src/agents/opencode/requests.ts'
import { plainly } from '../../src/core/text/plain-line.ts'

const asked = (tool: string, input: object, more: object = {}) =>
  claude('PermissionRequest', { tool_name: tool, tool_input: input, ...more })

const decisions = (replies: readonly string[] = []) =>
  replies.map(reply => JSON.parse(reply).hookSpecificOutput.decision)

const question = (labels: readonly string[], more: object = {}) => ({
  question: 'Which database?',
  options: labels.map(label => ({ label, description: `Use ${label}` })),
  ...more,
})

describe('Claude Code', () => {
  test('a permission shows all that the tool is given, and is allowed or refused', () => {
    const request = asked('Bash', { command: 'make\nmake install', timeout: 5 })
    expect(request).toMatchObject({ for: 'permission', tool: 'Bash', about: 'make\nmake install' })
    expect(request?.rows).toEqual(['Bash', '  command:', '    make', '    make install', '  timeout: 5'])
    expect(request?.options).toEqual([
      { label: 'Yes', word: 'yes' },
      { label: 'No', word: 'no' },
    ])
    // As its own "No": the turn ends.
    expect(decisions(request?.replies)).toMatchObject([
      { behavior: 'allow' },
      { behavior: 'deny', interrupt: true },
    ])
  })

  test('a question with one answer is answered by its label', () => {
    const input = { questions: [question(['Postgres', 'SQLite'])] }
    const request = asked('AskUserQuestion', input)
    expect(request).toMatchObject({ for: 'question', about: 'Which database?' })
    expect(request?.options).toEqual([
      { label: 'Postgres', number: 1 },
      { label: 'SQLite', number: 2 },
    ])
    expect(decisions(request?.replies)[1]).toEqual({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which database?': 'SQLite' } },
    })
  })

  test.each([
    ['several questions', asked('AskUserQuestion', { questions: [question(['a']), question(['b'])] })],
    [
      'several answers',
      asked('AskUserQuestion', { questions: [question(['a', 'b'], { multiSelect: true })] }),
    ],
    ['two options alike', asked('AskUserQuestion', { questions: [question(['a', 'a'])] })],
    ['a question without options', asked('AskUserQuestion', { questions: [{ question: 'why?' }] })],
    ['a plan', asked('ExitPlanMode', { plan: '# Do it' })],
    ['a subagent’s', asked('Bash', { command: 'ls' }, { agent_id: 'a1' })],
    ['another event', claude('PreToolUse', { tool_name: 'Bash', tool_input: {} })],
    ['no payload', claude('PermissionRequest', null)],
  ])('%s is left to the screen', (_what, request) => expect(request).toBeUndefined())
})

describe('OpenCode', () => {
  test('a permission is allowed once, or rejected', () => {
    const request = opencode('permission.asked', {
      id: 'per_1',
      permission: 'bash',
      patterns: ['ls'],
      metadata: { command: 'ls' },
    })
    expect(request).toMatchObject({
      tool: 'bash',
      about: 'ls',
      rows: ['bash', '  command: ls', '  patterns: ["ls"]'],
    })
    expect(request?.replies.map(reply => JSON.parse(reply))).toEqual([{ reply: 'once' }, { reply: 'reject' }])
  })

  test('a question is answered by its label', () => {
    const request = opencode('question.asked', { id: 'q1', questions: [question(['a', 'b'])] })
    expect(request?.replies.map(reply => JSON.parse(reply))).toEqual([
      { answers: [['a']] },
      { answers: [['b']] },
    ])
  })
})

describe('how it ended', () => {
  const hook = (event: string, payload: object) => ({ type: 'hook' as const, event, payload })
  const row = (line: object) => ({ type: 'line' as const, line: JSON.stringify(line) })

  test('of Claude Code shows the result of the same call of the same agent, and of no other', () => {
    const input = { command: 'ls' }
    const takenBy = asked('Bash', input)?.takenBy
    const result = (more: object) =>
      takenBy?.(hook('PostToolUse', { tool_name: 'Bash', tool_input: input, ...more }))
    expect(result({})).toBe(0)
    expect(result({ tool_input: { command: 'pwd' } })).toBeUndefined()
    expect(result({ tool_name: 'Read' })).toBeUndefined()
    expect(result({ agent_id: 'a1' })).toBeUndefined()
    expect(takenBy?.(hook('PostToolUseFailure', { tool_name: 'Bash', tool_input: input }))).toBe(0)
    expect(takenBy?.(hook('Stop', {}))).toBeUndefined()
    expect(takenBy?.(row({ type: 'user', toolDenialKind: 'rule' }))).toBeUndefined()
    expect(takenBy?.({ type: 'line', line: 'torn' })).toBeUndefined()
  })

  test('of a question of Claude Code shows the label that was chosen', () => {
    const input = { questions: [question(['Postgres', 'SQLite'])] }
    const takenBy = asked('AskUserQuestion', input)?.takenBy
    const given = (answer: string) =>
      hook('PostToolUse', {
        tool_name: 'AskUserQuestion',
        tool_input: { ...input, answers: { 'Which database?': answer } },
      })
    expect(takenBy?.(given('SQLite'))).toBe(1)
    expect(takenBy?.(given('MySQL, as before'))).toBe(-1)
    const refused = { type: 'user', toolDenialKind: 'user-rejected', toolDenialBeforeRun: true }
    expect(takenBy?.(row(refused))).toBe(-1)
  })

  test.each([
    ['once', 0],
    ['always', 0],
    ['reject', 1],
  ])('of OpenCode shows the reply that counted: %s', (reply, place) => {
    const takenBy = opencode('permission.asked', { id: 'per_1', permission: 'bash' })?.takenBy
    expect(takenBy?.(hook('permission.replied', { requestID: 'per_1', reply }))).toBe(place)
    expect(takenBy?.(hook('permission.replied', { requestID: 'per_2', reply }))).toBeUndefined()
  })

  test('of a question of OpenCode shows the answer that counted', () => {
    const takenBy = opencode('question.asked', { id: 'q1', questions: [question(['a', 'b'])] })?.takenBy
    expect(takenBy?.(hook('question.replied', { requestID: 'q1', answers: [['b']] }))).toBe(1)
    expect(takenBy?.(hook('question.rejected', { requestID: 'q1' }))).toBe(-1)
    expect(takenBy?.(hook('permission.asked', { id: 'q1' }))).toBeUndefined()
  })
})

describe('what is shown', () => {
  test('hides nothing: what is not seen is spelt out', () => {
    const [, row] = asked('Bash', { command: 'ls \u202egnp.x\u200b \u00a0\u001b[2K\u3164' })?.rows ?? []
    expect(row).toBe('  command: ls \\u{202e}gnp.x\\u{200b} \\u{a0}\\u{1b}[2K\\u{3164}')
  })

  test('a text of several lines is never another field', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), lines => {
        const [, , ...rows] = asked('Bash', { command: lines.join('\n') })?.rows ?? []
        expect(rows.every(row => row.startsWith('    '))).toBe(true)
      }),
    )
  })

  test('is one line of characters that show', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(plainly(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\p{Default_Ignorable_Code_Point}]/u)
      }),
    )
  })
})
