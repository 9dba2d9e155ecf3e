/** What a rule may say by which dialogs are answered without a person. */
import path from 'node:path'
import { z } from 'zod'
import { isAgentName } from '../../agents/agent-names.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { homeOf } from '../../os/file/places.ts'
import { must } from '../../os/file/yaml-fields.ts'
import { readPattern } from '../../os/linear-pattern.ts'

/** Never a question: what it asks, nobody but the person knows. */
const acceptKinds = ['permission', 'plan', 'trust'] as const

export const ruleFields = z
  .strictObject({
    agent: z
      .string(must('the name of an agent'))
      .refine(isAgentName, 'is no agent that lull knows')
      .optional(),
    for: z.enum(acceptKinds, `must be ${acceptKinds.join(', ')}: a question is never answered by a rule`),
    tool: z.string(must('the name of a tool')).optional(),
    pattern: z.string(must('a pattern')).optional().transform(readable),
    folder: z
      .string(must('a folder'))
      .transform(folder => path.resolve(folder.replace(/^~(?=\/|$)/, homeOf(process.env))))
      .optional(),
    choose: z.string(must('an option, as `lull answer` takes it')).default('yes'),
    times: z.int(must('a whole number from 1 on')).min(1, 'must be 1 or more').optional(),
    within: z
      .string(must('a duration, like 2h'))
      .transform((text, context) => {
        try {
          return parseDuration(text)
        } catch (error) {
          context.addIssue({ code: 'custom', message: (error as Error).message })
          return z.NEVER
        }
      })
      .optional(),
  })
  .superRefine((rule, context) => {
    const wants = rule.for === 'trust' ? 'folder' : 'pattern'
    if (rule.for === 'plan' || rule[wants] !== undefined) return
    const message =
      wants === 'folder'
        ? 'must have a folder: trust is given to a folder'
        : 'must have a pattern of all that is asked for: one that takes everything is .*'
    context.addIssue({ code: 'custom', message })
  })

/** In linear time, and of the whole text: what a pattern leaves out could be anything. */
function readable(pattern: string | undefined, context: z.RefinementCtx): RegExp | undefined {
  if (pattern === undefined) return undefined
  try {
    // By itself first: `a)|(?:b` would close the group that makes it match the whole.
    readPattern(pattern)
    return readPattern(`^(?:${pattern})$`)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
}

export type AcceptRule = z.output<typeof ruleFields>
