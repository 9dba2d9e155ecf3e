/** How many sessions wait, failed, are done or work, in a few words for a status line. Pure. */
import { needOf, nextToGo } from '../../sessions/rank.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { endOfTurn } from '../../sessions/turn-end.ts'

/** As they stand in the line, who needs a person first. */
const counted = ['wait', 'stuck', 'failed', 'done', 'work'] as const
type Counted = (typeof counted)[number]

export type SessionTally = Readonly<Record<Counted, number>> & {
  /** Whom `lull go` means first. */
  readonly first?: string
}

/** Another user's sessions are that user's. */
export function tallyOf(sessions: readonly LiveSession[]): SessionTally {
  const own = sessions.filter(({ owner }) => owner === undefined)
  const count: Record<Counted, number> = { wait: 0, stuck: 0, failed: 0, done: 0, work: 0 }
  for (const live of own) {
    const as = countedAs(live)
    if (as !== undefined) count[as]++
  }
  const next = nextToGo(own, undefined)
  const first = next && nameIn(next)
  return { ...count, ...(first ? { first } : {}) }
}

/** Undefined where nobody has to know of it. */
function countedAs(live: LiveSession): Counted | undefined {
  switch (needOf(live)) {
    case 'answer':
      return 'wait'
    case 'help':
      return 'stuck'
    case 'look': {
      const end = endOfTurn(live.session)
      return end === 'error' || end === 'limit' ? 'failed' : 'done'
    }
    case 'nothing':
      return 'work'
    default:
      return undefined
  }
}

const longestName = 16

/**
 * What it is called, by letters, digits and what joins them. To tmux a `#` begins a command to run (`#(…)`) or a style, and `%` a
 * time: none of a folder's or a person's words gets there.
 */
export function nameIn({ name, terminal, cwd, agent }: LiveSession): string {
  const called = name ?? terminal ?? cwd?.split('/').findLast(part => part !== '') ?? agent
  const safe = called
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._:@+ -]/gu, '')
    .trim()
  return [...safe].slice(0, longestName).join('')
}

/** For tmux: its words for colours. They end with what they began, so that the style around them goes on. */
const colours: Readonly<Record<Counted, string>> = {
  wait: 'yellow',
  stuck: 'magenta',
  failed: 'red',
  done: 'green',
  work: 'default',
}

/** `2 wait (api) · 1 failed · 3 work`; empty where there is nothing to say. */
export function segmentText({ first, ...count }: SessionTally, isStyled: boolean): string {
  const parts = counted.filter(one => count[one] > 0)
  return parts
    .map((one, at) => {
      const who = at === 0 && one !== 'work' && first !== undefined ? ` (${first})` : ''
      const text = `${count[one]} ${one}${who}`
      return isStyled && one !== 'work' ? `#[fg=${colours[one]}]${text}#[fg=default]` : text
    })
    .join(' · ')
}
