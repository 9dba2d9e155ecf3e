import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AcceptRule,
  type AskedDialog,
  acceptedBy,
  ruleFields,
} from '../../src/respawn/accept/accept-fields.ts'

const rule = (written: object): AcceptRule => ruleFields.parse(written)
type Loose = { readonly [Key in keyof AskedDialog]?: AskedDialog[Key] | undefined }
const asked = (more: Loose = {}): AskedDialog => ({
  agent: 'claude',
  for: 'permission',
  tool: 'Bash',
  about: 'npm test',
  folder: '/work/app',
  ...(more as Partial<AskedDialog>),
})
const tests = rule({ for: 'permission', tool: 'Bash', pattern: 'npm (test|run lint)' })
const isAccepted = (rules: readonly AcceptRule[], one: AskedDialog): boolean =>
  'rule' in acceptedBy(rules, one, {}, 0, 0)

test('what a rule names is answered, and no more than that', () => {
  expect(acceptedBy([tests], asked(), {}, 0, 0)).toEqual({ rule: 0, choose: 'yes' })
  for (const about of [
    'npm test && rm -rf /',
    'rm -rf / # npm test',
    'npm test\nrm -rf /',
    ' npm test',
    '',
    undefined,
  ])
    expect(isAccepted([tests], asked({ about })), `${about}`).toBe(false)
  expect(isAccepted([tests], asked({ tool: 'Write' }))).toBe(false)
  expect(isAccepted([rule({ for: 'permission', agent: 'codex', pattern: '.*' })], asked())).toBe(false)
})

test('a text that was cut is not accepted, whatever its beginning', () =>
  expect(
    isAccepted([rule({ for: 'permission', pattern: '[\\s\\S]*' })], asked({ about: 'a'.repeat(1000) })),
  ).toBe(false))

test('a plan needs a rule for plans, trust one for the folder; questions have none', () => {
  const everything = rule({ for: 'permission', pattern: '[\\s\\S]*' })
  for (const kind of ['plan', 'trust', 'question', 'login', 'dialog'] as const)
    expect(isAccepted([everything], asked({ for: kind })), kind).toBe(false)
  expect(isAccepted([rule({ for: 'plan' })], asked({ for: 'plan' }))).toBe(true)
  const trust = rule({ for: 'trust', folder: '/work' })
  expect(isAccepted([trust], asked({ for: 'trust' }))).toBe(true)
  for (const folder of ['/workshop', '/', undefined])
    expect(isAccepted([trust], asked({ for: 'trust', folder })), `${folder}`).toBe(false)
})

test('a rule ends after so many times, and after so long', () => {
  const twice = rule({ for: 'permission', pattern: '.*', times: 2, within: '1h' })
  expect('rule' in acceptedBy([twice], asked(), { 0: 1 }, 0, 3_600_000)).toBe(true)
  expect('rule' in acceptedBy([twice], asked(), { 0: 2 }, 0, 0)).toBe(false)
  expect('rule' in acceptedBy([twice], asked(), {}, 0, 3_600_001)).toBe(false)
})

test('no question is ever answered, whatever the rules', () =>
  fc.assert(
    fc.property(fc.constantFrom('.*', '[\\s\\S]*', ''), fc.string(), (pattern, about) => {
      const rules = [
        rule({ for: 'permission', pattern }),
        rule({ for: 'plan' }),
        rule({ for: 'trust', folder: '/' }),
      ]
      expect(isAccepted(rules, asked({ for: 'question', about }))).toBe(false)
    }),
  ))
