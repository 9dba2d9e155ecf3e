/** A command that runs until the test lets it go on: what ends by itself may be over before a busy machine looks. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { temporaryFolder } from './lull.ts'

export function gate(): { readonly command: string; open(): void } {
  const file = path.join(temporaryFolder(), 'gate')
  execFileSync('mkfifo', [file])
  return {
    command: `cat ${file}`,
    // It waits for whoever reads.
    open: () => void execFileSync('sh', ['-c', `: > ${file}`], { timeout: 45_000 }),
  }
}
