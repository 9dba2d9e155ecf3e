/** One look that can be trusted: looks again until nothing moves, or the patience is over. */
import type { Look, OpenPane } from './open-pane.ts'

/** What stands still under a flood goes on within this time, ms: only then is it stuck. */
const stuckMs = 1000

/** @param patience ms. @returns the last look, ripe or not */
export async function settledLook(pane: OpenPane, patience: number): Promise<Look> {
  const from = performance.now()
  for (;;) {
    const look = await pane.look()
    const { lookAgainIn, health } = look.verdict
    const isStuck = health.level === 'confirmed_stuck'
    const [isOver, isLong] = [patience, stuckMs].map(time => performance.now() - from >= time)
    if (isStuck ? isLong : isRipe(look) || isOver) return look
    await pane.woken(Math.min(lookAgainIn ?? 1, 20))
  }
}

const isRipe = ({ isSteady, verdict }: Look): boolean => isSteady && verdict.lookAgainIn === undefined
