/**
 * `lull film`: judges the recording on stdin for the page. The host starts it, so that neither its own time nor its memory is
 * spent, and ends it where it takes too long. The first line says where each piece of the pictures begins, or what is wrong; the
 * second is the film, each other one a piece.
 */
import os from 'node:os'
import { filmOf } from '../../../connect/make-film.ts'
import { limitTo } from '../../../connect/time-limit.ts'
import { sentenceFor } from '../../../core/error-sentence.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { isLullError } from '../../../core/lull-error.ts'
import { asItIs, jsonLine, print } from '../../ui/print.ts'

/** Longer than any host waits. ms */
const longestMs = 70_000

/** Whoever waits for an agent comes first. */
const niceness = 10

export async function filmCommand(): Promise<void> {
  os.setPriority(niceness)
  // A host that was killed ends nobody.
  limitTo(longestMs)
  try {
    const { film, pieces } = await filmOf('/dev/stdin')
    print(jsonLine({ pieces: film.pieces }), jsonLine(film))
    for (const piece of pieces) print(asItIs(`${piece}\n`))
  } catch (error) {
    const message = sentenceFor(error)
    if (message === undefined) throw error
    process.exitCode = exitCode.failed
    print(jsonLine({ error: { code: isLullError(error) ? error.code : 'NOT_A_TRACE', message } }))
  }
}
