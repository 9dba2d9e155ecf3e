/**
 * Rows that count work beside or after a turn, of any noun: `2/3 agents done`, `1 background terminal running`, `2 shells`. A
 * model's text and a person's status line hold such words too: only what stands among the program's own words is sure. Pure.
 */

const running = /^[1-9]\d{0,3} (?:[\w-]{1,30} ){1,5}running$/u
const progress = /^(\d{1,4})(?: ?\/ ?| of )(\d{1,4}) (?:[\w-]{1,30} ){0,4}(?:done|finished|completed?)$/u
const several = /^[1-9]\d{0,3} (?:[\w-]{1,30} ){0,4}[\w-]{1,30}$/u

/** What goes on beside a turn, as far as it is named without a word that says that it runs. */
const worker =
  /\b(?:shell|bash|terminal|agent|subagent|teammate|task|job|monitor|workflow|process|command|server)(?:e?s)?$/i

/** The mode, a key and what it does, a command. */
const ownWord = /^[⏵⏸▶]|\bshift ?\+ ?tab\b|^(?:\/\w+|[↓↑←→?]|esc|ctrl[+-]\w|enter|tab) (?:to|for)\b/iu
/** How to reach what runs. */
const reach = /^(?:[↓↑]|\/\w+) to (?:manage|view|see|stop)\b/u
/** `7m48s`, `↓ 97.7k tokens` */
const measure = /^\d[\d.hms ]*$|^[↓↑] ?[\d.]+k? tokens$/u

/** The words of a row between dots and wide gaps, without the sign before them. */
const wordsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^[^\w\s⏵⏸▶↓↑←→?/(]\ufe0e? /u, '')
    .split(/ [·•|│] | {3,}/u)
    .map(text => text.trim())

function isRunning(text: string): boolean {
  if (running.test(text)) return true
  const [, done, all] = progress.exec(text) ?? []
  return Number(done) < Number(all)
}

/** What comes next names the way to it, or the noun says so. */
const isNamed = (text: string, next: string | undefined): boolean =>
  several.test(text) && (worker.test(text) || (next !== undefined && reach.test(next)))

type Counted = 'sure' | 'perhaps'

/** @returns undefined: nothing is counted, or none of it */
function countedBelow(row: string): Counted | undefined {
  const words = wordsOf(row)
  const isCount = (text: string, at: number) => isRunning(text) || isNamed(text, words[at + 1])
  if (!words.some(isCount)) return undefined
  const isOwn =
    words.some(text => ownWord.test(text)) ||
    words.every((text, at) => isCount(text, at) || measure.test(text))
  return isOwn ? 'sure' : 'perhaps'
}

/** A message, an item of a list, or the output of a tool begins so. */
const written = /^\s*[●⏺•◆✦■*+⎿└├-] /u
const signed = /^ {0,6}[^\w\s"'`|│>❯›(/]\ufe0e? /u

function countedAbove(row: string): Counted | undefined {
  const words = wordsOf(row)
  const isSigned = signed.test(row) && !written.test(row)
  // A turn's end names what goes on after it.
  const at = words.findIndex(isRunning)
  if (at < 0) return undefined
  if (
    isSigned ||
    (at === 0 && words.slice(1).some(text => ownWord.test(text) || reach.test(text) || measure.test(text)))
  )
    return 'sure'
  return words.length === 1 ? 'perhaps' : undefined
}

/** Above the composer; a model's text may look alike where it is not `sure`. */
export const countsAbove = { test: (row: string): boolean => countedAbove(row) === 'sure' }
/** Below the composer. */
export const countsBelow = { test: (row: string): boolean => countedBelow(row) === 'sure' }
export const perhapsCountsAbove = { test: (row: string): boolean => countedAbove(row) === 'perhaps' }
export const perhapsCountsBelow = { test: (row: string): boolean => countedBelow(row) === 'perhaps' }

/** `✻ Waiting for 2 dynamic workflows to finish`: after a sign that no message begins with. */
export const waitsForOthers =
  /^ {0,2}(?![●⏺•◆✦■*+-])[^\w\s"'`|│>❯›(/]\ufe0e? Waiting for [1-9]\d{0,3}(?: [\w-]{1,30}){1,6}(?:…|\.{3})?(?: ·.*| \(.*)?$/u
