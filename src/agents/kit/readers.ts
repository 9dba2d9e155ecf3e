/** Makes readers that get validated fields only: nothing else of an input reaches them. */
import type { z } from 'zod'
import { type HookInput, type Memory, type Moment, type Reader, type Reading, refuse } from './agent.ts'
import { check, checkRow } from './fields.ts'

/** A reader of hooks, for payloads of these fields. */
export const hookReader =
  <T>(
    fields: z.ZodType<T>,
    readEvent: (event: string, payload: T, moment: Moment, memory: Memory) => Reading,
    kind: 'hook' | 'event' = 'hook',
  ): Reader<HookInput> =>
  ({ event, payload }, moment, memory) => {
    const checked = check(fields, payload ?? {}, `${kind} ${event}`)
    return checked.ok ? readEvent(event, checked.value, moment, memory) : refuse(checked.reason)
  }

/** A reader of a headless run's rows, for rows of these fields. */
export const rowReader =
  <T>(
    fields: z.ZodType<T>,
    readFields: (row: T, moment: Moment, memory: Memory) => Reading,
  ): Reader<string> =>
  (line, moment, memory) => {
    const checked = checkRow(fields, line, 'row')
    return checked.ok ? readFields(checked.value, moment, memory) : refuse(checked.reason)
  }
