/** What a command printed, with all that differs from one day to the next replaced: ids, pids, times, and the home. Pure. */

const idsInThePage = ['k3f2a91b', 'j3uty2tt', 'xbajmdl6', 'tzip8t4j', 'b4c81m0d', '9xz1pq7c'] as const

/** What may be an id of a session. */
const id = /(?<![\w/.-])[a-z0-9]{8}(?![\w/.-])/g

const rules: readonly (readonly [RegExp, string])[] = [
  [/\bpid \d+/g, 'pid 4711'],
  [/\b\d{4}-\d\d-\d\d\b/g, '2026-11-24'],
  [/\b\d\d:\d\d(?::\d\d)?(?!\d)/g, '22:00'],
  [/\b(?:\d+ (?:h|min) )*\d+(?:\.\d+)? (?:ms|s|min|h)(?![\w/])/g, '2 s'],
  [/\b2 s ago\b/g, 'just now'],
  // Who tells of a turn's end first, and who agrees by then, differs.
  [
    /(Idle, the turn is finished, for 2 s: )the .*? just now(?:, the .*? agrees)?\./g,
    '$1the Stop hook said so just now.',
  ],
  // Codex' title blinks.
  [/\[ [.!] \]/g, '[ ! ]'],
  [/\b\d+h\d+m?\b|\b\d+m\d+s?\b/g, '2s'],
]

/** In a column, what is shorter gets blanks, so that those behind it stay where they are. */
const short = /(?<![\w.-])(\d+(?:\.\d+)?(?:ms|s|m|h))(?![\w/])(?=( {2})?)/g

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
    .replace(short, (time: string, _, column?: string) => '2s'.padEnd(column ? time.length : 0))
    .split('\n')
    .map(row => row.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '')
}

/** How wide a column is depends on times, and so does whether a row goes on below: blanks don't count where two are compared. */
export const squeezed = (text: string): string =>
  text
    .replace(/\n {2}(?=\S)/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n+/g, '\n')
    .trim()
