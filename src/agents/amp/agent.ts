import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  unverified: 'words in its package 0.0.1790142911',
  hidesWork: true,
  rules: [
    rule('login', 'bottom', /^Would you like to log in to Amp\?/u, waiting('login')),
    rule('approval', 'dialog', /\b(?:Approval Required|Waiting for Approval)\b/u, waiting('permission')),
    rule(
      'approval-below',
      'bottom',
      /^[\s│]*Approval Required\b|\bAllow All for (?:This|Every) Session\b|∼ Waiting for Approval\b/u,
      waiting('permission'),
    ),
    rule('reconnecting', 'bottom', /\bReconnecting(?: in \d+s)?(?: |$)/u, working('retrying')),
    rule('compacting', 'bottom', /∼ Auto-Compacting\b/u, working('compacting')),
    rule(
      'status',
      'bottom',
      /∼ (?:Sending|Waiting|Thinking|Streaming|Running Tools|Cancelling|Preparing Thread|Connecting)\b/u,
      working(),
    ),
    rule(
      'status-below',
      'footer',
      /∼ (?:Sending|Waiting|Thinking|Streaming|Running Tools|Cancelling|Preparing Thread|Connecting)\b/u,
      working(),
    ),
  ],
}

export const amp: Agent = {
  name: 'amp',
  title: 'Amp',
  process: commandLines.amp,
  files: { transcripts: [] },
  screens,
}
