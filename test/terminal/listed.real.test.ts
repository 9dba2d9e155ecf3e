/** Real REPLs at their own prompt, seen for the first time; and their scripts, which ask with the same prompt. */
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { has, openPane } from '../support/tmux-pane.ts'

const canRun = has('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

beforeAll(() => {
  process.env.XDG_STATE_HOME = temporaryFolder()
})

/** Octave leaves its variables in the current folder when it is killed. */
const open = (...command: readonly string[]) =>
  openPane(['sh', '-c', 'cd "$0" && exec "$@"', temporaryFolder(), ...command])

/** How each is started, and a script of it that asks as it does itself. */
const repls: readonly (readonly [program: string, command: readonly string[], script: string])[] = [
  ['octave-cli', ['octave-cli', '--quiet', '--norc'], 'x = input("octave:1> ", "s");'],
  ['gnuplot', ['gnuplot', '-d'], 'pause -1 "gnuplot> "'],
  ['ocaml', ['ocaml', '-noinit'], 'print_string "# "; flush stdout; read_line ();;'],
  ['sbcl', ['sbcl', '--noinform', '--no-userinit'], '(progn (princ "* ") (finish-output) (read-line))'],
  [
    'guile',
    ['guile', '-q'],
    '(use-modules (ice-9 rdelim)) (display "scheme@(guile-user)> ") (force-output) (read-line)',
  ],
  ['gforth', ['gforth'], 'cr pad 80 accept'],
  ['pike', ['pike'], 'int main() { write("> "); Stdio.stdin->gets(); }'],
  ['tclsh', ['tclsh'], 'puts -nonewline "% "; flush stdout; gets stdin'],
]

describe.runIf(canRun)('a REPL at its prompt', () => {
  test.for(repls)(
    'is ready at first sight: %s',
    { timeout: 60_000 },
    async ([program, command], { skip }) => {
      if (!has(program)) skip(`${program} is not installed`)
      const pane = openPane(command)
      await pane.says('idle/repl')
      expect((await pane.cold()).state).toEqual({ kind: 'idle', at: 'repl' })
    },
  )

  test.for(repls)(
    'is none of its scripts: %s',
    { timeout: 60_000 },
    async ([program, , script], { skip }) => {
      if (!has(program)) skip(`${program} is not installed`)
      const file = temporaryFile('ask', script)
      await open(program, ...(program === 'sbcl' ? ['--script'] : []), file).says('waiting/input')
    },
  )

  test.runIf(has('octave-cli'))('is as deep as it is, and a question of its program is deeper', async () => {
    const pane = open('octave-cli', '--quiet', '--norc')
    expect(await pane.says('idle/repl')).toMatchObject({ tier: 'proven' })
    pane.type(`source("${temporaryFile('ask.m', 'x = input("octave:2> ", "s");')}")`)
    pane.keys('Enter')
    await pane.says('waiting/input')
  })

  test.runIf(has('lftp'))('may have arguments that name no script: lftp', async () => {
    await open('lftp', '-e', 'set net:timeout 5').says('idle/repl')
  })
})
