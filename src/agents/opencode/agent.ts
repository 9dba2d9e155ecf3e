import type { Agent } from '../shape.ts'
import { readFirstTitle } from '../title.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRow } from './rows.ts'

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  process: { argv0: ['opencode'], script: /opencode-ai/ },
  files: { transcripts: ['.local/share/opencode/log/*.log'] },
  readHook,
  readLine,
  readOsc: readFirstTitle,
  readRow,
  screens: [],
}
