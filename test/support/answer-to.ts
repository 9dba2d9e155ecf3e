/** What a call answers that should be refused: the code and the sentence of its error, thrown or by the promise. */
import { isLullError } from '../../src/core/lull-error.ts'

export async function answerTo(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'no error'
  } catch (error) {
    return isLullError(error) ? `${error.code} ${error.message}` : `a bare ${(error as Error).stack}`
  }
}
