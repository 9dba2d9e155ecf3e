/** Why a file of the person's was left as it is. */
import { isLullError, LullError } from '../../core/lull-error.ts'
import { refusalOf } from '../../core/system-refusal.ts'

/** The sentence for what the system refused, or the error itself where it is a fault of ours. */
export function refused(error: unknown, file: string): unknown {
  if (isLullError(error, 'NOT_A_FILE')) return leftAsItIs(error.message)
  const reason = refusalOf(error)
  return reason === undefined ? error : leftAsItIs(`${file}: ${reason}`)
}

export const leftAsItIs = (why: string): LullError<'INSTALL_REFUSED'> =>
  new LullError('INSTALL_REFUSED', `${why}; nothing was changed`)
