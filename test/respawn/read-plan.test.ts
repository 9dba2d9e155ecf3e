import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPlan, readPlanFile } from '../../src/respawn/plan/read-plan.ts'
import { temporaryFolder } from '../support/lull.ts'

const folder = temporaryFolder()

function written(text: string): string {
  const file = path.join(folder, 'plan.yaml')
  writeFileSync(file, text)
  return file
}

test('all that a plan may say is read', () => {
  const { plan, judge, rules, warnings } = readPlanFile(
    written(`
steps:
  - prompt: go on
  - { command: /clear, unless: context < 30%, times: 1 }
  - { keys: [Escape, C-c], after: 5m }
  - { file: next.md, when: exists DONE }
  - { output: ./next.sh, when: passes npm test }
times: 3
for: 8h
until: marker done
max_cost: 20
ignore_background: true
recover: [Escape, [C-c, C-c]]
relaunch: { on_crash: claude --continue }
judge: { command: [claude, -p] }
accept: [{ for: permission, pattern: npm test }, { for: plan }, { for: trust, folder: /work }]
timers: { held: 500ms, person: 2m }
`),
  )
  expect(plan.steps[1]).toEqual({
    act: { do: 'command', text: '/clear' },
    unless: { kind: 'context', is: 'below', share: 0.3 },
    times: 1,
  })
  expect(plan.steps[2]).toEqual({ act: { do: 'keys', keys: ['Escape', 'C-c'] }, after: 300_000 })
  expect(plan).toMatchObject({
    times: 3,
    for: 28_800_000,
    until: { kind: 'marker', name: 'done' },
    maxCost: 20,
    relaunch: 'claude --continue',
    recover: [['Escape'], ['C-c', 'C-c']],
    timers: { held: 500, pause: 500, person: 120_000, silence: 10_000 },
  })
  expect(judge).toEqual({ command: ['claude', '-p'] })
  expect(rules).toHaveLength(3)
  expect(warnings).toEqual([])
})

test('the time that an end must have held is also read by its old name', () => {
  const timersOf = (timers: string) =>
    readPlanFile(written(`steps: [{prompt: a}]\ntimers: ${timers}`)).plan.timers
  expect(timersOf('{ settled: 500ms }')).toMatchObject({ held: 500, pause: 500 })
  expect(timersOf('{ settled: 500ms, held: 2s }')).toMatchObject({ held: 2000, pause: 1000 })
  expect(timersOf('{ pause: 5s }')).toMatchObject({ held: 3000, pause: 5000 })
})

test.each([
  ['', /plan must be fields/],
  ['- a', /plan must be fields/],
  ['steps: []', /:1:8: steps must have a step/],
  ['steps:\n  - prompt: a\n    comand: b', /:3:13: steps\[0\]\.comand is no field that lull knows/],
  [
    'steps:\n  - { prompt: a, command: /b }',
    /:2:5: steps\[0\] must have one of .*, and has prompt and command/,
  ],
  ['steps:\n  - { command: clear }', /must begin with \//],
  ['steps:\n  - { keys: [Frobnicate] }', /steps\[0\]\.keys\[0\]/],
  ['steps:\n  - { prompt: a, when: context 30 }', /"context 30" is no condition: context < 30%/],
  ['steps:\n  - { prompt: a, after: 0 }', /must be a duration above 0/],
  ['steps: [{prompt: a}]\ntimers: { held: -3s }', /:2:17: timers\.held "-3s" must be a duration above 0/],
  ['steps: [{prompt: a}]\ntimes: 0', /:2:8: times must be 1 or more/],
  ['steps: [{prompt: a}]\nmax_cost: -1', /max_cost must be above 0/],
  ['steps: [{prompt: a}]\njudge: {}', /judge: must have either a command or a url/],
  [
    'steps: [{prompt: a}]\naccept: [{ for: question, pattern: .* }]',
    /a question is never answered by a rule/,
  ],
  ['steps: [{prompt: a}]\naccept: [{ for: permission }]', /must have a pattern/],
  ['steps: [{prompt: a}]\naccept: [{ for: trust }]', /must have a folder/],
  ['steps: [{prompt: a}]\naccept: [{ for: permission, pattern: "(" }]', /the pattern \( can’t be read/],
  [
    'steps: [{prompt: a}]\naccept: [{ for: permission, pattern: "npm test)|(?:x" }]',
    /:2:38: accept\[0\]\.pattern the pattern .* can’t be read/,
  ],
  ['steps:\n  - { prompt: "a\\x03b" }', /:2:15: steps\[0\]\.prompt must have no control characters/],
  ['steps: [{ command: "/clear\\rrm" }]', /steps\[0\]\.command must have no control characters/],
  ['steps: [', /not YAML/],
  ['steps: [a]\n---\nsteps: [b]\n', /:2:1: a second document begins here, and one alone is read/],
])('%j is told with its place', (text, sentence) => {
  expect(() => readPlanFile(written(text))).toThrow(sentence)
  expect(() => readPlanFile(written(text))).toThrow(expect.objectContaining({ code: 'BAD_PLAN', exit: 2 }))
})

test('a plan that nothing ends is warned of; the command line ends it', () => {
  expect(readPlan({ prompt: 'go on' }).warnings).toEqual([expect.stringContaining('nothing ends this plan')])
  expect(readPlan({ prompt: 'go on', for: 1000 })).toMatchObject({ plan: { for: 1000 }, warnings: [] })
  expect(() => readPlan({})).toThrow(/wants a plan/)
  expect(() => readPlan({ prompt: ' ' })).toThrow(/must not be empty/)
})
