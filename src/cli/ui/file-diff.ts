/** What a command changes of a file, or would, as a unified diff. */
import { createTwoFilesPatch } from 'diff'
import type { FileChange } from '../../hooks/install/install.ts'

export function diffOf({ file, before, after }: FileChange): string {
  const from = before === undefined ? '/dev/null' : file
  const to = after === undefined ? '/dev/null' : file
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 })
}
