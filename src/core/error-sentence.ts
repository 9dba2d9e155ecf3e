/** Errors that the input caused, as a sentence for people. */

import { isLullError, LullError } from './lull-error.ts'
/** The sentence for an error that the input caused, or undefined where it is a fault of ours. */
export function sentenceFor(error: unknown, file?: string): string | undefined {
  const where = file === undefined ? '' : `${file}: `
  // These two say where by themselves.
  if (isLullError(error, 'USAGE', 'BAD_RALPH')) return error.message
  if (isLullError(error)) return `${where}${error.message}`
  if (!(error instanceof Error && 'code' in error)) return undefined
  switch (error.code) {
    case 'ENOENT':
      return `${where}no such file`
    case 'EISDIR':
      return `${where}is a folder, not a file`
    case 'EACCES':
      return `${where}may not be read by this user`
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `${where}named .gz, but it is not whole gzip data`
    case 'ERR_BUFFER_TOO_LARGE':
      return `${where}unpacks to more than 512 MB: unpack it first`
    default:
      return undefined
  }
}

/** What came of reading a file, as an error of usage that names the file; a fault of ours stays as it is. */
export function usageOf(error: unknown, file?: string): unknown {
  const sentence = sentenceFor(error, file)
  return sentence === undefined ? error : new LullError('USAGE', sentence)
}
