/** `lull loop init`: a RALPH.md to begin with. It never takes the place of one that is there. */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../bin/make-folder.js'
import { LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { attempt } from '../../os/attempt.ts'
import { hasCode } from '../../os/error-code.ts'

const fileName = 'RALPH.md'

/**
 * @param target as given; the working folder where it is not
 * @throws {LullError} BAD_RALPH that names the places looked at
 */
export function findRalph(target: string | undefined, cwd: string, home: string): string {
  if (target === undefined) {
    const here = path.join(cwd, fileName)
    if (isFile(here)) return here
    throw new LullError(
      'BAD_RALPH',
      `there is no RALPH.md in ${cwd}: lull loop init writes one, or name another one`,
    )
  }
  const file = path.resolve(cwd, target)
  const inFolder = path.join(file, fileName)
  const others = named(target, cwd, home)
  const found = [file, inFolder, ...others].find(isFile)
  if (found !== undefined) return found
  if (existsSync(file))
    throw new LullError('BAD_RALPH', `${target}: there is no RALPH.md at ${[inFolder, ...others].join(', ')}`)
  const nor = others.length > 0 ? `; nor is there one at ${others.join(', ')}` : ''
  throw new LullError('BAD_RALPH', `${target}: there is no RALPH.md at ${file}: no such file or folder${nor}`)
}

const named = (name: string, cwd: string, home: string): string[] =>
  name.includes('/') || name.startsWith('.')
    ? []
    : [...new Set([cwd, home].map(folder => path.join(folder, '.agents/ralphs', name, fileName)))]

const isFile = (file: string): boolean => attempt(() => statSync(file).isFile()) ?? false

const template = `---
# The command that lull runs again and again. It gets the prompt below on stdin.
agent: claude -p --permission-mode acceptEdits

# Commands that lull runs before every iteration, without a shell. {{ commands.log }} is the output of "log".
commands:
  - name: log
    run: git log --oneline -10
    # timeout: 60s

# Arguments: lull loop . --focus "the parser", and {{ args.focus }} is its value.
# args: [focus]

# While the agent reports that there is nothing to do, wait longer and longer between iterations, then stop.
idle:
  delay: 30s # the first wait
  backoff: 2.0 # factor by which each wait grows
  max_delay: 5m # the longest wait
  max: 6h # stop after this much idle time in a row
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
