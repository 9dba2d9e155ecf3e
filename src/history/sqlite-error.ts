/** Errors of SQLite in plain words: the one table of its result codes (sqlite.org/rescode.html). */
import { LullError } from '../core/lull-error.ts'
import { refusalOf, whyNot } from '../core/system-refusal.ts'

const [busy, locked, corrupt, notDatabase] = [5, 6, 11, 26]

/** The shared memory of a store can't grow, or can't be made: an error of its disk to SQLite, a full one in fact. */
const SQLITE_IOERR_SHMSIZE = 4874

/** A code as the equal system error, which has a text in `system-refusal.ts`. */
const refusals: Readonly<Record<number, string>> = {
  3: 'EACCES',
  7: 'ENOMEM',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
  22: 'ENOSYS',
}

/** With all of its bits; undefined for an error that is not SQLite's. */
function codeOf(error: unknown): number | undefined {
  const isSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return isSqlite && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
}

/** The low eight bits are the kind of the error. */
const kindOf = (error: unknown): number => (codeOf(error) ?? 0) & 0xff

/** The file is no store of SQLite, or not whole. */
export const isDamage = (error: unknown): boolean => [corrupt, notDatabase].includes(kindOf(error))

/** Another process is at it. */
const isBusy = (error: unknown): boolean => [busy, locked].includes(kindOf(error))

/** It can't be opened for reading, since that takes files beside it that can't be made there. */
export const isUnopenable = (error: unknown): boolean => [8, 10, 14].includes(kindOf(error))

/** What came of writing into a store, or of reading it, as an error that names its file; a fault of ours stays as it is. */
export function refusedStore(error: unknown, file: string, act: 'read' | 'written' = 'written'): unknown {
  const code = codeOf(error)
  if (code === undefined) return refused(error, file, act)
  if (isBusy(error))
    return new LullError('REFUSED_FILE', `${file} is in use: another process does not let go of it`)
  if (isDamage(error)) return new LullError('BAD_HISTORY', `${file} is damaged: ${(error as Error).message}`)
  const refusal = code === SQLITE_IOERR_SHMSIZE ? 'ENOSPC' : refusals[kindOf(error)]
  return refusal === undefined
    ? error
    : refused(Object.assign(new Error((error as Error).message), { code: refusal }), file, act)
}

const refused = (error: unknown, file: string, act: 'read' | 'written'): unknown =>
  refusalOf(error) === undefined
    ? error
    : new LullError('REFUSED_FILE', `${file} can't be ${act}: ${whyNot(error)}`)
