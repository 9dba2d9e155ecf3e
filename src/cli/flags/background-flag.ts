/** `--ignore-background [kinds]`: a flag, or the kinds of work that are meant. */

import { backgroundKinds, isBackgroundKind } from '../../core/evidence/background.ts'
import { LullError } from '../../core/lull-error.ts'
import type { BackgroundKind } from '../../core.ts'

/** `task,remote`; undefined where it is something else, or nothing was given. */
export function kindsOf(value: boolean | string | undefined): BackgroundKind[] | undefined {
  if (typeof value !== 'string') return undefined
  const words = value.split(',').map(word => word.trim())
  return words.every(isBackgroundKind) ? words : undefined
}

/**
 * @returns all work that goes on, some kinds of it, or none
 * @throws {LullError} USAGE where a word that follows it is no kind: whether it is the session or the text nobody knows
 */
export function backgroundFlag(value: boolean | string | undefined): boolean | readonly BackgroundKind[] {
  if (typeof value !== 'string') return value === true
  const kinds = kindsOf(value)
  if (kinds) return kinds
  throw new LullError(
    'USAGE',
    `--ignore-background ${value}: the kinds are ${backgroundKinds.slice(0, -1).join(', ')} and ${backgroundKinds.at(-1)}; without a kind, put the option last`,
  )
}
