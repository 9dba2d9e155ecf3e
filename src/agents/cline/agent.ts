import type { Agent } from '../kit/agent.ts'
import { readFirstTitle } from '../kit/title.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRow } from './rows.ts'

export const cline: Agent = {
  name: 'cline',
  title: 'Cline',
  process: {
    argv0: ['cline'],
    script: /(^|\/)node_modules\/cline\//,
    withoutSession: [
      '--version',
      '-V',
      '--help',
      '-h',
      'auth',
      'config',
      'history',
      'hook',
      'update',
      'version',
      '--cline-hub-daemon',
    ],
  },
  files: { transcripts: ['.cline/data/logs/cline.log'] },
  readHook,
  readLine,
  readOsc: readFirstTitle,
  readRow,
  headless: { rows: ['--json'] },
  screens: [],
  hooks: hookPlan,
}
