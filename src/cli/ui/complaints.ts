/** Reports lines that were skipped, each once, and at most a screen of them. */

import { type Complaint, oneLine } from '../../core.ts'

const most = 20

export function complaintsTo(write: (text: string) => void) {
  let count = 0
  return {
    complain(file: string, { line, reason }: Complaint): void {
      count++
      if (count <= most) write(`lull: ${file}:${line}: ${oneLine(reason, 300)}\n`)
    },
    end(): void {
      if (count > most) write(`lull: … and ${count - most} more like these\n`)
    },
  }
}
