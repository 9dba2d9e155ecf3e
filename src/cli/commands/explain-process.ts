/** `lull explain pid:N`: what any running process tree does or waits for, now. Nothing is stopped or traced for it. */
import { exitCode } from '../../core.ts'
import { type Diagnosis, describe, diagnose, waitTree } from '../../process.ts'
import { printable } from '../ui/cells.ts'

/** Undefined where the address means something else. */
export function pidOf(address: string): number | undefined {
  const [, digits] = /^pid:([1-9]\d{0,9})$/.exec(address) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Prints what is so of a tree that is no session; exits 5 where there is none. */
export async function explainProcess(pid: number, { json }: { readonly json?: boolean }): Promise<void> {
  const diagnosis = await diagnose(pid)
  if (!diagnosis) {
    process.stderr.write(
      `lull: no process ${pid} runs on this machine (lull ps lists agents; ps lists processes)\n`,
    )
    process.exitCode = exitCode.gone
    return
  }
  process.stdout.write(json ? `${JSON.stringify({ pid, ...diagnosis })}\n` : processText(diagnosis))
}

/** The sentence, the tree of who waits for whom, and what is not certain. */
export function processText(diagnosis: Diagnosis): string {
  const { cause, proof, doubts } = diagnosis
  const lines = [
    describe(diagnosis),
    `  ${cause.replace('_', ' ')}, ${proof}`,
    ...waitTree(diagnosis).map(row => `  ${row}`),
    ...doubts.map(doubt => `  but: ${doubt}`),
  ]
  return `${lines.map(printable).join('\n')}\n`
}
