/** Whether a run may be acted upon: decided on the verdict of this moment, so ask again right before acting. */
import type { RunVerdict } from './run-verdict.ts'
import { isHeldOnPurpose } from './verdict-text.ts'

export type ActAt = 'confirmed' | 'likely'

/** lull ends nothing by itself: what this allows is done only where `--on-stuck` asks for it. */
export function mayAct({ health, diagnosis }: RunVerdict, actAt: ActAt): boolean {
  if (isHeldOnPurpose(health.cause) || isHeldOnPurpose(diagnosis?.cause)) return false
  switch (health.level) {
    case 'healthy':
    case 'suspicious':
      return false
    case 'likely_stuck':
      return actAt === 'likely'
    case 'confirmed_stuck':
      return health.certainty === 'certain' || actAt === 'likely'
  }
}
