/** A diagnosis for people: one sentence, and the tree of who waits for whom. */
import { formatDuration } from '../core/text/duration.ts'
import type { Diagnosis, Wait } from './diagnosis.ts'

/**
 * One or two sentences: what is so, and what can be done.
 * @param forMs for how long it has been so, where that is known
 */
export function describe({ isBlocked, summary, advice }: Diagnosis, forMs?: number): string {
  const since = forMs === undefined ? '' : ` ${formatDuration(forMs)}`
  const head = isBlocked
    ? `Blocked${since}: ${summary}`
    : forMs === undefined
      ? summary
      : `For${since}: ${summary}`
  return `${capital(head)}.${advice === undefined ? '' : ` ${capital(advice)}.`}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** More would be a listing, not a picture. */
const mostRows = 60

/** Who waits for whom: a process is printed above what it waits for, which is indented; `*` marks the last one. */
export function waitTree({ waits, chain, leaf }: Diagnosis): readonly string[] {
  const rows: string[] = []
  const drawn = new Set<number>()
  const chained = new Map(chain.map(wait => [wait.tid, wait]))
  const shownWaits = waits.map(wait => chained.get(wait.tid) ?? wait)
  const draw = (wait: Wait, before: string, branch: string): void => {
    drawn.add(wait.tid)
    const mark = wait.tid === leaf?.tid ? '*' : ' '
    rows.push(`${mark} ${before}${branch}${rowOf(wait)}`)
    const below = shownWaits.filter(other =>
      wait.waker.some(waker => waker === other.tid || waker === other.pid),
    )
    const inner = branch === '' ? before : `${before}${branch === '├ ' ? '│ ' : '  '}`
    const next = below.filter(other => !drawn.has(other.tid))
    next.forEach((other, at) => {
      if (!drawn.has(other.tid)) draw(other, inner, at === next.length - 1 ? '└ ' : '├ ')
    })
  }
  for (const wait of shownWaits) if (!drawn.has(wait.tid)) draw(wait, '', '')
  const more = rows.length - mostRows
  return more > 0 ? [...rows.slice(0, mostRows), `  … and ${more} more`] : rows
}

const rowOf = ({ name, pid, tid, call, on }: Wait): string =>
  `${name.replace(/\p{C}/gu, '?')}(${tid === pid ? pid : `${pid}/${tid}`})  ${call === 'running' ? call : `${call}: ${on}`}`
