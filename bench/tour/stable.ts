/** What a command printed, with all that differs from one day to the next replaced: ids, pids, times, and the home. Pure. */

const idsInThePage = ['k3f2a91b', 'j3uty2tt', 'xbajmdl6', 'tzip8t4j', 'b4c81m0d', '9xz1pq7c'] as const

/** An id of a session: eight of these, beginning with a letter or ending with a digit as no word does. */
const id = /(?<![\w/.-])(?=[a-z]*\d|[a-z]{8}\b)[a-z0-9]{8}(?![\w/.-])/g

const rules: readonly (readonly [RegExp, string])[] = [
  [/\bpid \d+/g, 'pid 4711'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '2026-11-24T22:00:00Z'],
  [/\b\d\d:\d\d(?::\d\d)?(?!\d)/g, '22:00'],
  [/\b(?:\d+ (?:h|min) )*\d+(?:\.\d+)? (?:ms|s|min|h)(?![\w/])/g, '2 s'],
  [/\b\d+h\d+m?\b|\b\d+m\d+s?\b/g, '2s'],
]

/** `FOR` stands to the right: what is shorter gets blanks, so that the columns behind it stay where they are. */
const short = /(?<![\w.-])\d+(?:\.\d+)?(?:ms|s|m|h)(?![\w/])/g

/** Makes text stable. @param known the ids of the sessions, in the order in which they began */
export function stable(
  text: string,
  { home, known }: { readonly home: string; readonly known: readonly string[] },
): string {
  const rows = text.replaceAll(home, '~').replace(id, word => {
    const index = known.indexOf(word)
    return index < 0 ? word : (idsInThePage[index] ?? word)
  })
  return rules
    .reduce((changed, [pattern, placeholder]) => changed.replace(pattern, placeholder), rows)
    .replace(short, time => '2s'.padStart(time.length))
    .split('\n')
    .map(row => row.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** How wide a column is depends on times: blanks don't count where two are compared. */
export const squeezed = (text: string): string =>
  text
    .replace(/[ \t]+/g, ' ')
    .replace(/\n+/g, '\n')
    .trim()
