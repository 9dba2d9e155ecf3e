/** Programs that read instructions from the terminal as a shell does, and how their prompts look: the row of each, with its source. */

export type Repl = {
  /** Their names without version: `python3.11` is `python`. */
  readonly programs: readonly string[]
  /** Held against the cursor's line up to the cursor. */
  readonly prompt: RegExp
  readonly continuation?: RegExp
  /** Of one whose prompt alone is nothing: how the row above it ends. */
  readonly above?: RegExp
  /**
   * The arguments with which it still reads instructions, as its manual writes them: `--quiet`, and `--path DIR` where a word
   * follows. With others it may run a script. `any`: it runs none. Where not given, the arguments of an interpreter are read
   * in the way that most of them have in common (repls.ts).
   */
  readonly arguments?: 'any' | readonly string[]
  /** How it reads at its prompt: what reads in another way asks something. */
  readonly reads?: 'keys' | 'lines'
  /** Where its arguments name a script, only these prompts are its own (a debugger's), the others a question's. */
  readonly inScripts?: RegExp
  /** How deep it reads at its prompt, where that can be measured. */
  readonly fresh?: Fresh
  /** It reads the rest of something begun deeper than its prompt: Python up to 3.12 in the midst of its parser. */
  readonly isRestDeeper?: true
  readonly source: string
  /** What is left of a row where the program runs a script. */
  readonly isOfScript?: true
}

/**
 * How deep it reads at its prompt is measured on a fresh one where it reads by this call: Python 3.13 has an editor of its own, in
 * Python, that is as deep as it happens to be.
 */
type Fresh = {
  readonly by: string
  /** By which it reads no file of the person's. */
  readonly args: readonly string[]
  /** It reads lines, not keys. */
  readonly isLines?: true
}

/** What a person has described in `repls.yaml`. */
export type OwnRepls = {
  readonly rows: readonly Repl[]
  /** Why the file does not hold: a sentence that names it. */
  readonly mistake?: string
}

export const replRows: readonly Repl[] = [
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
  {
    programs: ['octave', 'octave-cli', 'octave-gui'],
    prompt: /^(?:octave:\d+> |debug> )/,
    continuation: /^> /,
    inScripts: /^debug> /,
    reads: 'keys',
    arguments: [
      ...['-q', '--quiet', '--silent', '-f', '--norc', '--no-init-all', '--no-init-file', '--no-init-path'],
      ...['--no-init-site', '--no-site-file', '-i', '--interactive', '-H', '--no-history', '--no-gui', '-W'],
      ...['--no-window-system', '--traditional', '--braindead', '-p PATH', '--path PATH', '--verbose', '-V'],
    ],
    fresh: { by: 'pselect6', args: ['--quiet', '--norc', '--no-history', '--no-window-system'] },
    source: 'GNU Octave: Command Line Options; PS1, PS2; Debugging',
  },
  {
    programs: ['gnuplot', 'gnuplot-nox', 'gnuplot-qt', 'gnuplot-x11'],
    prompt: /^gnuplot> /,
    continuation: /^(?:more|data)> /,
    reads: 'keys',
    arguments: ['-d', '--default-settings', '-p', '--persist', '-s', '--slow'],
    fresh: { by: 'read', args: ['-d'] },
    source: 'gnuplot(1); gnuplot: Batch/Interactive Operation',
  },
  {
    programs: ['ocaml'],
    prompt: /^# $/,
    continuation: /^ {2}$/,
    reads: 'lines',
    arguments: [
      ...['-noinit', '-nolabels', '-no-app-funct', '-noassert', '-nostdlib', '-principal', '-rectypes'],
      ...['-safe-string', '-short-paths', '-strict-sequence', '-unsafe', '-I DIR', '-w LIST'],
    ],
    source: 'ocaml(1)',
  },
  {
    programs: ['sbcl'],
    // At an error its debugger counts how deep it is.
    prompt: /^(?:\* |\d+\] )$/,
    reads: 'lines',
    arguments: [
      ...['--noinform', '--no-sysinit', '--no-userinit', '--core FILE', '--dynamic-space-size MB'],
      ...['--control-stack-size MB', '--disable-ldb', '--lose-on-corruption', '--merge-core-pages'],
      ...['--no-merge-core-pages', '--end-runtime-options', '--end-toplevel-options'],
    ],
    source: 'sbcl(1); SBCL User Manual: Command Line Options, The Debugger Command Loop',
  },
  {
    programs: ['guile'],
    prompt: /^scheme@\([^)]*\)(?: \[\d+\])?> /,
    arguments: [
      ...['-q', '--debug', '--no-debug', '--auto-compile', '--no-auto-compile', '--fresh-auto-compile'],
      ...['-L DIR', '-C DIR', '-x EXTENSION', '--r6rs', '--r7rs', '--'],
    ],
    source: 'guile(1); GNU Guile: Using Guile Interactively',
  },
  {
    programs: ['gforth', 'gforth-fast', 'gforth-itc'],
    prompt: /^$/,
    // Two blanks: one ends what was typed, one is its own.
    above: / {2}ok$|^Type `bye' to exit$/,
    reads: 'keys',
    arguments: [],
    source: 'Gforth: Syntax tutorial, the text interpreter prints ok',
  },
  {
    programs: ['lftp'],
    prompt: /^lftp (?:[^\s:]+ )?[^\s:]*:\S*> /,
    reads: 'keys',
    arguments: 'any',
    source: 'lftp(1), cmd:prompt',
  },
  {
    programs: ['pike'],
    prompt: /^> $/,
    continuation: /^>> $/,
    reads: 'keys',
    arguments: [],
    source: 'Pike: Tools.Hilfe',
  },
  {
    programs: ['tclsh', 'wish'],
    prompt: /^% $/,
    reads: 'lines',
    arguments: [],
    fresh: { by: 'read', args: [], isLines: true },
    source: 'tclsh(1), tcl_prompt1',
  },
]
