/** Programs that read instructions from the terminal as a shell does, and how their prompts look. */
import type { TerminalProcess } from '../probe/probed.ts'
import { programName } from './shells.ts'

export type Repl = {
  readonly programs: readonly string[]
  /** Held against the cursor's line up to the cursor. */
  readonly prompt: RegExp
  readonly continuation?: RegExp
  /** Its arguments may name a script: then only these prompts are its own (a debugger's), the others a question's. */
  readonly inScripts?: RegExp
  readonly source: string
}

const repls: readonly Repl[] = [
  {
    programs: ['python', 'pypy', 'ipython', 'bpython', 'ptpython', 'pdb'],
    prompt: /^(?:>>> |In \[\d+\]: |\(i?Pdb(?:\+\+)?\) |>>>> )/,
    continuation: /^(?:\.\.\. |\s*\.\.\.:|\.\.\.\. )/,
    inScripts: /^(?:In \[\d+\]: |\(i?Pdb(?:\+\+)?\) )/,
    source: 'sys.ps1 and sys.ps2; IPython; pdb; PyPy',
  },
  {
    programs: ['node', 'deno', 'bun', 'ts-node', 'tsx'],
    prompt: /^> /,
    continuation: /^(?:\.\.\.|\| )/,
    inScripts: /^debug> /,
    source: 'Node 20 writes `...`, Node 24 `| `',
  },
  { programs: ['gdb'], prompt: /^\(gdb\) /, continuation: /^ *>$|^ *> /, source: 'gdb(1)' },
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
  { programs: ['sqlite'], prompt: /^sqlite> /, continuation: /^ +\.\.\.> /, source: 'sqlite3(1)' },
  {
    programs: ['irb', 'pry', 'ruby'],
    prompt: /^(?:irb\([^)]*\):\d+(?::\d+)?> ?|\[\d+\] pry\([^)]*\)> )/,
    continuation: /^irb\([^)]*\):\d+(?::\d+)?[*"'`/\]] /,
    source: 'irb(1), pry',
  },
  {
    programs: ['ghci', 'ghc'],
    prompt: /^(?:ghci|Prelude[^>]*|\*?\w+)> /,
    continuation: /^\S+\| /,
    source: 'GHC',
  },
  { programs: ['R'], prompt: /^> /, continuation: /^\+ /, inScripts: /^Browse\[\d+\]> /, source: 'R(1)' },
  {
    programs: ['lua', 'luajit'],
    prompt: /^> /,
    continuation: /^>> /,
    inScripts: /^lua_debug> /,
    source: 'lua(1)',
  },
  { programs: ['php'], prompt: /^php > /, continuation: /^php [{('"] /, source: 'php -a' },
  { programs: ['julia'], prompt: /^julia> /, source: 'Julia' },
  { programs: ['redis-cli'], prompt: /^(?:[\w.-]+:\d+(?:\[\d+\])?|not connected)> /, source: 'redis-cli' },
  { programs: ['mongosh', 'mongo'], prompt: /^(?:\w+|[\w-]+ \[\S+\] \w+)> /, source: 'mongosh' },
  { programs: ['sftp', 'ftp'], prompt: /^s?ftp> /, source: 'sftp(1)' },
]

/** The row of this program, undefined for others; of a script that it runs, only what may be a prompt there. */
export function replOf(process: TerminalProcess): Repl | undefined {
  const name = programName(process)
  const repl = repls.find(({ programs }) => programs.includes(name))
  if (!repl?.inScripts || !runsScript(process.args.slice(1))) return repl
  return { programs: repl.programs, prompt: repl.inScripts, source: repl.source }
}

/** Options whose next word belongs to them: python(1), node(1). */
const takesWord: ReadonlySet<string> = new Set(['-X', '-W', '-r', '--require', '--import', '-C'])

/** Without `-i` a script or an expression is run, and its own prompt is not shown. */
function runsScript(words: readonly string[]): boolean {
  if (words.some(word => /^-[a-zA-Z]*i[a-zA-Z]*$|^--interactive$/.test(word))) return false
  const own = words.filter((word, at) => word !== '' && !takesWord.has(words[at - 1] ?? ''))
  if (own[0] === 'repl') return false
  return own.some(word => !word.startsWith('-') || /^-[a-zA-Z]*[cepm]$|^--(?:eval|print)\b/.test(word))
}

/** A program of no row that puts its own name before the sign: `mytool> `. Others may as well ask something. */
export function isNamedPrompt(text: string, process: TerminalProcess): boolean {
  const [, word] = /^\(?([\w.-]+)(?:[@:([][^<>]{0,40})?\)?(?:> |\) )$/.exec(text) ?? []
  return word !== undefined && word.toLowerCase() === programName(process).toLowerCase()
}
