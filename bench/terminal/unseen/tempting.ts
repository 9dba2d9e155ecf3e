/** What looks ready and is not. A false ready is the worst fault, so these outnumber the rest of their kinds. */
import type { Scenario, Step } from '../scenario.ts'
import { asking, ends, input, isNotOver, last, press, shows, working } from './repl.ts'

const tempts = (kind: string, at: RegExp, what: string): Row => ({
  name: what,
  does: [`{python} {programs}/tempts.py ${kind.includes(' ') ? `'${kind}'` : kind}`],
  at: [ends(at)],
  truth: working,
  proof: isNotOver,
})

type Row = Pick<Scenario, 'name' | 'at' | 'truth' | 'proof' | 'needs'> & {
  readonly does: readonly Step[]
  readonly shell?: Scenario['shell']
}

const key = ['waiting/keypress', 'waiting/confirmation'] as const
const many = 'mkdir {T}/d; cd {T}/d; touch n{1..300}; clear'
const seen = (pattern: RegExp, ...does: readonly Step[]): Scenario['proof'] => ({
  does,
  seen: [shows(pattern)],
})

const rows: readonly Row[] = [
  tempts('raw', /now\ndev@box:~#/, 'a raw terminal that nobody reads, behind a prompt'),
  tempts('marks', /now\ndev@box:~#/, 'a log with marks of a prompt'),
  tempts('marks vscode', /now\ndev@box:~#/, 'a log with marks of a prompt, as an editor has them'),
  tempts('line editor', /now\ndev@box:~#/, 'a program with readline loaded, behind a prompt'),
  { ...tempts('echo off', /now\nPassword:/, 'echo off, and nobody reads'), truth: working },
  tempts('ticks', /now\ndev@box:~#/, 'a program that looks for keys and takes none'),
  tempts('thread', /now\n>>>/, 'a thread computes behind a prompt'),
  tempts('pipe', /now\n\$/, 'waits for a pipe behind a prompt'),
  tempts('child', /now\n>/, 'waits for its child behind a prompt'),
  tempts('pager', /now\nline 1\n\(END\)/, '(END), and nobody reads'),
  tempts('more', /now\n--More--\(20%\)/, '--More--, and nobody reads'),
  tempts('question', /now\nProceed\? \[Y\/n\]/, 'a question that is not read'),
  tempts('clears', /^dev@box:~#\nnow/, 'a prompt on a cleared screen'),
  tempts('drawn', /│ > {4}│\n╰──────╯/, 'an input box that is not read'),
  {
    name: 'a prompt that takes a minute to make',
    does: ["PS1='$(echo now >&2; sleep 60)dev@box:\\w\\$ '"],
    at: [last(/now/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'a hook before the prompt takes a minute',
    does: ['PROMPT_COMMAND=\'printf "now\\ndev@box:~# "; sleep 60\''],
    at: [ends(/now\ndev@box:~#/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'a hook of zsh before the prompt takes a minute',
    shell: 'zsh',
    does: ['precmd() { print -n "now\\ndev@box / # "; sleep 60 }'],
    at: [ends(/now\ndev@box \/ #/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'fish before its prompt takes a minute',
    shell: 'fish',
    does: ["function fish_prompt; touch {T}/m; sleep 60; echo 'root@box /# '; end"],
    at: [{ file: 'm' }],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'a completion asks whether to show all',
    does: [many, shows(/^dev@box.*[#$]\n*$/), { text: 'ls n' }, press('Tab'), press('Tab')],
    at: [ends(/Display all 300 possibilities\? \(y or n\)/)],
    truth: key,
    proof: seen(/n100/, { text: 'y' }),
  },
  {
    name: 'a completion pages',
    does: [
      many.replace('300', '900'),
      'bind "set completion-query-items 0"; clear',
      shows(/^dev@box.*[#$]\n*$/),
      { text: 'ls n' },
      press('Tab'),
      press('Tab'),
    ],
    at: [ends(/--More--/)],
    truth: ['waiting/pager', ...key],
    proof: seen(/--More--|n99/, press('Space')),
  },
  {
    name: 'a completion of zsh asks whether to show all',
    shell: 'zsh',
    does: [
      'autoload -U compinit; compinit -D',
      many,
      shows(/^dev@box.*[#%]\n*$/),
      { text: 'ls n' },
      press('Tab'),
    ],
    at: [shows(/do you wish to see all 300 possibilities/)],
    truth: key,
    proof: seen(/n100/, { text: 'y' }),
  },
  {
    name: 'zsh asks before it removes all',
    shell: 'zsh',
    does: [many, 'rm *'],
    at: [shows(/sure you want to delete .* \[yn\]\?/)],
    truth: key,
    proof: seen(/\[yn\]\? n/, { text: 'n' }),
  },
  {
    name: 'zsh corrects',
    shell: 'zsh',
    does: ['setopt correct; clear', 'lss -d /'],
    at: [ends(/zsh: correct 'lss' to '.*' \[nyae\]\?/)],
    truth: key,
    proof: seen(/command not found|\[nyae\]\? n/, { text: 'n' }),
  },
  {
    name: 'tcsh corrects',
    needs: ['tcsh'],
    does: ['tcsh -f', last(/.*[#>]/), 'set correct=cmd', 'lss -d /'],
    at: [ends(/CORRECT>.*\(y\|n\|e\|a\)\?/)],
    truth: [...key, 'waiting/input'],
    proof: seen(/no|not found/, { text: 'n' }),
  },
  {
    name: 'gdb pages',
    needs: ['gdb'],
    does: [
      "gdb -q -nx -ex 'set debuginfod enabled off'",
      last(/\(gdb\)/),
      'help user-defined',
      'info functions',
      'help all',
    ],
    at: [shows(/--Type <RET> for more/)],
    truth: ['waiting/pager', 'waiting/input', ...key],
    proof: seen(/Quit|\(gdb\)$/m, 'q'),
  },
  {
    name: 'Prolog waits whether to look further',
    needs: ['swipl'],
    does: ['swipl -q', last(/(?:\d+ )?\?-/), 'member(X, [71, 73]).'],
    at: [ends(/X = 71/)],
    truth: key,
    proof: seen(/X = 73/, { text: ';' }),
  },
  {
    name: 'Forth waits for a key',
    needs: ['gforth'],
    does: ['gforth', shows(/bye/), 'key .'],
    at: [ends(/key \./)],
    truth: key,
    proof: seen(/97 {2}ok/, { text: 'a' }),
  },
  {
    name: 'ed takes lines of text',
    needs: ['ed'],
    does: ['ed', 'a', 'one'],
    at: [ends(/one/)],
    truth: input,
    proof: seen(/^one$/m, '.', '.p'),
  },
  {
    name: 'a debugger whose program runs',
    needs: ['perl'],
    does: [`perl -d -e '$| = 1; print "now\\n  DB<1> "; sleep 60; print "over\\n"'`, last(/\s*DB<1>/), 'c'],
    at: [ends(/now\n\s*DB<1>/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'a debugger whose program asks behind its prompt',
    needs: ['perl'],
    does: [
      `perl -d -e '$| = 1; print "\\n  DB<1> "; $x = <STDIN>; print "got:$x"; sleep 60'`,
      last(/\s*DB<1>/),
      'c',
    ],
    at: [ends(/c\n\n\s*DB<1>/)],
    truth: asking,
    proof: seen(/^got:yes/m, 'yes'),
  },
  {
    name: 'the debugger of Python runs its program',
    does: [
      `printf 'import time\\nprint("now\\\\n(Pdb) ", end="", flush=True); time.sleep(60); print("over")\\n' >{T}/p.py; {python} -m pdb {T}/p.py`,
      last(/\(Pdb\)/),
      'c',
    ],
    at: [ends(/now\n\(Pdb\)/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'the REPL of Python asks behind its prompt',
    does: ['{python} -q', last(/>>>/), "'got:' + input('>>> ')"],
    at: [ends(/\('>>> '\)\n>>>/)],
    truth: asking,
    proof: seen(/'got:yes'/, 'yes'),
  },
  {
    name: 'the REPL of Python runs in the background of a thread',
    does: [
      '{python} -q',
      last(/>>>/),
      "import time; print('now\\n>>> ', end='', flush=True); time.sleep(60); print('over')",
    ],
    at: [ends(/now\n>>>/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'the REPL of Node blocks behind its prompt',
    does: [
      '{node}',
      last(/>/),
      "process.stdout.write('now\\n> '), require('child_process').execSync('sleep 60'), console.log('over')",
    ],
    at: [ends(/now\n>/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'tail of a log that ends in a prompt',
    does: ["printf 'now\\ndev@box:~# ' >{T}/log; tail -f {T}/log"],
    at: [ends(/now\ndev@box:~#/)],
    truth: working,
    proof: isNotOver,
  },
  {
    name: 'a script of expect plays a session',
    needs: ['expect'],
    does: [`expect -c 'send_user "now\\n$ "; sleep 60; send_user over'`],
    at: [ends(/now\n\$/)],
    truth: working,
    proof: isNotOver,
  },
]

export const tempting: readonly Scenario[] = rows.map(row => ({
  shell: 'bash',
  ...row,
  group: 'looks ready',
  isUnseen: true,
}))
