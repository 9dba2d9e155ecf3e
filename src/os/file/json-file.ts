/** Small files of JSON that belong to this user, each read and written whole. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { attempt } from '../attempt.ts'
import { hasOwnFolder } from './places.ts'

/** The object that a file holds; an empty one where there is none that can be read, or where others could have put it. */
export function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  const own = () => (hasOwnFolder(path.dirname(file)) ? readFileSync(file, 'utf8') : '')
  const read = parseJson(attempt(own) ?? '')
  return isRecord(read) ? read : {}
}

/**
 * Puts an object in a file's place at once: a reader sees the old one or the new one, never a part.
 * @param indent blanks a level, for files that people look into; all in one line where not given
 * @throws where it can't be written; the old one stands then
 */
export function writeJsonFile(file: string, value: object, indent?: number): void {
  const whole = `${file}.${process.pid}`
  try {
    writeFileSync(whole, `${JSON.stringify(value, undefined, indent)}\n`, { mode: 0o600 })
    renameSync(whole, file)
  } catch (error) {
    rmSync(whole, { force: true })
    throw error
  }
}
