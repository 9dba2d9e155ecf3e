/** Whether bytes wait on lull's own stdin that the command will never see. Nothing is read. */
import { fstatSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { waitingBytes } from '../../os/native/pipe.ts'

/** Bytes; 0 for a terminal, where a person types ahead. */
export function waitingInput(): number {
  const stat = attempt(() => fstatSync(0))
  if (!stat || stat.isCharacterDevice()) return 0
  // Of a file, what lies behind its position.
  return waitingBytes(0)
}
