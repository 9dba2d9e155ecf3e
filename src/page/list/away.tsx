/** What happened while nobody looked at this page: the first thing that its reader sees then. */
import { signal } from '@preact/signals'
import { read } from '../host/ask.ts'
import { hostNow, link } from '../host/link.ts'
import type { Away } from '../types.ts'
import { counted, folderOf, hashOf, shortAge, visibly } from '../words.ts'

/** A shorter absence is none. ms */
const leastMs = 10 * 60_000
const noteMs = 15_000
const place = 'lull.looked-at'

const away = signal<{ readonly since: number; readonly entries: readonly Away[] } | undefined>(undefined)

/** Notes when somebody looked last, and asks what happened since then after an absence. */
export function markPresence(): void {
  const note = (): void => {
    if (document.visibilityState !== 'visible' || link.value !== 'live') return
    const since = Number(localStorage.getItem(place) ?? Number.NaN)
    const now = hostNow()
    if (now - since > leastMs) void ask(since)
    localStorage.setItem(place, String(Math.round(now)))
  }
  setInterval(note, noteMs)
  document.addEventListener('visibilitychange', () => setTimeout(note, 1500))
  setTimeout(note, 1500)
}

async function ask(since: number): Promise<void> {
  const time = encodeURIComponent(new Date(since).toISOString())
  const answer = await read<{ entries: readonly Away[] }>(`/v1/since?time=${time}`).catch(() => undefined)
  if (answer) away.value = { since, entries: answer.entries }
}

/** `2 waits, 1 finished`: what became of how many. */
function countsOf(entries: readonly Away[]): string {
  const counts = Object.entries(Object.groupBy(entries, ({ outcome }) => outcome))
  return counts.map(([outcome, all]) => `${all?.length ?? 0} ${outcome}`).join(', ')
}

export function AwayPanel() {
  const loaded = away.value
  if (!loaded) return null
  return (
    <section class="away" aria-label="While you were away">
      <h2>While you were away ({shortAge(hostNow() - loaded.since)})</h2>
      {loaded.entries.length === 0 ? <p class="quiet">Nothing happened.</p> : null}
      <details>
        <summary>{countsOf(loaded.entries)}</summary>
        <ul>
          {loaded.entries
            .slice(0, 100)
            .map(({ id, agent, name, terminal, cwd, outcome, finished, failed, waits, waited }) => (
              <li key={id}>
                <a href={hashOf(id)}>
                  <strong>{outcome}</strong>{' '}
                  {visibly([agent, name ?? terminal, folderOf(cwd)].filter(Boolean).join(' · '))}
                </a>
                <span class="quiet">
                  {' '}
                  {[
                    finished > 0 ? `${counted(finished, 'turn')} finished` : '',
                    failed > 0 ? `${failed} failed` : '',
                    waits > 0 ? `asked ${counted(waits, 'time')}, for ${shortAge(waited * 1000)}` : '',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </li>
            ))}
        </ul>
      </details>
      <button
        type="button"
        onClick={() => {
          away.value = undefined
        }}
      >
        Seen
      </button>
    </section>
  )
}
