/** Small files of JSON that belong to this user, each read and written whole. */
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { notWritten } from '../../core/error-sentence.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { attempt } from '../attempt.ts'
import { signalled } from '../proc/alive.ts'
import { waitForLock } from './lock.ts'
import { hasOwnFolder, makeOwnFolder } from './places.ts'
import { readPlainText } from './plain-file.ts'

/** A change takes a millisecond: with so many others before it something is wrong. */
const patienceMs = 30_000

/** The object that a file holds; an empty one where there is none that can be read, or where others could have put it. */
export function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  const own = () => (hasOwnFolder(path.dirname(file)) ? readPlainText(file) : '')
  const read = parseJson(attempt(own) ?? '')
  return isRecord(read) ? read : {}
}

/**
 * The same of a file that holds what a person wrote: it is empty only where there is none, or nothing in it.
 * @throws {LullError} BAD_PLACE as above, REFUSED_FILE where the file can't be read, or holds no object
 */
export function readPreciousJson(file: string): Readonly<Record<string, unknown>> {
  const text = hasOwnFolder(path.dirname(file)) ? textOf(file).trim() : ''
  const read = text === '' ? {} : parseJson(text)
  if (isRecord(read)) return read
  throw new LullError('REFUSED_FILE', `${file} can't be read: it is no JSON object`)
}

function textOf(file: string): string {
  try {
    // A link that leads nowhere is there as well.
    return lstatSync(file, { throwIfNoEntry: false }) ? readPlainText(file) : ''
  } catch (error) {
    const sentence = isLullError(error) ? error.message : `${file} can't be read: ${whyNot(error)}`
    throw new LullError('REFUSED_FILE', sentence)
  }
}

/**
 * Changes such a file; others who change it at the same moment wait for each other, so that nothing of theirs is lost.
 * @param change called with what the file holds by then
 * @param how `indent` as below; `read`: one that throws leaves the file as it is
 * @throws {LullError} REFUSED_FILE as below, LOCKED, BAD_PLACE where the folder is, or could become, another user's
 */
export async function changeJsonFile(
  file: string,
  change: (before: Readonly<Record<string, unknown>>) => object,
  { indent, read = readJsonFile }: { readonly indent?: number; readonly read?: typeof readJsonFile } = {},
): Promise<void> {
  makeOwnFolder(path.dirname(file))
  const lock = await waitForLock(`${file}.lock`, patienceMs)
  try {
    writeJsonFile(file, change(read(file)), indent)
  } finally {
    lock.release()
  }
}

/**
 * Puts an object in a file's place at once: a reader sees the old one or the new one, never a part.
 * @param indent blanks a level, for files that people look into; all in one line where not given
 * @throws {LullError} REFUSED_FILE where it can't be written; the old file stays
 */
export function writeJsonFile(file: string, value: object, indent?: number): void {
  removeLeft(path.dirname(file))
  const whole = `${file}.${process.pid}`
  try {
    writeFileSync(whole, `${JSON.stringify(value, undefined, indent)}\n`, { mode: 0o600 })
    renameSync(whole, file)
  } catch (error) {
    rmSync(whole, { force: true })
    throw notWritten(error, file)
  }
}

/** A write takes a millisecond. The writer may live although its pid is nobody's here: in another container. ms */
const leftAfterMs = 60_000

const lookedThrough = new Set<string>()

/** Removes what writers that were killed have left beside the files of a folder. Once a folder: it gets one more with each kill. */
function removeLeft(folder: string): void {
  if (lookedThrough.has(folder)) return
  lookedThrough.add(folder)
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const pid = Number(/\.(?:json|ended)\.(\d+)$/.exec(name)?.[1] ?? 0)
    const left = path.join(folder, name)
    if (pid > 0 && signalled(pid) === 'gone') attempt(() => isOld(left) && rmSync(left))
  }
}

const isOld = (file: string): boolean => Date.now() - lstatSync(file).mtimeMs > leftAfterMs
