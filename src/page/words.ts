/** Words and numbers as the page shows them. Pure. */

import { stateWords } from '../core/explain/need.ts'
import type { Health, State } from '../core/state.ts'
import { parseIso } from '../core/trace/time-stamp.ts'
import type { ThinRow } from './types.ts'

/** The words of `lull ps`. */
export const wordsOf = (
  row: Pick<ThinRow, 'state' | 'for' | 'doing' | 'after' | 'health' | 'need'>,
): string => stateWords(stateIn(row), row.health as Health['level'], row.need)

function stateIn({
  state: kind,
  for: reason,
  doing,
  after,
}: Pick<ThinRow, 'state' | 'for' | 'doing' | 'after'>) {
  return { kind, for: reason, doing, after } as unknown as State
}

/** What it does or asks, in a line. */
export function topicOf({ state, question, tool, about, message, error, prompt, note }: ThinRow): string {
  const work = [tool, about].filter(Boolean).join(': ')
  if (state === 'waiting') return visibly([tool, question || about].filter(Boolean).join(': '))
  if (state === 'working') return visibly(work || prompt || '')
  return visibly(error || message || note || prompt || '')
}

export const nameOf = ({ agent, name, terminal, title, window }: ThinRow): string =>
  visibly([agent, name ?? terminal ?? title ?? window].filter(Boolean).join(' · '))

/** The last two parts of a folder. */
export const folderOf = (cwd?: string): string =>
  cwd === undefined ? '' : visibly(cwd.split('/').slice(-2).join('/') || '/')

/** `box1:~/api`: a folder of this machine stands alone. */
export const placeOf = ({ host }: Pick<ThinRow, 'host'>, folder?: string): string =>
  visibly([host, folder].filter(Boolean).join(':'))

/** Not of a session, but of a box that can't be asked. */
export const isBoxId = (id: string): boolean => id.startsWith('@')

/** How long it has been so; `>3m` where it was so already when it was first looked at, as `lull ps` has it. */
export const ageOf = ({ since, sinceLook }: Pick<ThinRow, 'since' | 'sinceLook'>, now: number): string =>
  `${sinceLook ? '>' : ''}${shortAge(now - (parseIso(since) ?? now))}`

/** `12s`, `3m`, `2h5m`, `3d`. */
export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours}h${minutes % 60}m` : `${hours}h`
  return `${Math.floor(hours / 24)}d`
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Not seen, or turns the line around. What picks the form of a sign before it is seen there. */
const unseen =
  /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]|\u2800|(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu
/** No script stacks more marks on a letter: they would cover the lines around it. */
const stacked = /(?<=\p{M}{4})\p{M}/gu

/** Shows a character by its number if it is invisible, changes the direction of the line or covers others. */
export const visibly = (text: string): string => text.replace(stacked, spelt).replace(unseen, spelt)

const spelt = (char: string): string =>
  `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/** Of a past state: as `lull history` has it. */
export function pastWords(past: Readonly<Record<string, unknown>>): string {
  const detail = past.for ?? past.doing ?? past.after
  return detail === undefined ? String(past.state) : `${past.state}/${detail}`
}

/** The address of a session’s view. */
export const hashOf = (id: string): string => `#/s/${encodeURIComponent(id)}`
