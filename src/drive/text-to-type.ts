/** The text that is to be typed, from a file. */
import { readPlain, readStdin } from '../os/file/plain-file.ts'

/**
 * @param file `-` for standard input
 * @throws {LullError} NOT_A_FILE where it is none, or larger than 16 MB
 */
export const readTextToType = (file: string): Buffer =>
  file === '-' ? readStdin('standard input') : readPlain(file)
