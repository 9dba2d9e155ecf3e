/** What read JSON is to look like before it is believed: who wrote it may be of another version. Fields that are not known are passed over. */
import { isRecord } from './trace/trace.ts'

export type JsonShape = (value: unknown) => boolean

export const text: JsonShape = value => typeof value === 'string'
export const whole: JsonShape = value => Number.isSafeInteger(value)
export const number: JsonShape = value => typeof value === 'number'
export const flag: JsonShape = value => typeof value === 'boolean'
export const optional =
  (shape: JsonShape): JsonShape =>
  value =>
    value === undefined || shape(value)
export const list =
  (shape: JsonShape): JsonShape =>
  value =>
    Array.isArray(value) && value.every(shape)
export const table =
  (shape: JsonShape): JsonShape =>
  value =>
    isRecord(value) && Object.values(value).every(shape)
export const fields =
  (shapes: Readonly<Record<string, JsonShape>>): JsonShape =>
  value =>
    isRecord(value) && Object.entries(shapes).every(([name, shape]) => shape(value[name]))
