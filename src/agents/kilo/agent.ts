import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import { rulesBesideBar } from '../opencode/bar-rules.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'

/** A fork of OpenCode. */
const screens: ScreenRules = { version: '7.7.9', rules: rulesBesideBar }

export const kilo: Agent = {
  name: 'kilo',
  title: 'Kilo Code',
  process: commandLines.kilo,
  files: { transcripts: [] },
  screens,
}
