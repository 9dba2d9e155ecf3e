/** What a rule may say by which dialogs are answered without a person. */

import path from 'node:path'
import { z } from 'zod'
import { isAgentName } from '../../agents/agent-names.ts'
import type { Instant, WaitingFor } from '../../core/state.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { homeOf } from '../../os/file/places.ts'
import { must } from '../../os/file/yaml-fields.ts'
import { readPattern } from '../../os/linear-pattern.ts'

export type AskedDialog = {
  readonly agent: string
  readonly for: WaitingFor
  readonly tool?: string
  /** All that is asked for: the command, the file; nothing is left out. */
  readonly about?: string
  readonly folder?: string
  /** Only its screen shows it, perhaps not all of it. */
  readonly isCut?: true
}

/** How often each rule was used, by its place in the list. */
export type Uses = Readonly<Record<number, number>>

export type Accepted = { readonly rule: number; readonly choose: string } | { readonly refused: string }

/** A fact that is longer was cut: of what is not seen nothing is accepted. */
const longestAbout = 1000

/**
 * @param begun when the rules began to count
 */
export function acceptedBy(
  rules: readonly AcceptRule[],
  asked: AskedDialog,
  uses: Uses,
  begun: Instant,
  now: Instant,
): Accepted {
  if (asked.isCut) return { refused: 'its screen may not show all that it asks for' }
  for (const [at, rule] of rules.entries()) {
    if (!isMeant(rule, asked)) continue
    if (rule.times !== undefined && (uses[at] ?? 0) >= rule.times) continue
    if (rule.within !== undefined && now > begun + rule.within) continue
    return { rule: at, choose: rule.choose }
  }
  return { refused: 'no rule allows it' }
}

function isMeant(rule: AcceptRule, { agent, for: kind, tool, about, folder }: AskedDialog): boolean {
  if (rule.for !== kind) return false
  if (rule.agent !== undefined && rule.agent !== agent) return false
  if (rule.tool !== undefined && rule.tool !== tool) return false
  if (rule.folder !== undefined && !isWithin(folder, rule.folder)) return false
  if (!rule.pattern) return kind === 'plan' || kind === 'trust'
  return about !== undefined && about.length < longestAbout && rule.pattern.test(about)
}

/** The folder itself, or below it; both are whole paths. */
const isWithin = (folder: string | undefined, wanted: string): boolean =>
  folder !== undefined && `${folder}/`.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)

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
