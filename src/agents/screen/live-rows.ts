/** Which rows above the composer still say something: a row is stale once a later one shows that what it names is over. Pure. */

/** What a program prints when a turn was broken off: `⎿  Interrupted · What next?`, `● Operation cancelled by user`. */
const brokenOff =
  /^(?: {0,2}[^\w\s❯›>↳☐☑☒□◻◼✔✓]\ufe0e? {1,2}| {2,4}(?:⎿ {1,2})?)?(?:\w+ )?(?:interrupted|cancell?ed|aborted)(?: by (?:the )?user)?\s*(?:[.·(—–-].*)?$|^\s*▣ .{1,100} · interrupted$/iu

/** `─ Worked for 1m 03s ─────`, `  Worked for 20s • 22:42`, `✔ Finished in 3s` */
const timed =
  /^ {0,4}[─━═╌]* ?(?:[^\w\s]\ufe0e? )?(?:Worked|Finished|Completed|Done) (?:for|in) <?\d[\d.hms ]*(?:[─━═╌•·].*)?$/u

/** Each message of one thing that ran beside the turn: `● Agent "tests" finished · 10s`. */
const ended =
  /^ ?[●⏺•◆✦]\ufe0e? .{1,200}\b(?:finished|completed|done|failed|stopped)\b(?: · .{1,40}| \(.{1,40}\)| in \d.{0,20})?\.?$/u

/** A tool that runs, beneath its call: nothing else of it shows that. */
export const runningTool =
  /^ {2,6}(?:⎿ {1,2})?(?:\(?ctrl\+b\b.{0,30} to run in (?:the )?background\)?|(?:Running|Waiting|Initializing|In progress)(?:…|\.{3})(?: \(.*\))?)$/u

/** A message, and not the call of another tool. */
const message = /^ ?[●⏺•◆✦]\ufe0e? (?!\S{1,60}\()/u

/** How many things a row waits for. */
const waitedFor = (row: string): number => Number(/\bwaiting for (\d{1,4})\b/iu.exec(row)?.[1] ?? 1)

/**
 * @param turnOver the row that the end of a turn leaves in this CLI
 * @returns the last row that ends a turn, and those below it that nothing below them has ended
 */
export function liveRows(rows: readonly string[], turnOver: RegExp | undefined): readonly string[] {
  const end = rows.findLastIndex(row => turnOver?.test(row) || brokenOff.test(row) || timed.test(row))
  const live: string[] = []
  let [ends, isAnswered] = [0, false]
  for (const row of rows.slice(Math.max(0, end)).toReversed()) {
    const isStale = ends >= waitedFor(row) || (isAnswered && runningTool.test(row))
    if (!isStale) live.unshift(row)
    if (ended.test(row)) ends++
    isAnswered ||= message.test(row)
  }
  return live
}
