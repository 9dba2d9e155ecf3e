/** What is sent never joins what is half typed, and never goes to a pager, an editor, a menu or a stopped terminal. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import type { TypeOptions } from '../../src/drive/terminal-options.ts'
import { lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

type Key = { readonly key: string }
const key = (name: string): Key => ({ key: name })
type Row = {
  readonly name: string
  readonly needs?: readonly string[]
  readonly command: readonly string[]
  /** Typed one after the other, each once the screen shows what it is waited for. */
  readonly does?: readonly (string | Key | RegExp)[]
}

const home = temporaryFolder()
mkdirSync(path.join(home, 'repository'))
for (const word of ['.zshrc', '.bashrc']) writeFileSync(path.join(home, word), '')
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', path.join(home, 'repository'), ...args])
if (hasProgram('git')) {
  git('init', '-q')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b')
  writeFileSync(path.join(home, 'repository', 'file'), 'one\n')
  git('add', '.')
  for (let n = 0; n < 10; n++) git('commit', '-qm', `commit ${n}`, '--allow-empty')
  writeFileSync(path.join(home, 'repository', 'file'), 'two\n')
}
const prompted = (prompt: string) => ['bash', '--rcfile', temporaryFile('rc', `PS1='${prompt}'`)] as const
const zsh = (...lines: readonly string[]) => {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, '.zshrc'), lines.join('\n'))
  return [`ZDOTDIR=${folder}`, 'zsh', '-d'] as const
}
const fish = (...lines: readonly string[]) =>
  // In a new home it would read all manual pages at once, in the background, for a minute.
  [`HOME=${temporaryFolder()}`, 'FISH_UNIT_TESTS_RUNNING=1', 'fish', '-C', lines.join('; ')] as const
