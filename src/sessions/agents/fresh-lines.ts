/** Of a file that is cut, rotated or written anew: the lines that were not read of it before. */
import { createHash } from 'node:crypto'

/** More lines than a megabyte of any agent's log holds, which is what is read of a file that stands there anew. */
const mostLines = 8192

export function freshLines(): (lines: readonly string[], isAnew: boolean) => readonly string[] {
  const seen = new Set<string>()
  return (lines, isAnew) =>
    lines.filter(line => {
      const digest = createHash('sha1').update(line).digest('base64')
      const isFresh = !seen.delete(digest)
      seen.add(digest)
      if (seen.size > mostLines) seen.delete(seen.values().next().value as string)
      return isFresh || !isAnew
    })
}
