/** The table of prompts: each row matches what it is for, and none what programs print while they run. */
import { describe, expect, test } from 'vitest'
import { asksFor, matchPrompt, promptPatterns } from '../../src/terminal/classify/prompts.ts'

/** A line for each row that this row, and none before it, matches. */
const examples: Readonly<Record<string, readonly string[]>> = {
  password: [
    'Password: ',
    '[sudo] password for ada: ',
    "Enter passphrase for key '/home/ada/.ssh/id': ",
    "ada@box's password: ",
  ],
  search: ["(reverse-i-search)`': ", "(failed reverse-i-search)`x': ", 'bck-i-search: _'],
  'ps2-zsh': ['dquote> ', 'for> ', 'cmdsubst heredoc> ', 'pipe quote> '],
  ps2: ['> ', '> and the rest'],
  'yes-no': [
    'Continue? [y/N] ',
    'Really (yes/no)? ',
    'Replace? [Y/n/a]: ',
    'Show all of them? (y or n)',
    '(1/1) Stage this hunk [y,n,q,a,d,e,?]? ',
    'Are you sure you want to continue connecting (yes/no/[fingerprint])? ',
  ],
  letters: ["zsh: correct 'gti' to 'git' [nyae]? ", 'remove all of them [yn]? '],
  'see-all': ['do you wish to see all 212 possibilities (53 lines)? ', 'Display all 180 matches?'],
  remove: ["rm: remove regular file 'x'? ", "mv: overwrite 'b'? "],
  continue: ['Do you want to continue? ', 'Overwrite it? '],
  'press-key': ['Press any key to continue...', 'Hit ENTER to go on'],
  'pager-end': [
    '(END)',
    '--More--(12%)',
    ':',
    'file.txt (END)',
    ' Manual page ls(1) line 1 (press h for help or q to quit)',
  ],
  inquirer: ['? Project name: › ', '  ? Which one ❯ '],
  select: ['#? '],
  python: ['>>> '],
  'named-repl': ['(gdb) ', '(Pdb) ', 'In [3]: ', 'sqlite> '],
  'fish-read': ['read> '],
  'shell-symbol': [
    'ada@box:~/src$ ',
    'root@box:/# ',
    'bash-5.2# ',
    '❯ ',
    'λ ',
    '➜ ',
    '[ada@box ~]$ ',
    '$',
    'box% ',
    '% ',
  ],
  'shell-angle': ['ada@box ~> ', 'PS C:\\Users> '],
  colon: ['Name: '],
  'question-mark': ['What is your name? '],
}

describe('the table of prompts', () => {
  test.each(promptPatterns.map(({ id }) => id))('%s', id => {
    const lines = examples[id] ?? []
    expect(lines).not.toHaveLength(0)
    expect(lines.filter(line => matchPrompt(line)?.id !== id)).toEqual([])
  })
  test('has an id for each row, once', () => {
    expect(new Set(promptPatterns.map(({ id }) => id)).size).toBe(promptPatterns.length)
    expect(Object.keys(examples).filter(id => !promptPatterns.some(row => row.id === id))).toEqual([])
  })
  test.each([
    '',
    '   ',
    'Compiling foo v0.1.0',
    'Receiving objects:  20%',
    '100%',
    '[12:30:01] listening',
    'ok',
    '-> x',
    'a => b',
    'Done.',
    '50/100',
    'x <b>',
  ])('takes %j for no strict prompt', line => {
    const match = matchPrompt(line)
    expect(match?.strength === 'strict' ? match.id : undefined).toBeUndefined()
  })
  test('says what answer is wanted', () => {
    expect(asksFor('Password: ')).toBe('password')
    expect(asksFor('Continue? [y/N] ')).toBe('confirmation')
    expect(asksFor('Press any key')).toBe('keypress')
    expect(asksFor('Name: ')).toBe('input')
    expect(asksFor(undefined)).toBe('input')
  })
})
