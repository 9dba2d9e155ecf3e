/** Errors that the input caused, as a sentence for people. */

import { isLullError, LullError } from './lull-error.ts'
import { refusalOf, whyNot } from './system-refusal.ts'

/** Without the options of `lull send` that a refusal to type names at its end: a plan and a tool have none of them. */
export function withoutOptions(sentence: string): string {
  // What it quotes is a person's.
  const from = sentence.lastIndexOf('"') + 1
  const at = sentence.slice(from).search(/[:;] --(?:clear|append|force) /)
  return at < 0 ? sentence : sentence.slice(0, from + at)
}

/** The sentence for an error that the input caused, or undefined where it is a fault of ours. */
export function sentenceFor(error: unknown, file?: string): string | undefined {
  const where = file === undefined ? '' : `${file}: `
  // These say where by themselves.
  if (isLullError(error, 'USAGE', 'BAD_RALPH', 'NOT_A_FILE')) return error.message
  if (isLullError(error)) return `${where}${error.message}`
  if (!(error instanceof Error)) return undefined
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return `${where || nameIn(error)}no such file`
    case 'EISDIR':
      return `${where || nameIn(error)}is a folder, not a file`
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `${where}named .gz, but it is not whole gzip data`
    case 'ERR_BUFFER_TOO_LARGE':
      return `${where}unpacks to more than 64 MB: unpack it first`
    default: {
      const refusal = refusalOf(error)
      return refusal && `${where || nameIn(error)}${refusal}`
    }
  }
}

/** The file that a call of the system was about; a write knows none. */
const nameIn = (error: Error): string =>
  'path' in error ? `${error.path}: ` : 'syscall' in error ? `${error.syscall}: ` : ''

/**
 * What came of reading a file, as an error that names the file: of usage where another file would be right, else of the
 * machine. A fault of ours stays as it is.
 */
export function usageOf(error: unknown, file?: string): unknown {
  const sentence = sentenceFor(error, file)
  if (sentence === undefined) return error
  return new LullError(isOfMachine(error) ? 'REFUSED_FILE' : 'USAGE', sentence)
}

/** What came of writing a file of lull's own; a fault of ours stays as it is. */
export const notWritten = (error: unknown, file: string): unknown =>
  refusalOf(error) === undefined
    ? error
    : new LullError('REFUSED_FILE', `${file} can't be written: ${whyNot(error)}`)

/** No other command line would help: a full disk, too many open files. */
export const isOfMachine = (error: unknown): boolean =>
  refusalOf(error) !== undefined &&
  !/^(ENOENT|EISDIR|ENOTDIR|EACCES|ELOOP|ENAMETOOLONG)$/.test(String((error as { code?: unknown }).code))
