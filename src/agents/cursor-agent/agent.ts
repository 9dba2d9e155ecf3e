import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { rule, waiting, working } from '../screen/screen-rule.ts'

const asks =
  /\bRun this command\?|\bWaiting for approval\b|\bRun \(once\) \(y\)|\bAdd Shell\(.{1,60}\) to allowlist\b|\bWrite to this file\?/iu
const works =
  /^ {0,4}[⬡⬢\u2801-\u28ff]{1,3}\s+(?:Generating|Thinking|Running|Reading|Searching|Editing|Planning|Composing)\b/u
const stops = /\bctrl\+c to stop\b/iu

const screens: ScreenRules = {
  unverified: 'memory',
  hidesWork: true,
  rules: [
    rule(
      'trust',
      'bottom',
      /\bWorkspace Trust Required\b|\bDo you trust the contents of this directory\b/iu,
      waiting('trust'),
    ),
    rule('login', 'bottom', /\bPress any key to log in\b/iu, waiting('login')),
    rule('permission', 'dialog', asks, waiting('permission')),
    // Its composer begins with an arrow, by which none is known: then all is the end of the screen.
    rule('permission-below', 'bottom', asks, waiting('permission')),
    rule('generating', 'activity', works, working()),
    rule('generating-below', 'bottom', works, working()),
    rule('stop', 'bottom', stops, working()),
    rule('stop-below', 'footer', stops, working()),
  ],
}

export const cursorAgent: Agent = {
  name: 'cursor-agent',
  title: 'Cursor CLI',
  process: commandLines['cursor-agent'],
  files: { transcripts: [] },
  screens,
}
