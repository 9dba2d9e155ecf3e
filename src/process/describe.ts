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

/** One row of the tree: a process, or a thread of it, and what it waits for. */
export type WaitRow = {
  readonly wait: Wait
  /** 0 where nothing in the tree waits for it. */
  readonly depth: number
  /** The lines of the tree before it, as text. */
  readonly branches: string
  /** Everything else waits for it. */
  readonly isLeaf: boolean
}

/** Who waits for whom: a process stands above what it waits for, which is one deeper. */
export function waitRows({ waits, chain, leaf }: Diagnosis): readonly WaitRow[] {
  const rows: WaitRow[] = []
  const drawn = new Set<number>()
  const chained = new Map(chain.map(wait => [wait.tid, wait]))
  const shownWaits = waits.map(wait => chained.get(wait.tid) ?? wait)
  const draw = (wait: Wait, depth: number, before: string, branch: string): void => {
    drawn.add(wait.tid)
    rows.push({ wait, depth, branches: before + branch, isLeaf: wait.tid === leaf?.tid })
    const below = shownWaits.filter(other =>
      wait.waker.some(waker => waker === other.tid || waker === other.pid),
    )
    const inner = branch === '' ? before : `${before}${branch === '├ ' ? '│ ' : '  '}`
    const next = below.filter(other => !drawn.has(other.tid))
    next.forEach((other, at) => {
      if (!drawn.has(other.tid)) draw(other, depth + 1, inner, at === next.length - 1 ? '└ ' : '├ ')
    })
  }
  for (const wait of shownWaits) if (!drawn.has(wait.tid)) draw(wait, 0, '', '')
  return rows
}

/** The call, and what it waits on. */
export const waitText = ({ call, on }: Wait): string => (call === 'running' ? call : `${call}: ${on}`)

/** More would be a listing, not a picture. */
export const mostRows = 60

/** The rows as text; `*` marks what everything else waits for. */
export function waitTree(diagnosis: Diagnosis): readonly string[] {
  const rows = waitRows(diagnosis).map(
    ({ wait, branches, isLeaf }) => `${isLeaf ? '*' : ' '} ${branches}${rowText(wait)}`,
  )
  const more = rows.length - mostRows
  return more > 0 ? [...rows.slice(0, mostRows), `  … and ${more} more`] : rows
}

const rowText = (wait: Wait): string =>
  `${plainName(wait)}(${wait.tid === wait.pid ? wait.pid : `${wait.pid}/${wait.tid}`})  ${waitText(wait)}`

const plainName = ({ name }: Wait): string => name.replace(/\p{C}/gu, '?')
