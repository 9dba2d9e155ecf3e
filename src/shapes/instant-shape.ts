/** Instants in the schemas of what is sent: ms of the monotonic clock here, ISO time where they leave a process (`wire-instants.ts`). */
import { z } from 'zod'
import type { Instant } from '../core/state.ts'

/**
 * A schema of instants, and no other: the compiler refuses any other number in the place of an instant. As an interface it
 * keeps its name in the published declarations, which can’t write its key.
 */
export interface InstantSchema<T = Instant> extends z.ZodType<T> {
  readonly [isInstant]: true
}
declare const isInstant: unique symbol

const marked = z.number().meta({ instant: true })

export const instant = marked as unknown as InstantSchema
export const maybeInstant = marked.optional() as unknown as InstantSchema<Instant | undefined>
export const someInstant = marked.exactOptional() as z.ZodExactOptional<z.ZodNumber> &
  InstantSchema<Instant | undefined>
