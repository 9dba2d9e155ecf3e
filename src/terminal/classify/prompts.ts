/**
 * How prompts and questions look: the only place for such patterns. They refine the kernel's evidence, or replace it
 * where there is none. A pattern is matched with the cursor's line up to the cursor.
 */
import type { WaitingFor } from '../../core/state.ts'

type PromptCategory =
  | 'shell'
  | 'continuation'
  | 'repl'
  | 'confirmation'
  | 'question'
  | 'password'
  | 'keypress'
  | 'pager'

export type PromptPattern = {
  readonly id: string
  readonly pattern: RegExp
  readonly category: PromptCategory
  /** `broad`: output may well look so; worth something only where it is known that the terminal is read. */
  readonly strength: 'strict' | 'broad'
  readonly description: string
  readonly source: string
}

const vscode = 'VS Code, terminal input patterns'
const measured = 'own measurements, docs/research/terminal.md'

/** The first that matches counts: passwords before questions, continuations before shells. */
export const promptPatterns: readonly PromptPattern[] = [
  {
    id: 'password',
    pattern: /(?:password|passphrase|passcode|PIN)(?: for [^:]+)?[^:\n]{0,60}[:：]\s*$/i,
    category: 'password',
    strength: 'strict',
    description: 'Password:, [sudo] password for ada:, Enter passphrase for key …:',
    source: vscode,
  },
  {
    id: 'search',
    pattern: /^\((?:reverse-|failed )*i-search\)|(?:bck|fwd)-i-search: |^execute: /,
    category: 'continuation',
    strength: 'strict',
    description: 'the history search of readline and zle; what zle asks for at M-x',
    source: measured,
  },
  {
    id: 'ps2-zsh',
    pattern:
      /^(?:(?:[dbs]?quote|heredoc|cmdsubst|mathsubst|cmdor|cmdand|pipe|for|foreach|while|until|repeat|if|then|elif|else|case|select|function|subsh|cursh|array|cond|braceparam|errpipe|always|elif-then)\s?)+> ?/,
    category: 'continuation',
    strength: 'strict',
    description: 'zsh names what is open: dquote>, for then>',
    source: 'zshmisc(1), %_',
  },
  {
    id: 'ps2',
    pattern: /^> /,
    category: 'continuation',
    strength: 'strict',
    description: 'the PS2 of POSIX shells',
    source: 'POSIX.1-2017, Shell 2.5.3',
  },
  {
    id: 'yes-no',
    pattern:
      /[[(]\s*(?:y(?:es)?\s*(?:[/|,]|\bor\b)\s*n(?:o)?|n(?:o)?\s*(?:[/|,]|\bor\b)\s*y(?:es)?)(?:\s*[/|,][^\])]{0,40})?\s*[\])]{1,2}\s*[:?>]?\s*$/i,
    category: 'confirmation',
    strength: 'strict',
    description: '[y/N], (yes/no/[fingerprint])?, [y,n,q,a,d,e,?]?, (y or n)',
    source: `${vscode}; OpenSSH sshconnect.c; git add-patch.c; readline complete.c`,
  },
  {
    id: 'letters',
    pattern: /\?? \[(?=[a-z]*y)(?=[a-z]*n)[a-z]{2,5}\]\s*[:?]?\s*$/,
    category: 'confirmation',
    strength: 'strict',
    description: 'one letter each: [yn]?, [nyae]?',
    source: 'zsh exec.c and utils.c, checkrmall, spckword',
  },
  {
    id: 'see-all',
    pattern: /\b(?:see|show|display|list) all \d+ (?:possibilities|matches|completions)\b[^\n]{0,30}\?\s*$/i,
    category: 'confirmation',
    strength: 'strict',
    description: 'do you wish to see all 200 possibilities (50 lines)?',
    source: 'zsh Zle/compresult.c, asklist; readline complete.c',
  },
  {
    id: 'remove',
    pattern: /^(?:rm|mv|cp): .*\?\s*$/,
    category: 'confirmation',
    strength: 'strict',
    description: 'rm -i, mv -i, cp -i',
    source: 'GNU coreutils',
  },
  {
    id: 'continue',
    pattern: /\b(?:continue|proceed|are you sure|overwrite|ok)\b[^\n]{0,40}\?\s*$/i,
    category: 'confirmation',
    strength: 'broad',
    description: 'Continue?',
    source: vscode,
  },
  {
    id: 'press-key',
    pattern: /\b(?:press|hit|strike)\b.{0,30}\b(?:key|enter|return|space)\b/i,
    category: 'keypress',
    strength: 'strict',
    description: 'Press any key to continue, Press Enter',
    source: vscode,
  },
  {
    id: 'pager-end',
    pattern:
      /^\s*(?:\(END\)|.* \(END\)|--More--.*|--Type <\w+> (?:for more|to continue),.*--|lines \d+-\d+.*|Manual page .*)\s*$|^:$/,
    category: 'pager',
    strength: 'strict',
    description: "less, more, man's and gdb's last line",
    source: vscode,
  },
  {
    id: 'inquirer',
    pattern: /^\s*\?.*[›❯▸▶]\s*$/,
    category: 'question',
    strength: 'strict',
    description: 'the prompts of inquirer and its kin',
    source: vscode,
  },
  {
    id: 'select',
    pattern: /^#\? $/,
    category: 'question',
    strength: 'strict',
    description: "the PS3 of the shells' select",
    source: 'bash(1), PS3',
  },
  {
    id: 'python',
    pattern: /^>>> $/,
    category: 'repl',
    strength: 'strict',
    description: 'Python',
    source: 'sys.ps1',
  },
  {
    id: 'named-repl',
    pattern:
      /^(?:\((?:gdb|lldb|Pdb|ipdb|rdb:\d+)\)|In \[\d+\]:|sqlite>|mysql>|ghci>|irb\([^)]*\):\d+:\d+>) $/,
    category: 'repl',
    strength: 'strict',
    description: 'gdb, lldb, pdb, IPython, sqlite3, mysql, ghci, irb',
    source: measured,
  },
  {
    id: 'fish-read',
    pattern: /^read> $/,
    category: 'question',
    strength: 'strict',
    description: "the prompt of fish's read",
    source: 'fish read(1)',
  },
  {
    id: 'shell-symbol',
    // A digit before the percent sign is progress.
    pattern: /(?:(?:^|[\s)\]}~/\w:.])[$#❯➜λ»⟩›]|(?:^|[\s)\]}~/a-zA-Z:.])%) ?$/u,
    category: 'shell',
    strength: 'strict',
    description: 'user@host:~$, root#, zsh %, ❯ and other signs of themes',
    source: measured,
  },
  {
    id: 'shell-angle',
    pattern: /^[^<>]*[\w~/)\]\\]> ?$/,
    category: 'shell',
    strength: 'strict',
    description: "fish's user@host ~>, PowerShell",
    source: measured,
  },
  {
    id: 'colon',
    pattern: /: ?$/,
    category: 'question',
    strength: 'broad',
    description: 'Name:',
    source: vscode,
  },
  {
    id: 'question-mark',
    pattern: /\?\s*$/,
    category: 'question',
    strength: 'broad',
    description: 'What is your name?',
    source: vscode,
  },
]

const answers = ['confirmation', 'password', 'keypress', 'pager'] as const

/** What kind of answer a text on the cursor's line wants of somebody who is known to be asked. */
export function asksFor(text: string | undefined): WaitingFor {
  const category = text === undefined ? undefined : matchPrompt(text)?.category
  return answers.find(answer => answer === category) ?? 'input'
}

/** A prompt is shorter; patterns take long for the lines of a program that never ends one. */
const longest = 300

/** @param text the cursor's line up to the cursor, blanks kept */
export function matchPrompt(text: string): PromptPattern | undefined {
  if (text.trim() === '') return undefined
  // Where a line is cut, nothing is its beginning.
  const end = text.length > longest ? `…${text.slice(-longest)}` : text
  return promptPatterns.find(({ pattern }) => pattern.test(end))
}
