/** Reports lines that were skipped, each once, and at most a screen of them. */

import { oneLine } from '../../core/text/printable.ts'
import type { Complaint } from '../../core.ts'
import { onNotice } from '../notice.ts'

const most = 20

export function newComplaints() {
  let count = 0
  return {
    complain(file: string, { line, reason }: Complaint): void {
      count++
      if (count <= most) onNotice(`${file}:${line}: ${oneLine(reason, 300)}`)
    },
    end(): void {
      if (count > most) onNotice(`… and ${count - most} more like these`)
    },
  }
}
