/** What a session does now, in as few words as a table has room for: its tool, its question, its error. Not why. */
import { wakesOf } from '../../core/evidence/beside.ts'
import { explainWhy } from '../../core/explain/explain.ts'
import { explainHealth } from '../../core/explain/explain-health.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { Instant, Printable } from '../../core.ts'
import { resetIn } from '../../loop/limit-reset.ts'
import { zoneAt } from '../../loop/time-zone.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { ownWordsOf, reportedEnd, toolWords } from '../../sessions/turn-end.ts'
import { clockOf, dayOf } from './clock-words.ts'

const longest = 200

/** @param epoch ms since the epoch at the machine's monotonic 0 */
export function nowWords(live: LiveSession, now: Instant, epoch: number): Printable {
  const { verdict, facts } = live.session
  const { menu = '' } = facts
  const { note = '' } = live
  const parts = [
    doing(live, now, epoch),
    explainHealth(verdict, now),
    menu && `menu open: ${menu}`,
    live.hooks === 'blind' ? 'hook-blind' : '',
    note,
  ]
  return printable(oneLine(parts.filter(part => part !== '').join(' · '), longest))
}

function doing({ session, note }: LiveSession, now: Instant, epoch: number): string {
  const { verdict, facts } = session
  const { state } = verdict
  const { question = '', error = '', message = '' } = ownWordsOf(session)
  switch (state.kind) {
    case 'starting':
      return ''
    case 'working':
      return working(session)
    case 'waiting':
      return [facts.tool, question || facts.about].filter(Boolean).join(': ')
    case 'idle': {
      if (reportedEnd(session) === 'limit')
        return [limitWords(session, now, epoch), error].filter(Boolean).join(' · ')
      const woken = wakesOf(facts, now).map(({ kind, what = '' }) => [kind, what].filter(Boolean).join(' '))
      const next = woken.length === 0 ? '' : `will be woken: ${woken.slice(0, 3).join(', ')}`
      return [next, error || message].filter(Boolean).join(' · ')
    }
    case 'exited': {
      const code = state.code === undefined ? '' : `code ${state.code}`
      return [state.signal === undefined ? code : `ended by ${state.signal}`, error]
        .filter(Boolean)
        .join(' · ')
    }
    case 'unknown':
      return note === undefined ? explainWhy(verdict, now) : ''
  }
}

function working({ verdict: { state }, facts }: LiveSession['session']): string {
  switch (state.kind === 'working' ? state.doing : undefined) {
    case 'tool':
      return toolWords(facts)
    case 'retrying':
      return facts.error ?? ''
    case 'background':
      return (facts.background ?? [])
        .map(({ kind, what = '' }) => [kind, what].filter(Boolean).join(' '))
        .join(', ')
    default:
      return ''
  }
}

/** `limit until 17:00`, in local time; nothing where nobody said when it ends. */
function limitWords({ verdict, facts }: LiveSession['session'], now: Instant, epoch: number): string {
  const { limit, since } = verdict
  // An error says so from when it came.
  const said = epoch + since
  const left = limit?.until === undefined ? resetIn(facts.error ?? '', said, zoneAt(said)) : undefined
  const until = limit?.until ?? (left === undefined ? undefined : since + left)
  if (until === undefined || until <= now) return ''
  const at = epoch + until
  const day = dayOf(at) === dayOf(epoch + now) ? '' : `${dayOf(at)} `
  return `limit until ${day}${clockOf(at).slice(0, 5)}`
}
