import { commandLines } from '../command-lines.ts'
import type { Agent } from '../kit/agent.ts'
import type { ScreenRules } from '../screen/screen-rule.ts'
import { atComposer, rule, waiting, working } from '../screen/screen-rule.ts'

/** What is typed behind it stays there while it works: the bare one alone is the prompt. */
const prompt = /^(?:(?:ask|architect|code|context|help)(?: multi)?|multi)?>$/u
const other = /^(?!(?:(?:ask|architect|code|context|help)(?: multi)?|multi)?>$)/u

const asks = /\(Y\)es\/\(N\)o(?:\/\([A-Z]\)[a-z' ]+)*(?: \[[A-Za-z]+\])?: ?$/u
const waits = /^\s*[░█ ]{2,} {1,12}(?:Waiting for \S|Updating repo map|Generating )/u
const retries = /^Retrying in \d+(?:\.\d+)? seconds/u

const screens: ScreenRules = {
  unverified: 'memory',
  hidesWork: true,
  rules: [
    rule('confirm', 'last', asks, waiting('permission')),
    // Two lines across look like the frame of a composer.
    rule('confirm-below', 'footer', asks, waiting('permission')),
    rule('waiting', 'last', waits, working()),
    rule('waiting-below', 'footer', waits, working()),
    rule('retrying', 'last', retries, working('retrying')),
    rule('retrying-below', 'footer', retries, working('retrying')),
    rule('prompt', 'last', prompt, atComposer()),
    // One line across above it looks like a frame that is cut off.
    rule('prompt-cut', 'composer', prompt, atComposer()),
    rule('prompt-below', 'footer', prompt, atComposer(), { unless: other }),
  ],
}

export const aider: Agent = {
  name: 'aider',
  title: 'Aider',
  process: commandLines.aider,
  files: { transcripts: [] },
  screens,
}
