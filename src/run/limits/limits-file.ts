/** The limits that a person has written down: `process.yaml`, or a file that is named. */
import path from 'node:path'
import { sentenceFor } from '../../core/error-sentence.ts'
import { LullError } from '../../core/lull-error.ts'
import { configFolderOf, type Env } from '../../os/file/places.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { readYaml } from '../../os/file/yaml-text.ts'
import { type Limits, readLimits } from './own-limits.ts'

/** Eight fields with their comments. */
const longest = 16 * 1024

export const limitsFile = (env: Env): string => path.join(configFolderOf(env), 'process.yaml')

/**
 * @param isNamed it was asked for: one that is missing is a mistake then
 * @throws {LullError} USAGE with its line and column
 */
export function readLimitsFile(file: string, isNamed: boolean): Limits {
  let text: string
  try {
    text = readPlainText(file, { most: longest })
  } catch (error) {
    if (!isNamed && (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    const sentence = sentenceFor(error, file)
    if (sentence === undefined) throw error
    throw new LullError('USAGE', sentence)
  }
  const yaml = readYaml(text, file, { what: 'it' })
  if ('wrong' in yaml) throw new LullError('USAGE', yaml.wrong)
  const read = readLimits(yaml.value)
  if ('limits' in read) return read.limits
  const [first, ...more] = read.mistakes.map(({ field, sentence }) =>
    field === undefined ? `${file}: ${sentence}` : `${yaml.where([field])}: ${field} ${sentence}`,
  )
  throw new LullError('USAGE', more.length > 0 ? `${first} (and ${more.length} more)` : (first ?? file))
}
