/**
 * Which panes' screens are looked at, and when: while something moves there, shortly after, and now and then, as what has
 * not been seen for long counts no more. Pure but for the look itself.
 */
import type { Instant } from '../../core/state.ts'
import { paneScreen } from './pane-screen.ts'
import type { PaneInFront } from './panes/panes-in-front.ts'

export type ScreenLook = {
  readonly moved: string
  readonly movedAt: Instant
  readonly lookedAt: Instant
  readonly count: number
  /** What it showed then. */
  readonly shown?: string
}

/** tmux tells the second in which a pane printed last. ms */
const afterMovedMs = 2500
/**
 * And so it has printed nothing for more than a second: frames of a screen that works lay up to 1.0 s apart
 * (src/track/decode-screen.ts). ms
 */
const stillMs = 2000
/** What a screen says counts for 15 s (src/track/decode-screen.ts). ms */
const againMs = 5000

/** @returns what is known from then on, and whether to look */
export function stepScreenLook(
  before: ScreenLook | undefined,
  moved: string,
  now: Instant,
): { readonly look: ScreenLook; readonly isDue: boolean } {
  const hasMoved = before?.moved !== moved
  const movedAt = hasMoved ? now : before.movedAt
  const isDue = hasMoved || now - movedAt < afterMovedMs || now - before.lookedAt >= againMs
  const { lookedAt = now, count = 0 } = before ?? {}
  const look = { ...before, moved, movedAt, lookedAt: isDue ? now : lookedAt, count: count + (isDue ? 1 : 0) }
  return { look, isDue }
}

export type ShownScreen = {
  readonly id: string
  readonly rows: readonly string[]
  readonly title: string
  /** It has printed nothing for more than a second. */
  readonly isStill: boolean
  /** As at the last look. */
  readonly isSame: boolean
}

/**
 * @param looks what is known of each session's pane; changed here
 * @param wall ms since the epoch
 */
export async function screensShown(
  panes: readonly PaneInFront[],
  looks: Map<string, ScreenLook>,
  now: Instant,
  wall: number,
): Promise<readonly ShownScreen[]> {
  const inFront = new Set(panes.map(({ id }) => id))
  for (const id of looks.keys()) if (!inFront.has(id)) looks.delete(id)
  const due = panes.filter(({ id, moved }) => {
    const { look, isDue } = stepScreenLook(looks.get(id), moved, now)
    looks.set(id, look)
    return isDue
  })
  const shown = await Promise.all(
    due.map(async ({ id, place, title, printedAt }) => {
      const rows = await paneScreen(place)
      if (rows === undefined) return []
      const [known, now] = [looks.get(id), [title, ...rows].join('\n')]
      if (known) looks.set(id, { ...known, shown: now })
      return [{ id, rows, title, isStill: wall - printedAt * 1000 >= stillMs, isSame: known?.shown === now }]
    }),
  )
  return shown.flat()
}
