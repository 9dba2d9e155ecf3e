/** `lull loop init`: a RALPH.md to begin with. It never takes the place of one that is there. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../bin/make-folder.js'
import { LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { hasCode } from '../../os/error-code.ts'

const template = `---
# The command that is run again and again; it is handed the prompt below on stdin.
agent: claude -p --permission-mode acceptEdits

# Commands that are run before every iteration, without a shell; {{ commands.log }} stands for the output of "log".
commands:
  - name: log
    run: git log --oneline -10
    # timeout: 60s

# Arguments: lull loop . --focus "the parser", and {{ args.focus }} stands for it.
# args: [focus]

# While the agent says that there is nothing to do, run it less and less often, and stop in the end.
idle:
  delay: 30s # the first wait
  backoff: 2.0 # each wait is so many times the last one
  max_delay: 5m # the longest wait
  max: 6h # stop after so much idleness in a row
---

You work on this project in a loop: this is iteration {{ ralph.iteration }}, and you remember nothing of the last one.

The last commits:

{{ commands.log }}

Take the most important open point of TODO.md, do it, run the tests, and commit.

<!-- A comment like this one is for you: it is not part of the prompt. The marker below is. -->

If nothing is left to do for now, end your answer with this line, by itself and not in a code block:

<!-- ralph:state idle -->
`

/**
 * Writes a commented RALPH.md.
 * @returns its path
 * @throws {LullError} BAD_RALPH where one is there, or the folder can't be written
 */
export function initRalph(folder: string): string {
  const file = path.join(folder, 'RALPH.md')
  try {
    makeFolder(folder)
    writeFileSync(file, template, { flag: 'wx' })
  } catch (error) {
    const isThere = hasCode(error, 'EEXIST')
    throw new LullError(
      'BAD_RALPH',
      isThere
        ? `${file} is there already: it is left as it is; name another folder`
        : `${file} can't be written: ${whyNot(error)}`,
    )
  }
  return file
}
