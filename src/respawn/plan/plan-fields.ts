/** The schema of a plan's file, with the message for each mistake. */
import { z } from 'zod'
import { durationField, must, textField } from '../../os/file/yaml-fields.ts'
import { readKey } from '../../os/tmux/key-names.ts'
import { ruleFields } from '../accept/accept-fields.ts'
import { type Condition, hasKeys, type Timers } from './plan.ts'

const duration = durationField(1)
const typed = textField.refine(value => !hasKeys(value), 'must have no control characters: keys presses keys')
const count = z.int(must('a whole number from 1 on')).min(1, 'must be 1 or more')

const key = z.string(must('a key, like Escape or C-c')).superRefine((name, context) => {
  try {
    readKey(name)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})
const keys = z.union([key.transform(one => [one]), z.array(key).min(1)], must('a key, or a list of keys'))

const aCondition = 'context < 30%, context > 70%, exists FILE, passes COMMAND, or marker NAME'

/** One line, as people say it. */
const condition = z.string(must(aCondition)).transform((line, context): Condition => {
  const read = conditionOf(line.trim())
  if (read) return read
  context.addIssue({ code: 'custom', message: `${JSON.stringify(line)} is no condition: ${aCondition}` })
  return z.NEVER
})

function conditionOf(line: string): Condition | undefined {
  const [, is, share] = /^context\s*([<>])\s*(\d{1,3})\s*%$/.exec(line) ?? []
  if (is && Number(share) <= 100)
    return { kind: 'context', is: is === '<' ? 'below' : 'above', share: Number(share) / 100 }
  const [, kind, rest = ''] = /^(exists|passes|marker)\s+(\S.*)$/.exec(line) ?? []
  if (kind === 'exists') return { kind, path: rest }
  if (kind === 'passes') return { kind, command: rest }
  return kind === 'marker' && /^[\w-]+$/.test(rest) ? { kind, name: rest.toLowerCase() } : undefined
}

const acts = {
  prompt: typed.optional().describe('a prompt, as a person would type it'),
  command: typed
    .refine(line => line.startsWith('/'), 'must begin with /: it is a command of the agent’s own')
    .refine(line => !line.includes('\n'), 'must be one line')
    .optional()
    .describe('a command of the agent’s own: /clear, /compact, /init'),
  keys: keys.optional().describe('keys: Escape, [C-c, C-c]'),
  file: textField.optional().describe('the prompt is what this file holds by then'),
  output: textField.optional().describe('the prompt is what this command of a shell prints'),
}
const actNames = Object.keys(acts) as readonly (keyof typeof acts)[]

const stepFields = z
  .strictObject({
    ...acts,
    when: condition.optional().describe('passed over unless this holds'),
    unless: condition.optional().describe('passed over where this holds'),
    after: duration.optional().describe('so long after the step before was over'),
    times: count.optional().describe('in so many cycles, the first ones'),
  })
  .superRefine((step, context) => {
    const named = actNames.filter(name => step[name] !== undefined)
    if (named.length === 1) return
    const message = `must have one of ${actNames.join(', ')}${named.length > 1 ? `, and has ${named.join(' and ')}` : ''}`
    context.addIssue({ code: 'custom', message })
  })

const timerFields = {
  held: duration.optional(),
  /** The name of `held` in lull 0.1. */
  settled: duration.optional(),
  silence: duration.optional(),
  unknown: duration.optional(),
  pause: duration.optional(),
  person: duration.optional(),
  begin: duration.optional(),
  stuck: duration.optional(),
  recovery: duration.optional(),
  reset: duration.optional(),
  unknown_reset: duration.optional(),
} satisfies Readonly<
  Record<Exclude<keyof Timers, 'unknownReset'> | 'unknown_reset' | 'settled', z.ZodType<number | undefined>>
>

export const planFields = z.strictObject({
  steps: z
    .array(stepFields, must('a list of steps, like - prompt: continue'))
    .min(1, 'must have a step, like - prompt: continue')
    .describe('what is sent, one after the other, each when the agent is idle again'),
  times: count.optional().describe('how often all steps are gone through'),
  for: duration.optional().describe('how long'),
  until: condition.optional().describe('looked at before each step: it ends where this holds'),
  max_cost: z
    .number(must('dollars'))
    .positive('must be above 0')
    .optional()
    .describe('dollars, as the agent counts'),
  ignore_background: z
    .boolean(must('true or false'))
    .default(false)
    .describe('tasks that go on beside a turn are not waited for'),
  recover: z
    .array(keys, must('a list of keys, like - Escape'))
    .default([])
    .describe('what is pressed where it is stuck'),
  relaunch: z
    .strictObject({ on_crash: textField.describe('the command line that starts the agent again') })
    .optional(),
  judge: z.unknown().optional().describe('who is asked where no source shows what the agent does'),
  accept: z.array(ruleFields, must('a list of rules')).default([]).describe('which dialogs are answered'),
  timers: z.strictObject(timerFields, must('durations')).default({}),
})

export type PlanFields = z.output<typeof planFields>
