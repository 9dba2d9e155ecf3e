/** What read JSON is to look like before it is believed: who wrote it may be of another version. Fields that are not known are passed over. */
import { isRecord } from './trace/trace.ts'

export type Shape = (value: unknown) => boolean

export const text: Shape = value => typeof value === 'string'
export const whole: Shape = value => Number.isSafeInteger(value)
export const number: Shape = value => typeof value === 'number'
export const flag: Shape = value => typeof value === 'boolean'
export const optional =
  (shape: Shape): Shape =>
  value =>
    value === undefined || shape(value)
export const list =
  (shape: Shape): Shape =>
  value =>
    Array.isArray(value) && value.every(shape)
export const table =
  (shape: Shape): Shape =>
  value =>
    isRecord(value) && Object.values(value).every(shape)
export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  value =>
    isRecord(value) && Object.entries(shapes).every(([name, shape]) => shape(value[name]))
