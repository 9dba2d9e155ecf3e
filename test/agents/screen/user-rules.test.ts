/** A person's own rules over screens: what a file may say, and what comes of it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { agents } from '../../../src/agents/registry.ts'
import { classifyScreen, readScreenLine } from '../../../src/agents/screen/classify-screen.ts'
import { noRules } from '../../../src/agents/screen/read-screen.ts'
import type { ScreenRules } from '../../../src/agents/screen/screen-rule.ts'
import { rulesSchema, userFields } from '../../../src/agents/screen/user-fields.ts'
import { readUserRules, withUserRules } from '../../../src/agents/screen/user-rules.ts'
import { readPattern } from '../../../src/os/linear-pattern.ts'

const claude = agents.claude.screens
const edge = '─'.repeat(60)
const composer = `${edge}\n❯ \n${edge}\n  ? for shortcuts`
const dialog = `${edge}\n Bash command\n\n rm -rf build\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n`

const mistakesIn = (value: unknown, builtIn: ScreenRules | undefined = claude): readonly string[] => {
  const read = readUserRules(value, builtIn, readPattern)
  return 'mistakes' in read ? read.mistakes.map(({ sentence }) => sentence) : []
}

function rulesOf(value: unknown, builtIn: ScreenRules = claude): ScreenRules {
  const read = readUserRules(value, builtIn, readPattern)
  if ('mistakes' in read) throw new Error(read.mistakes.map(({ sentence }) => sentence).join('\n'))
  return withUserRules(builtIn, read)
}

const wipe = { id: 'wipe', part: 'dialog', pattern: 'RM -rf', state: 'waiting/confirmation' }
const row = (rules: ScreenRules, screen: string) => classifyScreen(rules, { screen }).row

describe('rules of a person', () => {
  test('come before those of lull', () => {
    expect(row(claude, dialog)).toMatchObject({ for: 'permission', rule: 'permission' })
    const own = rulesOf({ rules: [{ ...wipe, ignore_case: true, confidence: 0.5 }] })
    expect(row(own, dialog)).toMatchObject({ for: 'confirmation', rule: 'wipe', confidence: 0.5 })
    expect(row(rulesOf({ rules: [wipe] }), dialog)).toMatchObject({ rule: 'permission' })
  })

  test('do not count beside what their `unless` names', () => {
    const own = rulesOf({ rules: [{ ...wipe, ignore_case: true, unless: 'do you want' }] })
    expect(row(own, dialog)).toMatchObject({ rule: 'permission' })
  })

  test('replace a rule of lull with the same id, of the agent or of all', () => {
    const never = { id: 'spinner', part: 'activity', pattern: 'never there', state: 'working' }
    const spins = `✽ Brewing… (4s · ↓ 29 tokens)\n\n${composer}`
    expect(row(claude, spins)).toMatchObject({ state: 'working', rule: 'spinner' })
    expect(row(rulesOf({ rules: [never] }), spins)).toMatchObject({ state: 'idle', rule: 'composer' })
  })

  test('may call their state `says`, as files for lull 0.1 do', () => {
    const { state, ...rest } = { ...wipe, ignore_case: true }
    const own = rulesOf({ rules: [{ ...rest, says: state }] })
    expect(row(own, dialog)).toMatchObject({ for: 'confirmation', rule: 'wipe' })
  })

  test('can be without one of lull', () => {
    const own = rulesOf({ disable: ['permission'] })
    expect(row(own, dialog)).toMatchObject({ for: 'dialog', rule: 'dialog' })
  })

  test('say whether rest can be seen, where lull does not know the agent', () => {
    const rests = `all done\n\n${composer}`
    expect(row(noRules, rests)).toMatchObject({ state: 'unknown' })
    expect(row(rulesOf({ rules: [wipe] }, noRules), rests)).toMatchObject({ state: 'unknown' })
    expect(row(rulesOf({ hides_work: false }, noRules), rests)).toMatchObject({ state: 'idle' })
  })

  test('can open a menu, and tell how a turn ended', () => {
    const own = rulesOf({
      rules: [
        { id: 'palette', part: 'dialog', pattern: 'Bash', state: 'idle', menu: true },
        { id: 'broken', part: 'recent', pattern: '^Oh no', state: 'idle/error' },
      ],
    })
    expect(row(own, dialog)).toMatchObject({ state: 'idle', menu: true, rule: 'palette' })
    expect(row(own, `Oh no\n\n${composer}`)).toMatchObject({ state: 'idle', after: 'error', rule: 'broken' })
  })

  test('can’t keep lull from its answer', () => {
    const slow = { id: 'slow', part: 'activity', pattern: '(a|aa)+$', state: 'working' }
    // A row is cut before its `!`; an engine that backtracks would not end on the uncut row, nor on one that ends otherwise.
    expect(row(rulesOf({ rules: [slow] }), `${'a'.repeat(60)}!\n\n${composer}`)).not.toHaveProperty(
      'rule',
      'slow',
    )
    expect(row(rulesOf({ rules: [slow] }), `${'a'.repeat(5000)}!\n\n${composer}`)).toMatchObject({
      state: 'working',
      rule: 'slow',
    })
  })
})

describe('a file that is wrong', () => {
  test.each([
    ['a list', [], 'the file must be fields, like rules and disable'],
    ['a rule without a part', { rules: [{ ...wipe, part: undefined }] }, 'rules[0].part is missing'],
    ['a part that is none', { rules: [{ ...wipe, part: 'header' }] }, 'rules[0].part must be one of dialog'],
    [
      'a state that is none',
      { rules: [{ ...wipe, state: 'busy' }] },
      'rules[0].state must be one of working',
    ],
    ['a bad id', { rules: [{ ...wipe, id: 'a b' }] }, 'rules[0].id must be letters'],
    ['a field that is none', { rules: [{ ...wipe, color: 1 }] }, 'rules[0].color is no field: there is id'],
    ['two of one id', { rules: [wipe, wipe] }, 'rules[1].id wipe is here twice'],
    ['confidence', { rules: [{ ...wipe, confidence: 2 }] }, 'rules[0].confidence must be a number from 0'],
    ['lookaround', { rules: [{ ...wipe, pattern: '(?=x)' }] }, 'the pattern (?=x) can’t be read: lookaround'],
    ['a pattern', { rules: [{ ...wipe, unless: '(x' }] }, 'the pattern (x can’t be read: '],
    ['an id of no rule', { disable: ['nope'] }, 'disable[0]: no rule of lull is called nope: there is '],
  ])('is told what would be right: %s', (_, value, expected) => {
    const [first = '', ...more] = mistakesIn(value)
    expect(first.startsWith(expected), first).toBe(true)
    expect(more).toEqual([])
  })

  test('is told of each mistake', () => {
    expect(mistakesIn({ rules: [{ ...wipe, state: 5 }, 3], disable: 'all' })).toHaveLength(3)
  })

  test('may be empty', () => {
    expect(mistakesIn(null)).toEqual([])
  })
})

describe('a line of JSON', () => {
  test.each([
    [50, 'working'],
    [true, 'working'],
    [{ state: 3 }, 'working'],
    [{ state: 1, value: 20 }, 'working'],
    [{ state: 0 }, 'unknown'],
    [{ state: 2, value: 20 }, 'unknown'],
    [false, 'unknown'],
    [null, 'unknown'],
  ])('tells of progress: %j', (progress, state) => {
    const line = readScreenLine(JSON.stringify({ screen: 'text', progress }))
    if ('wrong' in line) throw new Error(line.wrong)
    expect(classifyScreen(noRules, line).row).toMatchObject({ state })
  })

  test.each([
    ['', 'is empty'],
    ['[', 'is no JSON object'],
    ['{}', 'has no screen'],
    ['{"screen":1}', 'screen must be a text'],
    ['{"screen":"","agent":1}', 'agent must be a name'],
    ['{"screen":"","title":1}', 'title must be a text'],
    ['{"screen":"","progress":101}', 'progress must be a number from 0 to 100'],
  ])('is refused with a reason: %s', (text, reason) => {
    const line = readScreenLine(text)
    expect('wrong' in line && line.wrong).toContain(reason)
  })

  test('does not tell of progress where the screen asks', () => {
    expect(classifyScreen(noRules, { screen: dialog, hasProgress: true }).row).toMatchObject({
      state: 'waiting',
    })
  })

  test('is read without its colours', () => {
    const coloured = dialog.replace('Do you', '\u001b[1mDo you\u001b[0m').replaceAll('\n', '\r\n')
    expect(row(claude, coloured)).toMatchObject({ rule: 'permission' })
  })
})

describe('the published schema', () => {
  test('is the one that files are checked against', () => {
    const file = new URL('../../../docs/screen-rules.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(rulesSchema())))
  })

  test('names every field of the documentation, whose example is right', () => {
    const text = readFileSync(new URL('../../../docs/classify.md', import.meta.url), 'utf8')
    const example: unknown = parse(/```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
    expect(mistakesIn(example)).toEqual([])
    const rule = userFields.shape.rules.unwrap().element
    for (const field of [...Object.keys(userFields.shape), ...Object.keys(rule.shape)])
      expect(text).toContain(`| \`${field}\``)
  })
})
