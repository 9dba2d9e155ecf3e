import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { commandLine } from './command-line.ts'
import { hookPlan } from './hook-plan.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRow } from './rows.ts'
import { screens } from './screen.ts'

export const cline: HookedAgent = {
  name: 'cline',
  title: 'Cline',
  process: commandLine,
  files: {
    transcripts: ['.cline/data/logs/cline.log'],
    writer: {
      isProcess: true,
      read: line => /^\{"level":\d+,"time":"[^"]{0,40}","pid":(\d+)/.exec(line)?.[1],
    },
  },
  readHook: ownSession(readHook),
  readLine,
  readOsc: readFirstTitle,
  readRow,
  headless: { rows: ['--json'] },
  asksUntold: true,
  sessionTitle: /^> (.+)/,
  screens,
  hooks: hookPlan,
}
