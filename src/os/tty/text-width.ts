/** How many cells a text takes on a terminal. */
import { createRequire } from 'node:module'
import { isNarrow } from '../../core/text/character-width.ts'

const require = createRequire(import.meta.url)
let measure: typeof import('string-width').default | undefined

/** The package that knows of emoji takes 25 ms to load: it is, once a text has more than narrow characters. */
export function textWidth(text: string): number {
  if (isNarrow(text)) return text.length
  measure ??= (require('string-width') as typeof import('string-width')).default
  return measure(text)
}
