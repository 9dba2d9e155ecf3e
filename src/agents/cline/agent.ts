import { commandLines } from '../command-lines.ts'
import { hookPlanOf } from '../hook-plans.ts'
import type { HookedAgent } from '../kit/agent.ts'
import { ownSession } from '../kit/own-session.ts'
import { readFirstTitle } from '../kit/title.ts'
import { rule, type ScreenRules, waiting, working } from '../screen/screen-rule.ts'
import { readHook } from './hooks.ts'
import { readLine } from './log.ts'
import { readRow } from './rows.ts'

/** The only source that reports permissions. */
const screens: ScreenRules = {
  version: '3.0.65',
  rules: [
    rule('permission', 'bottom', /^\s*Cline needs permission\b/u, waiting('permission')),
    rule('approve', 'bottom', /^\s*\[y\] Approve\s{2,}\[n\] Deny\b/iu, waiting('permission')),
    rule('question', 'bottom', /^\s*Cline is asking a question\b/u, waiting('question')),
    rule('spinner', 'activity', /^ {0,3}[\u2801-\u28ff] \S/u, working()),
  ],
}

function madeAt(session: string): number | undefined {
  const [, ms] = /^(\d{13})_/.exec(session) ?? []
  return ms === undefined ? undefined : Number(ms)
}

export const cline: HookedAgent = {
  name: 'cline',
  title: 'Cline',
  process: commandLines.cline,
  files: {
    transcripts: ['.cline/data/logs/cline.log'],
    writer: {
      isProcess: true,
      read: line => /^\{"level":\d+,"time":"[^"]{0,40}","pid":(\d+)/.exec(line)?.[1],
    },
    // `1796032591886_ue50c`: made 1 to 6 s after the start of its client (3.0.65).
    sessionStart: { read: madeAt, before: 1000, after: 10_000 },
  },
  readHook: ownSession(readHook),
  readLine,
  readOsc: readFirstTitle,
  readRow,
  headless: {
    rows: ['--json'],
    begins: { type: /^hook_event$/, hookEventName: /^agent_start$/, agentId: /./, taskId: /./ },
    answers: { type: /^run_result$/, finishReason: /./, text: /^/ },
  },
  asksUntold: true,
  sessionTitle: /^> (.+)/,
  screens,
  hooks: hookPlanOf.cline,
}
