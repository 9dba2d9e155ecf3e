/** A file of a person's own that lull does what it says: read where nobody else can have written it. */
import { whoDecides } from '../../../bin/own-folder.js'
import { sentenceFor } from '../../core/error-sentence.ts'
import { readPlainText } from './plain-file.ts'

/**
 * @param most bytes
 * @returns its text, or a sentence that names the file; undefined where there is no such file
 */
export function readOwnText(
  file: string,
  most: number,
): { readonly text: string } | { readonly wrong: string } | undefined {
  const decider = whoDecides(file)
  if (decider === 'missing' || decider === 'anybody') return undefined
  if (typeof decider === 'object')
    return { wrong: `${file} is not read, since ${decider.other}: it must be yours alone` }
  try {
    return { text: readPlainText(file, { most, isOwn: true }) }
  } catch (error) {
    const sentence = sentenceFor(error, file)
    if (sentence === undefined) throw error
    return { wrong: sentence }
  }
}
