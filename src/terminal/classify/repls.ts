/** Programs that read instructions from the terminal as a shell does, and how their prompts look. */
import type { TerminalProcess } from '../probe/probed.ts'
import { programName, stemOf } from './shells.ts'

export type Repl = {
  readonly programs: readonly string[]
  /** Held against the cursor's line up to the cursor. */
  readonly prompt: RegExp
  readonly continuation?: RegExp
  /** Where its arguments name a script, only these prompts are its own (a debugger's), the others a question's. */
  readonly inScripts?: RegExp
  /**
   * How deep it reads at its prompt is measured on a fresh one, with arguments by which it reads no file of the person's, where
   * it reads by this call: Python 3.13 has an editor of its own, in Python, that is as deep as it happens to be.
   */
  readonly fresh?: { readonly by: string; readonly args: readonly string[] }
  /** It reads the rest of something begun deeper than its prompt: Python up to 3.12 in the midst of its parser. */
  readonly isRestDeeper?: true
  readonly source: string
  /** What is left of a row where the program runs a script. */
  readonly isOfScript?: true
}

const repls: readonly Repl[] = [
  {
    programs: ['python', 'pypy', 'ipython', 'bpython', 'ptpython', 'pdb'],
    prompt: /^(?:>>> |In \[\d+\]: |\(i?Pdb(?:\+\+)?\) |ipdb> |>>>> )/,
    continuation: /^(?:\.\.\. |\s*\.\.\.:|\.\.\.\. )/,
    inScripts: /^(?:In \[\d+\]: |\(i?Pdb(?:\+\+)?\) |ipdb> )/,
    // -I would do without its line editor.
    fresh: { by: 'pselect6', args: ['-q', '-E', '-s'] },
    isRestDeeper: true,
    source: 'sys.ps1 and sys.ps2; IPython; pdb; PyPy',
  },
  {
    programs: ['node', 'deno', 'bun', 'ts-node', 'tsx'],
    prompt: /^> /,
    continuation: /^(?:\.\.\.|\| )/,
    inScripts: /^debug> /,
    source: 'Node 20 writes `...`, Node 24 `| `',
  },
  {
    programs: ['gdb'],
    prompt: /^\(gdb\) /,
    continuation: /^ *>$|^ *> /,
    fresh: { by: 'poll', args: ['-q', '-nx'] },
    isRestDeeper: true,
    source: 'gdb(1)',
  },
  { programs: ['lldb'], prompt: /^\(lldb\) /, continuation: /^\s+\d+(?::|>) /, source: 'lldb(1)' },
  {
    programs: ['psql'],
    prompt: /^\S*=[*!?]?[#>] /,
    continuation: /^\S*[-'"($*][*!?]?[#>] /,
    source: 'psql(1), PROMPT1 and PROMPT2',
  },
  {
    programs: ['mysql', 'mariadb'],
    prompt: /^(?:mysql|MariaDB \[[^\]]*\])> /,
    continuation: /^ {2,}['"`/]?[->*]?> /,
    source: 'mysql(1)',
  },
  {
    programs: ['sqlite'],
    prompt: /^sqlite> /,
    // 3.42 and later name what is open: `(x1...> `, `'  ...> `.
    continuation: /^[ '"`;*[(x\d]{0,5}\.\.\.> /,
    fresh: { by: 'pselect6', args: [] },
    source: 'sqlite3(1)',
  },
  {
    programs: ['irb', 'pry'],
    prompt:
      /^(?:irb(?::rdbg)?\([^)]*\):\d+(?::\d+)?> ?|\[\d+\] pry\([^)]*\)> |\((?:rdb:\d+|rdbg|byebug|ruby)\) )/,
    continuation: /^(?:irb\([^)]*\):\d+(?::\d+)?[*"'`/\]]|\[\d+\] pry\([^)]*\)\*) /,
    source: 'irb(1), pry',
  },
  {
    programs: ['ghci', 'ghc'],
    prompt: /^(?:ghci|Prelude[^>]*|\*?\w+)> /,
    continuation: /^\S+\| /,
    source: 'GHC',
  },
  {
    programs: ['R'],
    prompt: /^(?:> |Browse\[\d+\]> )/,
    continuation: /^\+ /,
    inScripts: /^Browse\[\d+\]> /,
    source: 'R(1)',
  },
  {
    programs: ['lua', 'luajit'],
    prompt: /^> /,
    continuation: /^>> /,
    inScripts: /^lua_debug> /,
    fresh: { by: 'pselect6', args: [] },
    source: 'lua(1)',
  },
  {
    programs: ['php'],
    prompt: /^php > /,
    continuation: /^(?:php [{('"] |[({'"/*] > )/,
    fresh: { by: 'read', args: ['-a'] },
    source: 'php -a',
  },
  { programs: ['julia'], prompt: /^(?:julia|debug|help\?|shell|(?:\([^)]*\) )?pkg)> /, source: 'Julia' },
  {
    programs: ['redis-cli'],
    prompt: /^(?:[\w.-]+:\d+(?:\[\d+\])?(?:\(TX\))?|not connected)> /,
    source: 'redis-cli',
  },
  { programs: ['mongosh', 'mongo'], prompt: /^(?:\w+|[\w-]+ \[\S+\] \w+)> /, source: 'mongosh' },
  { programs: ['sftp', 'ftp'], prompt: /^s?ftp> /, source: 'sftp(1)' },
]

/** The row of this program, undefined for others; of a script that it runs, only what may be a prompt there. */
export function replOf(process: TerminalProcess): Repl | undefined {
  const name = programName(process)
  // Some give their process their own name: `irb`, which is ruby.
  const repl = rowOf(name) ?? rowOf(stemOf(process.name))
  const script = interpreters.has(name) && rowOf(name) === repl ? scriptOf(process.args.slice(1)) : undefined
  if (script === undefined) return repl
  // What an interpreter runs may be a REPL by itself: `ruby /usr/bin/irb`, `python -m IPython`.
  const own = rowOf(stemOf(script).toLowerCase())
  if (own && own !== repl) return own
  return (
    repl?.inScripts && {
      programs: repl.programs,
      prompt: repl.inScripts,
      source: repl.source,
      isOfScript: true,
    }
  )
}

const rowOf = (name: string): Repl | undefined => repls.find(({ programs }) => programs.includes(name))

/** What is typed at its prompt is a program, which may ask as the REPL itself does. */
export const runsPrograms = (process: TerminalProcess): boolean => interpreters.has(programName(process))

/** Their arguments may name a script: then their own prompt is not shown. */
const interpreters: ReadonlySet<string> = new Set([
  'python',
  'pypy',
  'node',
  'deno',
  'bun',
  'R',
  'lua',
  'luajit',
  'ruby',
  'perl',
  'php',
  'julia',
  'guile',
  'ghc',
  'ghci',
  'ocaml',
  'racket',
])

/** Options that take the next word as their argument: python(1), node(1). */
const takesWord: ReadonlySet<string> = new Set(['-X', '-W', '-r', '--require', '--import', '-C'])

/** What it runs: a script, a module or an expression. Without `-i` its own prompt is not shown then. */
function scriptOf(words: readonly string[]): string | undefined {
  if (words.some(word => /^-(?=[a-zA-Z]+$).*i|^--interactive$/.test(word))) return undefined
  const own = words.filter((word, at) => word !== '' && !takesWord.has(words[at - 1] ?? ''))
  if (own[0] === 'repl') return undefined
  const at = own.findIndex(
    word => !word.startsWith('-') || /^-[a-zA-Z]*[cepm]$|^--(?:eval|print)\b/.test(word),
  )
  if (at < 0) return undefined
  return own[at] === '-m' ? (own[at + 1] ?? '') : own[at]
}

/** A program of no row that puts its own name before the sign: `mytool> `. Others may as well ask something. */
export function isNamedPrompt(text: string, process: TerminalProcess): boolean {
  const [, word] = /^\(?([\w.-]+)(?:[@:([][^<>]{0,40})?\)?(?:> |\) )$/.exec(text) ?? []
  return word !== undefined && word.toLowerCase() === programName(process).toLowerCase()
}