const dollar = /[$#]$/m
const Enter = key('Enter')
const arrow = "PROMPT='➜  %1~ git:(main) ✗ '"
const curses = 'import curses; curses.wrapper(lambda s: (s.addstr("choose"), s.getch()))'

const bashVi = ['PS1=$ ', 'bash', '--norc', '-o', 'vi'] as const

const rawPython = (shown: string, reads = 'sys.stdin.read(1)') =>
  [
    'python3',
    '-c',
    `import sys, tty, select; tty.setraw(0); sys.stdout.write(${JSON.stringify(shown)}); sys.stdout.flush(); ${reads}`,
  ] as const

const notEmpty: readonly Row[] = [
  { name: 'bash, two-line prompt', command: prompted('\\w\\n$ '), does: [dollar, 'git commit -m "', /-m "/] },
  { name: 'bash, cursor at the beginning', command: bash, does: [dollar, 'rm -rf x', /x/, key('C-a')] },
  {
    name: 'bash, two rows long',
    command: bash,
    does: [dollar, `echo ${'1'.repeat(150)}`, /1\n1+$/m],
  },
  { name: 'zsh, robbyrussell', needs: ['zsh'], command: zsh(arrow), does: [/✗/, 'ls', /ls/] },
  {
    name: 'zsh, right prompt',
    needs: ['zsh'],
    command: zsh("PROMPT='$ '; RPROMPT=right"),
    does: [/right/, 'ls', /ls/],
  },
  {
    name: 'fish, ghost text',
    needs: ['fish'],
    command: fish('function fish_right_prompt; echo right; end'),
    does: [/right/, 'echo ghostly', Enter, /^ghostly/m, 'ec', /ec/],
  },
  { name: 'bash, a line that ends like a prompt', command: bash, does: [dollar, 'echo 5$ ', /5\$/] },
  {
    name: 'bash, vi command mode',
    command: bashVi,
    does: [dollar, 'half', /half/, key('Escape')],
  },
  { name: 'Python', needs: ['python3'], command: ['python3', '-q'], does: [/>>>/, 'print(', /print/] },
  {
    name: 'Python, begun',
    needs: ['python3'],
    command: ['python3', '-q'],
    does: [/>>>/, 'if 1:', Enter, /\.\.\./],
  },
  { name: 'Node', command: [process.execPath], does: [/^>$/m, 'let x = ', /let/] },
  {
    name: 'sqlite3, begun',
    needs: ['sqlite3'],
    command: ['sqlite3'],
    does: [/sqlite>/, 'select', Enter, /\.\.\.>/],
  },
  { name: 'sqlite3', needs: ['sqlite3'], command: ['sqlite3'], does: [/sqlite>/, 'sel', /sel/] },
  { name: 'bash, here-document', command: bash, does: [dollar, 'cat <<E', Enter, /^>/m] },
  {
    name: 'zsh, quotation',
    needs: ['zsh'],
    command: zsh("PROMPT='$ '"),
    does: [dollar, "echo '", Enter, /quote>/],
  },
  {
    name: 'bash, recalled',
    command: bash,
    does: [dollar, 'echo recalled', Enter, /^recalled/m, key('Up'), /\$ echo recalled$/m],
  },
  { name: 'bash, history search', command: bash, does: [dollar, key('C-r'), /i-search/] },
  { name: 'bash, a history search by its beginning', command: bash, does: [dollar, key('M-p'), /^\$ :/m] },
  { name: 'bash, vi commands on an empty line', command: bashVi, does: [dollar, key('Escape')] },
  {
    name: 'bash, a search of vi commands',
    command: bashVi,
    does: [dollar, 'echo run', Enter, /^run/m, key('Escape'), '/', /\$ \/$/m],
  },
  { name: 'bash, a count', command: bash, does: [dollar, key('M-5'), /arg: 5/] },
  {
    name: 'zsh, history search',
    needs: ['zsh'],
    command: zsh("PROMPT='$ '"),
    does: [dollar, 'echo run', Enter, /^run/m, key('C-r'), /i-search/],
  },
  {
    name: 'zsh, a command by its name',
    needs: ['zsh'],
    command: zsh("PROMPT='$ '"),
    does: [dollar, key('M-x'), /^execute/m],
  },
  {
    name: 'Python, history search',
    needs: ['python3'],
    command: ['python3', '-q'],
    does: [/>>>/, '1', Enter, /^1/m, key('C-r'), /i-search/],
  },
  {
    name: 'sqlite3, history search',
    needs: ['sqlite3'],
    command: ['sqlite3'],
    does: [/sqlite>/, key('C-r'), /i-search/],
  },
  { name: 'dash', needs: ['dash'], command: ['PS1=$ ', 'dash'], does: [dollar, 'rm -rf ', /rm -rf/] },
  {
    name: 'dash, begun',
    needs: ['dash'],
    command: ['PS1=$ ', 'dash'],
    does: [dollar, 'if true', Enter, /^>/m],
  },
  { name: 'ksh', needs: ['ksh'], command: ['PS1=$ ', 'ksh', '-o', 'emacs'], does: [dollar, 'half', /half/] },
  { name: 'mksh', needs: ['mksh'], command: ['PS1=$ ', 'mksh'], does: [dollar, 'half', /half/] },
  {
    name: 'bash without a line editor',
    command: ['PS1=$ ', 'bash', '--norc', '--noediting'],
    does: [dollar, 'half', /half/],
  },
  {
    name: 'bash behind script',
    needs: ['script'],
    command: ['PS1=$ ', 'script', '-qc', 'bash --norc', '/dev/null'],
    does: [dollar, 'half', /half/],
  },
  {
    name: 'bash, read -e',
    command: bash,
    does: [dollar, 'read -e -p "Name: " x', Enter, /^Name:/m, 'Bo', /Bo/],
  },
]

const empty: readonly Row[] = [
  { name: 'zsh, robbyrussell', needs: ['zsh'], command: zsh(arrow), does: [/✗/] },
  { name: 'zsh, right prompt', needs: ['zsh'], command: zsh("PROMPT='$ '; RPROMPT=right"), does: [/right/] },
  {
    name: 'fish, right prompt',
    needs: ['fish'],
    command: fish('function fish_right_prompt; echo right; end'),
    does: [/right/],
  },
  { name: 'bash, two signs', command: prompted('λ \\W » '), does: [/»/] },
  { name: 'bash, no sign', command: prompted('ready: '), does: [/ready:/] },
  {
    name: 'bash, output behind the prompt',
    command: bash,
    does: [dollar, '(sleep .2; echo late) &', Enter, /late$/m],
  },
  { name: 'bash, read -e', command: bash, does: [dollar, 'read -e -p "Name: " x', Enter, /^Name:/m] },
  { name: 'bash, read', command: bash, does: [dollar, 'read -p "Go on? [y/N] " x', Enter, /^Go on/m] },
  { name: 'dash', needs: ['dash'], command: ['PS1=$ ', 'dash'], does: [dollar] },
  { name: 'ksh', needs: ['ksh'], command: ['PS1=$ ', 'ksh', '-o', 'emacs'], does: [dollar] },
  { name: 'Python', needs: ['python3'], command: ['python3', '-q'], does: [/>>>/] },
  { name: 'Node', command: [process.execPath], does: [/^>$/m] },
]

const noText: readonly Row[] = [
  { name: 'less', needs: ['less'], command: ['less', '/etc/services'], does: [/tcp/] },
  {
    name: 'git log',
    needs: ['git', 'less'],
    command: [...bash],
    does: [dollar, `git -C ${home}/repository log`, Enter, /^:/m],
  },
  { name: 'man', needs: ['man', 'less'], command: ['man', 'sh'], does: [/Manual page/] },
  { name: 'more', needs: ['more'], command: ['more', '/etc/services'], does: [/More/] },
  {
    name: 'git add -p',
    needs: ['git'],
    command: [...bash],
    does: [dollar, `cd ${home}/repository; git add -p`, Enter, /\?\]\?/],
  },
  {
    name: 'vi from git commit',
    needs: ['git', 'vi'],
    command: [...bash],
    does: [dollar, `cd ${home}/repository; EDITOR=vi git commit -a`, Enter, /^~/m],
  },
  { name: 'nano', needs: ['nano'], command: ['nano', `${home}/note`], does: [/Exit/] },
  { name: 'select', command: bash, does: [dollar, 'select x in one two; do echo $x; done', Enter, /#\?/] },
  {
    name: 'dialog',
    needs: ['dialog'],
    command: ['dialog', '--menu', 'which', '10', '30', '3', 'a', 'one', 'b', 'two'],
    does: [/which/],
  },
  {
    name: 'whiptail',
    needs: ['whiptail'],
    command: ['whiptail', '--menu', 'which', '10', '30', '3', 'a', 'one', 'b', 'two'],
    does: [/a one/],
  },
  {
    name: 'fzf',
    needs: ['fzf'],
    command: [...bash],
    does: [dollar, 'printf "a\\nb\\n" | fzf', Enter, /2\/2/],
  },
  {
    name: 'fzf in some rows',
    needs: ['fzf'],
    command: [...bash],
    does: [dollar, 'printf "a\\nb\\n" | fzf --height 5', Enter, /2\/2/],
  },
  { name: 'a program of curses', needs: ['python3'], command: ['python3', '-c', curses], does: [/choose/] },
  {
    name: 'a question for one key',
    command: [...bash],
    does: [dollar, 'read -n1 -p "Delete all? " x', Enter, /^Delete/m],
  },
  {
    name: 'a question for one key without an echo',
    command: [...bash],
    does: [dollar, 'read -s -n1 -p "Delete all? [y/n] " x', Enter, /^Delete/m],
  },
  {
    name: 'a question for one key above the cursor',
    command: [...bash],
    does: [dollar, 'echo "Press any key"; read -s -n1', Enter, /^Press/m],
  },
  {
    name: 'readline, a question for one key',
    command: [...bash],
    does: [dollar, 'read -e -n1 -p "Delete all? " x', Enter, /^Delete/m],
  },
  {
    name: 'a program that reads a key',
    needs: ['python3'],
    command: rawPython('Overwrite? (y/N)'),
    does: [/N/],
  },
  {
    name: 'a program that reads a key in silence',
    needs: ['python3'],
    command: rawPython('up\r\n'),
    does: [/up/],
  },
  {
    name: 'a program that watches the keys',
    needs: ['python3'],
    command: rawPython('up\r\n', 'select.select([0], [], [], 100)'),
    does: [/up/],
  },
  {
    name: "gdb's pager",
    needs: ['gdb'],
    command: ['gdb', '-q', '-nx', '-ex', 'set height 5', '-ex', 'help data'],
    does: [/--Type/],
  },
  {
    name: 'dd of one byte',
    command: [...bash],
    does: [dollar, 'stty -icanon -echo; echo up; dd bs=1 count=1', Enter, /^up/m],
  },
  ...['C-x', 'C-]', 'C-v', 'Escape', 'M-5'].map(name => ({
    name: `bash, after ${name}`,
    command: bash,
    does: [dollar, key(name)],
  })),
  ...['C-x', 'M-5'].map(name => ({
    name: `zsh, after ${name}`,
    needs: ['zsh'],
    command: zsh("PROMPT='$ '"),
    does: [dollar, key(name)],
  })),
  {
    name: 'Python, after M-5',
    needs: ['python3'],
    command: ['python3', '-q'],
    does: [/>>>/, key('M-5'), /arg: 5/],
  },
  { name: 'top', needs: ['top'], command: ['top'], does: [/PID/] },
  {
    name: 'a pager behind sudo',
    needs: ['sudo', 'less'],
    command: ['script', '-qc', 'sudo less /etc/services', '/dev/null'],
    does: [/tcp/],
  },
]

/** A key does something else than its letter, and nothing tells so before. */
const mangled: readonly Row[] = [
  { name: 'bash', command: prompted('$ \'; bind \'"X":"mangled"\'; : \''), does: [dollar] },
  { name: 'zsh', needs: ['zsh'], command: zsh("PROMPT='$ '", "bindkey -s X 'mangled'"), does: [dollar] },
  { name: 'fish', needs: ['fish'], command: fish('bind X "commandline -i mangled"'), does: [/[>#]/] },
  {
    name: 'fish, vi commands',
    needs: ['fish'],
    command: fish('fish_vi_key_bindings'),
    does: [/[>#]/, key('Escape'), /\[N\]/],
  },
  {
    name: 'mksh, vi commands',
    needs: ['mksh'],
    command: ['PS1=$ ', 'mksh', '-o', 'vi'],
    does: [dollar, key('Escape')],
  },
]

describe.runIf(hasProgram('tmux'))('lull send', () => {
  const server = tmuxServer()
  const word = 'XYZZY'

  async function set({
    command,
    does = [],
  }: Row): Promise<{ readonly pane: string; readonly terminal: Terminal }> {
    const pane = server.start(...command)
    for (const step of does) {
      if (step instanceof RegExp)
        await until(
          () => server.screen(pane),
          screen => step.test(screen),
          String(step),
        )
      else if (typeof step === 'string') server.tmux('send-keys', '-t', pane, '-l', '--', step)
      else server.tmux('send-keys', '-t', pane, step.key)
    }
    const terminal = await server.of(pane)
    // It prints before it reads, and text for who has not begun to read is typed ahead by design.
    await until(
      () => terminal.settle(),
      ({ verdict }) => !/nobody reads the terminal/.test(verdict.why),
      'somebody who reads',
    )
    return { pane, terminal }
  }
  const missing = ({ needs = [] }: Row) => needs.some(program => !hasProgram(program))
  const sends = (terminal: Terminal, options: TypeOptions = {}) =>
    terminal.send(word, { enter: false, ...options })
  const refused = { code: 'REFUSED_TO_TYPE', exit: 3, facts: { outcome: 'waitsForPerson', typed: 0 } }

  test.each(notEmpty)('a line that is not empty is joined by nothing: $name', async row => {
    if (missing(row)) return void process.stderr.write(`skipped: ${row.needs} is wanted\n`)
    const { pane, terminal } = await set(row)
    await expect(sends(terminal)).rejects.toMatchObject(refused)
    expect(server.screen(pane)).not.toContain(word)
    await sends(terminal, { clear: true })
    const after = await until(
      () => server.screen(pane),
      screen => screen.includes(word),
    )
    expect(after).toMatch(new RegExp(`[$#>✗»:] ?${word}`, 'm'))
  })

  test.each(empty)('an empty line takes it: $name', async row => {
    if (missing(row)) return void process.stderr.write(`skipped: ${row.needs} is wanted\n`)
    const { pane, terminal } = await set(row)
    await sends(terminal)
    await until(
      () => server.screen(pane),
      screen => screen.includes(word),
    )
  })

  test.each(noText)('what reads no text gets none: $name', async row => {
    if (missing(row)) return void process.stderr.write(`skipped: ${row.needs} is wanted\n`)
    const { pane, terminal } = await set(row)
    await expect(sends(terminal)).rejects.toMatchObject(refused)
    expect(server.screen(pane)).not.toContain(word)
  })

  test.each([
    ['its own list', ['choose-tree']],
    ['copy mode', ['copy-mode']],
    ['its command line', ['command-prompt', '-b', '-t']],
  ])('an inner tmux that shows %s gets nothing', async (_, words) => {
    const socket = path.join(temporaryFolder(), 'inner')
    const pane = server.start(
      'TMUX=',
      'tmux',
      '-S',
      socket,
      '-f',
      '/dev/null',
      'new',
      'PS1=\\$\\  bash --norc',
    )
    await until(
      () => server.screen(pane),
      screen => /\[0\]/.test(screen) && dollar.test(screen),
    )
    const terminal = await server.of(pane)
    const inner = (...args: readonly string[]) =>
      execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' })
    const client = inner('list-clients', '-F', '#{client_tty}').trim()
    const isForClient = words.includes('-t')
    inner(...words, ...(isForClient ? [client] : []))
    if (!isForClient)
      await until(
        () => inner('display-message', '-p', '#{pane_in_mode}').trim(),
        mode => mode === '1',
      )
    await expect(sends(terminal)).rejects.toMatchObject(refused)
    server.tmux('send-keys', '-t', pane, isForClient ? 'Escape' : 'q')
    await until(
      () =>
        sends(terminal).then(
          () => true,
          () => false,
        ),
      isSent => isSent,
    )
    await until(
      () => inner('capture-pane', '-p'),
      screen => screen.includes(word),
    )
    inner('kill-server')
  })

  test('on the command line: the sentence, and the exit code', async () => {
    const { pane } = await set({ name: '', command: bash, does: [dollar, 'rm -rf ', /rm -rf/] })
    const send = (...args: readonly string[]) =>
      lull(['send', `tmux:${pane}`, '--socket', server.socket, ...args, '/path'])
    const said = await send()
    expect(said).toMatchObject({ code: 3, stderr: expect.stringContaining('"rm -rf"') })
    expect(said.stderr).toContain('--clear')
    expect(await send('--clear', '--append')).toMatchObject({ code: 2 })
    expect(await send('--append', '--no-enter')).toMatchObject({ code: 0 })
    await until(
      () => server.screen(pane),
      screen => screen.includes('$ rm -rf /path'),
    )
    expect(await send('--clear', '--no-enter')).toMatchObject({ code: 0 })
    await until(
      () => server.screen(pane),
      screen => /^\$ \/path$/m.test(screen),
    )
  })

  test.each(mangled)('what its line does not hold is not entered: $name', async row => {
    if (missing(row)) return void process.stderr.write(`skipped: ${row.needs} is wanted\n`)
    const { pane, terminal } = await set(row)
    await expect(terminal.send(`echo ${word}`)).rejects.toMatchObject({
      ...refused,
      facts: { outcome: 'waitsForPerson', typed: 10 },
    })
    expect(server.screen(pane)).not.toMatch(/^XYZZY|not found|unknown/im)
  })

  test('a menu takes it by force', async () => {
    if (!hasProgram('fzf')) return void process.stderr.write('skipped: fzf is wanted\n')
    const { pane, terminal } = await set(noText.find(({ name }) => name === 'fzf') as Row)
    await sends(terminal, { force: true })
    await until(
      () => server.screen(pane),
      screen => screen.includes(`> ${word}`),
    )
  })
})
