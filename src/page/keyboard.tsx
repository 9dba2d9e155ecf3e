/** j and k go through the rows, Enter opens one, a opens the first that asks, / searches, ? shows the keys. */
import { signal } from '@preact/signals'
import { compareUrgency } from '../core/explain/need.ts'
import { ids, sessions } from './host/link.ts'
import { chosen, listed } from './list/now.tsx'
import { hashOf } from './words.ts'

export const isHelpShown = signal(false)

const keys: readonly (readonly [string, string])[] = [
  ['j, k', 'next row, previous row'],
  ['Enter', 'open it'],
  ['a', 'open the session that has waited longest'],
  ['Space, ←, →', 'in a replay: play or pause, 5 s back, 5 s on'],
  ['p, n', 'in a replay: previous state, next state'],
  ['Esc', 'back to all sessions'],
  ['/', 'search'],
  ['?', 'show or hide this'],
]

export function Help() {
  if (!isHelpShown.value) return null
  return (
    <dialog open class="key-list" aria-label="Keys">
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">On a phone, swipe right to open a session, left to mark it as seen.</p>
      <button
        type="button"
        onClick={() => {
          isHelpShown.value = false
        }}
      >
        Close
      </button>
    </dialog>
  )
}

const isInField = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [data-types]')

export function keyPressed(event: KeyboardEvent): void {
  // A key that is held presses a button once.
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
    event.preventDefault()
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isInField(event)) return
  if (!Object.hasOwn(meanings, event.key)) return
  if (meanings[event.key]?.()) event.preventDefault()
}

const move = (by: number) => (): boolean => {
  const all = listed.value.map(({ row }) => row.peek().id)
  const at = all.indexOf(chosen.value ?? '')
  const next = all[Math.max(0, Math.min(all.length - 1, at + by))]
  if (next === undefined || !isAtList()) return false
  chosen.value = next
  const link = [...document.querySelectorAll<HTMLElement>('.row')].find(({ dataset }) => dataset.id === next)
  link?.querySelector('a')?.focus()
  return true
}
const isAtList = (): boolean => /^#?\/?$/.test(location.hash)

const meanings: Readonly<Record<string, () => boolean>> = {
  j: move(1),
  k: move(-1),
  a() {
    const asking = ids.value.flatMap(id => {
      const row = sessions.get(id)?.row.value
      return row?.need === 'answer' ? [row] : []
    })
    const [first] = asking.sort(compareUrgency)
    if (first) location.hash = hashOf(first.id)
    return first !== undefined
  },
  Escape() {
    if (isHelpShown.value) isHelpShown.value = false
    else location.hash = '#/'
    return true
  },
  '/'() {
    document.getElementById('search')?.focus()
    return true
  },
  '?'() {
    isHelpShown.value = !isHelpShown.value
    return true
  },
}
