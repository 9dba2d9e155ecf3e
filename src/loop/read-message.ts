/** What `lull loop-state` is given: a final message on stdin, and the file that its loop is told by. */
import { sentenceFor } from '../core/error-sentence.ts'
import { LullError } from '../core/lull-error.ts'
import { readPlainText, readStdin } from '../os/file/plain-file.ts'

/** @throws {LullError} USAGE where it can't be read */
export const readMessage = (): string => readOrTell('stdin', name => readStdin(name).toString('utf8'))

/** @throws {LullError} USAGE where it can't be read */
export const readPrompt = (file: string): string => readOrTell(file, readPlainText)

function readOrTell(file: string, read: (file: string) => string): string {
  try {
    return read(file)
  } catch (error) {
    throw new LullError('USAGE', sentenceFor(error, file) ?? `${file}: ${(error as Error).message}`)
  }
}
