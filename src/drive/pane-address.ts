/** Which of a tmux server's panes is meant by what follows `tmux:` in an address. */
import { LullError } from '../core/lull-error.ts'
import { type PaneFacts, placeOf } from '../os/tmux/pane-facts.ts'

const grammar = 'after tmux: comes a pane (%3), or name:window.pane, where window and pane may be left out'

/**
 * @param text `%3`, `$1`, `@2`, `name`, `name:window`, `name:window.pane`; nothing for the default pane
 * @param own the pane around this program, which is never meant by default
 * @throws {LullError} NO_PANE, BAD_PANE, AMBIGUOUS_PANE where none or several are meant, with those that there are
 */
export function findByAddress(text: string, panes: readonly PaneFacts[], own?: string): PaneFacts {
  const known = panes.filter((pane, n) => panes.findIndex(({ id }) => id === pane.id) === n)
  if (text === '') return defaultPane(known, own)
  const found = matching(text, panes)
  const ids = new Set(found.map(({ id }) => id))
  const [first] = found
  if (!first) throw new LullError('NO_PANE', `no pane "${text}": ${listed(known)}`)
  if (ids.size > 1)
    throw new LullError('AMBIGUOUS_PANE', `"${text}" means ${ids.size} panes: ${listed(found)}`, {
      candidates: [...ids],
    })
  return first
}

function matching(text: string, panes: readonly PaneFacts[]): readonly PaneFacts[] {
  if (/^%\d+$/.test(text)) return panes.filter(({ id }) => id === text)
  if (/^@\d+$/.test(text)) return panes.filter(pane => pane.window.id === text && pane.isActive)
  if (/^\$\d+$/.test(text)) return panes.filter(pane => pane.session === text && isInFront(pane))
  const [, name, window, index] = /^([^:]+)(?::(?:(.+?)(?:\.(\d+))?)?)?$/s.exec(text) ?? []
  if (name === undefined) throw new LullError('BAD_PANE', `"${text}": ${grammar}`)
  const inSession = panes.filter(({ sessionName }) => sessionName === name)
  if (window === undefined) return inSession.filter(isInFront)
  const inWindow = inSession.filter(pane => pane.window.index === window || pane.window.name === window)
  return inWindow.filter(pane => (index === undefined ? pane.isActive : pane.index === index))
}

/** What a person would see who attaches to the session. */
const isInFront = ({ window, isActive }: PaneFacts): boolean => window.isActive && isActive

/** The only pane besides the own one, or the one in front of the only session besides the own one's. */
function defaultPane(panes: readonly PaneFacts[], own: string | undefined): PaneFacts {
  const others = panes.filter(({ id }) => id !== own)
  const [first] = others
  if (!first) throw new LullError('NO_PANE', 'there is no pane besides this one: start one, or give one')
  if (others.length === 1) return first
  const ownSession = panes.find(({ id }) => id === own)?.session
  const inFront = others.filter(pane => pane.session !== ownSession && isInFront(pane))
  const [front] = inFront
  if (front && inFront.length === 1) return front
  throw new LullError(
    'AMBIGUOUS_PANE',
    `no pane was given, and several could be meant: ${listed(others)}; give one, or set LULL_PANE`,
    { candidates: others.map(({ id }) => id) },
  )
}

/** More would be a page, not a sentence. */
const mostListed = 8

function listed(panes: readonly PaneFacts[]): string {
  if (panes.length === 0) return 'the tmux server has none'
  const entries = panes.slice(0, mostListed).map(pane => `${pane.id} (${placeOf(pane)}, ${pane.command})`)
  const more = panes.length - entries.length
  return `there is ${entries.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
