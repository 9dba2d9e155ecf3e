import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

const screens: ScreenRules = {
  unverified: 'memory',
  hidesWork: true,
  rules: [
    rule(
      'permission',
      'dialog',
      /\bGoose would like to call the above tool\b|\bAllow this tool call\b/iu,
      waiting('permission'),
    ),
    rule(
      'permission-below',
      'bottom',
      /\bGoose would like to call the above tool\b|^\s*│?\s*[●○] (?:Always )?Allow\b/iu,
      waiting('permission'),
    ),
    rule('spinner', 'last', /^ {0,2}[◐◓◑◒\u2801-\u28ff]\s+\S.{0,80}(?:\.{3}|…)/u, working()),
    rule('prompt', 'last', /^(?:\( ?O\)|🪿)>?$/u, atComposer()),
  ],
}

export const goose: Agent = {
  name: 'goose',
  title: 'Goose',
  process: commandLines.goose,
  files: { transcripts: [] },
  screens,
}
