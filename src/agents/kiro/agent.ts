import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { rule, waiting, working } from '../screen/screen-rule.ts'

const asks = /\bAllow this action\?|\[y\/n\/t\]:?$/u
const thinks = /^ {0,2}[\u2801-\u28ff]\s+\S.{0,60}(?:\.{3}|…)$/u

const screens: ScreenRules = {
  unverified: 'memory',
  hidesWork: true,
  rules: [
    rule('permission', 'activity', asks, waiting('permission')),
    // A sent prompt above it looks like a composer.
    rule('permission-below', 'footer', asks, waiting('permission')),
    rule('thinking', 'last', thinks, working()),
    rule('thinking-below', 'footer', thinks, working()),
  ],
}

export const kiro: Agent = {
  name: 'kiro',
  title: 'Kiro CLI',
  process: commandLines.kiro,
  files: { transcripts: [] },
  screens,
}
