/** What happened while a person was away, for them. */
import { oneLine, printable } from '../../core/text/printable.ts'
import type { OutcomeAway, SessionAway } from '../../sessions/history/while-away.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import { clockOf, dayOf, shortAge } from './clock-words.ts'
import { type Column, eventRows } from './event-rows.ts'
import { pastWords, saidIn } from './past-line.ts'

/**
 * `since 22:00: 1 waits since 02:14 for a permission (npm publish), 3 finished, 1 died`.
 * @param begin of the history, ms since the epoch; undefined where there is none: then it can't be said that nothing happened
 */
export function awayHeadline(
  away: readonly SessionAway[],
  from: number,
  now: number,
  begin: number | undefined,
): string {
  const when = (at: number): string =>
    `${dayOf(at) === dayOf(now) ? '' : `${dayOf(at)} `}${clockOf(at).slice(0, 5)}`
  const since = `since ${when(from)}`
  if (begin === undefined) return `${since}: no history; a host stores it`
  const counted = outcomes.flatMap(([outcome, words]) => {
    const those = away.filter(one => countedAs(one) === outcome)
    return those.length === 0 ? [] : [`${those.length} ${words(those[0] as SessionAway, those.length)}`]
  })
  const before = begin > from ? `; no history before ${when(begin)}` : ''
  return printable(`${since}: ${counted.join(', ') || 'nothing happened'}${before}`)
}

/** As its row has it: nobody saw whether it was closed or killed, only that it is not there any more. */
const countedAs = ({ outcome, last }: SessionAway): OutcomeAway | 'gone' =>
  outcome === 'died' && last.lost !== undefined ? 'gone' : outcome

const outcomes: readonly (readonly [
  ReturnType<typeof countedAs>,
  (first: SessionAway, count: number) => string,
])[] = [
  [
    'waits',
    (first, count) => (count === 1 ? `waits since ${timeOf(first)}${askedBy(first)}` : 'wait for you'),
  ],
  ['stuck', (first, count) => (count === 1 ? `stuck since ${timeOf(first)}` : 'stuck')],
  ['died', (first, count) => (count === 1 ? `died at ${timeOf(first)}` : 'died')],
  ['gone', () => 'gone'],
  ['failed', () => 'failed'],
  ['limited', () => 'at a limit'],
  ['finished', () => 'finished'],
  ['works', (_, count) => (count === 1 ? 'works' : 'work')],
  ['ended', () => 'ended'],
]

const timeOf = ({ since }: SessionAway): string => clockOf(since).slice(0, 5)

function askedBy({ last }: SessionAway): string {
  const said = saidIn(last)
  return ` for a ${last.for ?? 'person'}${said && ` (${oneLine(said, 60)})`}`
}

export function awayLines(one: SessionAway, home: string, width: number): readonly string[] {
  const { session, agent, cwd, last, finished, failed, limited, waits, waited } = one
  const counts = [
    [finished, 'done'],
    [failed, 'failed'],
    [limited, 'at a limit'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
  if (waits > 0) counts.push(`waited ${waits === 1 ? '' : `${waits} times, `}${shortAge(waited)}`)
  const folder = cwd === undefined ? '' : shortFolder(cwd, home)
  const who = [agent, last.name ?? last.place ?? last.terminal ?? '', folder].filter(Boolean).join(' ')
  const columns: readonly Column[] = [
    [timeOf(one), 0],
    [printable(session.slice(0, 8)), 8],
    [printable(pastWords(last)), 22],
    [oneLine(who, 40), 24],
    [counts.join(', '), 0],
  ]
  return eventRows(columns, oneLine(saidIn(last), 120), width)
}
