/** The rules of notifications, and the schema of notify.yaml with the message for each mistake. Pure. */

import { z } from 'zod'
import { waits } from '../../core/explain/explain.ts'
import type { WaitingFor } from '../../core/state.ts'
import { durationField, must, textField } from '../../os/file/yaml-fields.ts'
import { type Destination, destinationFields, oneOf, type TransitionsHook } from './destination-fields.ts'

/** What is worth a notification. `done`: a turn is over, and nobody has looked. */
export const occasionKinds = ['waiting', 'stuck', 'failed', 'limited', 'done', 'exited'] as const

export type OccasionKind = (typeof occasionKinds)[number]

/** What is left out of it means any. */
export type NotifyRule = {
  readonly when: readonly OccasionKind[]
  readonly for?: readonly WaitingFor[]
  readonly agents?: readonly string[]
  /** Absolute; what is below counts too. */
  readonly folders?: readonly string[]
  /** How long it must have held. */
  readonly after: number
  /** How long the turn that is over must have lasted; where not given, it matters of what is done alone: a minute. */
  readonly lasted?: number
  /** Names of destinations. */
  readonly to: readonly string[]
  /** Quiet hours do not hold it back. */
  readonly isUrgent: boolean
}

/** Minutes since midnight, local time; over midnight where it ends before it begins. */
export type QuietHours = { readonly from: number; readonly to: number }

/** No destination gets more than so many messages in such a time: what is more comes as one. */
export type DigestRule = { readonly moreThan: number; readonly within: number }

export type NotifyRules = {
  readonly destinations: Readonly<Record<string, Destination>>
  /** Those that get every transition, whatever the rules are. */
  readonly transitions: Readonly<Record<string, TransitionsHook>>
  readonly rules: readonly NotifyRule[]
  readonly quiet?: QuietHours
  readonly digest: DigestRule
}

/** Some notices go to the open pages of `lull serve`. */
export const sendsToPages = ({ destinations, rules }: NotifyRules): boolean =>
  rules.some(({ to }) => to.some(name => destinations[name]?.by === 'page'))

/** Who answers at once, at the terminal, needs no word: docs/notify.md#the-file has why each is as long as it is. */
export const usualAfter = 10_000
export const usualLasted = 60_000
export const usualDigest: DigestRule = { moreThan: 5, within: 30_000 }

/** The rules of a file without any: sessions that wait, are stuck or have failed; and long work that is done. */
export const usualRules = (to: readonly string[]): readonly NotifyRule[] => [
  { when: ['waiting', 'stuck', 'failed', 'limited', 'done'], after: usualAfter, to, isUrgent: false },
]

const duration = durationField(0)

const oneOrMore = <T extends z.ZodType>(one: T, be: string) =>
  z.union([one.transform(value => [value]), z.array(one).min(1, `must be ${be}`)], must(be))

const waitingNames = Object.keys(waits) as WaitingFor[]

const ruleFields = z
  .strictObject(
    {
      when: oneOrMore(oneOf(occasionKinds), `one of ${occasionKinds.join(', ')}, or a list of them`).describe(
        'what a session does',
      ),
      for: oneOrMore(
        oneOf(waitingNames as [WaitingFor, ...WaitingFor[]]),
        `one of ${waitingNames.join(', ')}, or a list of them`,
      )
        .optional()
        .describe('what it waits for; anything where not given'),
      after: duration.optional().describe('how long it must have held; 10s'),
      lasted: duration.optional().describe('how long the turn must have lasted that is over; 1m'),
      folder: oneOrMore(textField, 'a folder, or a list of folders')
        .optional()
        .describe('where it works, or above that; ~/work'),
      agent: oneOrMore(textField, 'a name, or a list of names')
        .optional()
        .describe('its name, as lull ps shows it'),
      to: oneOrMore(textField, 'the name of a destination, or a list of them')
        .optional()
        .describe('destinations; all where not given'),
      urgent: z.boolean(must('true or false')).optional().describe('in quiet hours too'),
    },
    must('a mapping, like {when: waiting, after: 30s, to: phone}'),
  )
  .superRefine(({ when, for: kinds, lasted }, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', message, path: [field] })
    if (kinds !== undefined && !when.includes('waiting')) issue('for', 'is of when: waiting')
    if (lasted !== undefined && !when.some(kind => ['done', 'failed', 'limited'].includes(kind)))
      issue('lasted', 'is of when: done, failed or limited')
  })

const aTime = 'a time of the day, like "22:00"'
const timeOfDay = z
  .string(must(aTime))
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, `must be ${aTime}`)
  .transform(value => {
    const [hours = 0, minutes = 0] = value.split(':').map(Number)
    return hours * 60 + minutes
  })

/** More at once is no longer a message but a flood. */
const mostMessages = 100

export const notifyFields = z.strictObject(
  {
    to: z
      .record(z.string().regex(/^[\w-]{1,40}$/), destinationFields, {
        error: ({ code, input }: { readonly code?: string; readonly input?: unknown }) =>
          code === 'invalid_key'
            ? 'must be letters, digits, - and _, at most 40 of them'
            : `${input === undefined ? 'is missing: it names' : 'must name'} destinations, like {desk: {desktop: true}}`,
      })
      .refine(destinations => Object.keys(destinations).length > 0, 'must name a destination')
      .describe('destinations, under names of your own'),
    rules: z
      .array(ruleFields, must('a list of rules'))
      .optional()
      .describe('of what; where not given: waiting, stuck, failed and limited, and done after a turn of 1m'),
    quiet: z
      .strictObject(
        { from: timeOfDay, to: timeOfDay },
        must('a mapping of from and to, like {from: "22:00", to: "07:00"}'),
      )
      .refine(({ from, to }) => from !== to, 'must begin and end at different times')
      .optional()
      .describe('held back until they end, and sent as one; not what is urgent'),
    digest: z
      .strictObject(
        {
          more_than: z
            .int(must('a whole number'))
            .min(1, 'must be 1 or more')
            .max(mostMessages, `must be ${mostMessages} or less`)
            .default(usualDigest.moreThan),
          within: duration.default(usualDigest.within),
        },
        must('a mapping of more_than and within'),
      )
      .optional()
      .describe('what is more than 5 messages to one destination within 30s comes as one'),
  },
  must('a mapping, like to: {desk: {desktop: true}}'),
)

export type NotifyFields = z.output<typeof notifyFields>

/** The schema as published (`docs/notify.schema.json`), for editors. */
export const notifySchema = (): object => ({
  ...z.toJSONSchema(notifyFields, { io: 'input' }),
  title: 'Notifications when a session needs a person: notify.yaml of lull',
})
