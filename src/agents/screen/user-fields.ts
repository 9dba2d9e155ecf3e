/** The schema of a file of a person's own screen rules, with the message for each mistake. */
import { z } from 'zod'
import type { ScreenPart } from './screen-layout.ts'
import { stateWords } from './state-words.ts'

const parts: Readonly<Record<ScreenPart, true>> = {
  ...{ dialog: true, composer: true, activity: true, recent: true, end: true },
  ...{ footer: true, bottom: true, last: true, title: true },
}
const partNames = Object.keys(parts) as ScreenPart[]

/** The sentence for a value of another kind. */
const must = (be: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `is missing: it must be ${be}` : `must be ${be}`,
})

const idText = 'letters, digits, dot, dash and underscore'
const id = z.string(must(idText)).regex(/^[\w.-]{1,64}$/, `must be ${idText}, at most 64 of them`)

const pattern = (be: string) => z.string(must(be)).min(1, `must be ${be}`).max(2000, 'is longer than 2000')

const rule = z.strictObject(
  {
    id: id.describe('shown by --explain; a rule with the id of one of lull’s rules replaces it'),
    part: z
      .enum(partNames, must(`one of ${partNames.join(', ')}`))
      .describe('of which part a row must match'),
    pattern: pattern('a regular expression').describe(
      'a regular expression without lookaround and back references (RE2), of one row',
    ),
    unless: pattern('a regular expression')
      .optional()
      .describe('the rule does not count where a row of the part matches this'),
    ignore_case: z.boolean(must('true or false')).optional().describe('in both patterns; false'),
    state: z
      .enum(stateWords, must(`one of ${stateWords.join(', ')}`))
      .describe('what the agent does where a row matches'),
    menu: z
      .boolean(must('true or false'))
      .optional()
      .describe('a person has opened it, and it blocks no turn; false'),
    confidence: z
      .number(must('a number from 0 to 1'))
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .optional()
      .describe('how sure the rule is, 0 to 1; 0.95'),
  },
  must('a mapping of id, part, pattern and state'),
)

const mostRules = 500

export const userFields = z.strictObject(
  {
    version: z
      .union([z.string(), z.number()], must('a text'))
      .optional()
      .describe('version of the CLI that the rules were written for; informative'),
    hides_work: z
      .boolean(must('true or false'))
      .optional()
      .describe(
        'a screen without a sign of work is no sign of idleness; as lull knows it, true where it does not',
      ),
    rules: z
      .array(rule, must('a list of rules'))
      .max(mostRules, `has more than ${mostRules} rules`)
      .superRefine(refuseDoubles)
      .default([])
      .describe('asked in this order, before those of lull'),
    disable: z
      .array(id, must('a list of ids'))
      .default([])
      .describe('ids of rules of lull’s own that do not hold'),
  },
  must('fields, like rules and disable'),
)

export type UserFields = z.output<typeof userFields>

function refuseDoubles(rules: readonly { readonly id: string }[], context: z.RefinementCtx): void {
  const ids = rules.map(one => one.id)
  ids.forEach((one, at) => {
    if (ids.indexOf(one) < at)
      context.addIssue({ code: 'custom', path: [at, 'id'], message: `${one} is here twice` })
  })
}

/** The schema as published (`docs/screen-rules.schema.json`), for editors. */
export const rulesSchema = (): object => ({
  ...z.toJSONSchema(userFields, { io: 'input' }),
  title: 'Rules over the screens of an agent',
})
