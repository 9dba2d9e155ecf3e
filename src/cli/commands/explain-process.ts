/** `lull explain pid:N`: what any running process tree does or waits for, now. Nothing is stopped or traced for it. */
import { exitCode } from '../../core/exit-codes.ts'
import { type Lull, realClock } from '../../index.ts'
import { type Diagnosis, describe, waitTree } from '../../process.ts'
import { timeOf } from '../../shapes/verdict-json.ts'
import { jsonLine, lines, onNotice, print } from '../ui/print.ts'

/** Prints what is so of a tree that is no session; exits 5 where there is none. */
export async function explainProcess(
  lull: Pick<Lull, 'diagnose'>,
  pid: number,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const diagnosis = await lull.diagnose(pid)
  if (!diagnosis) {
    onNotice(`no process ${pid} runs on this machine (lull ps lists agents; ps lists processes)`)
    process.exitCode = exitCode.gone
    return
  }
  const diagnosed = processJson(diagnosis)
  // Under a name as well, as beside a session's verdict.
  print(json ? jsonLine({ pid, ...diagnosed, processes: diagnosed }) : lines(...processLines(diagnosis)))
}

/** Its timer as ISO time. */
export function processJson({ until, ...diagnosis }: Diagnosis) {
  const { now, wall } = realClock()
  return { ...diagnosis, ...(until === undefined ? {} : { until: timeOf(until, wall() - now()) }) }
}

/** The sentence, the tree of who waits for whom, and what is not certain. */
export function processLines(diagnosis: Diagnosis): readonly string[] {
  const { cause, proof, doubts } = diagnosis
  return [
    describe(diagnosis),
    `  ${cause.replace('_', ' ')}, ${proof}`,
    ...waitTree(diagnosis).map(row => `  ${row}`),
    ...doubts.map(doubt => `  but: ${doubt}`),
  ]
}
