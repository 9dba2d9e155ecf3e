import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import { matchPrompt, promptPatterns } from '../../src/terminal/classify/prompts.ts'
import { isNamedPrompt, replOf } from '../../src/terminal/classify/repl/repls.ts'
import { beforeCursor, isFreshLine, tailScreen } from '../../src/terminal/classify/screen-text.ts'
import { programName, shellOf } from '../../src/terminal/classify/shells.ts'
import type { Probe, StreamMarks, TerminalRead } from '../../src/terminal/probe/probed.ts'
import { probeOf, process as program, type Told, word } from '../support/probes.ts'

/**
 * Every recorded terminal, and every prompt that is known, is judged as it was before: as it is, and with one thing about it
 * changed. Where a change is meant, `LULL_KEEP_LOOKS=1 npx vitest run test/terminal/same-looks.test.ts` writes the new
 * judgements: read the diff.
 */

const kept = path.join(import.meta.dirname, 'same-looks.txt')
const recorded = readFileSync(path.join(import.meta.dirname, '../snapshots/terminal.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as { readonly scenario: string; readonly probe: Probe })

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

function judged(probe: Probe, learned: Learned = nothingLearned): string {
  const verdict = classify(probe, learned)
  const { tier, why, observeAgainIn, isContinuation, behind, prompt, exitCode, reader } = verdict
  const more = [
    observeAgainIn === undefined ? '' : `again in ${observeAgainIn}`,
    isContinuation ? 'continued' : '',
    behind === undefined ? '' : `behind ${behind}`,
    prompt === undefined ? '' : `prompt ${JSON.stringify(prompt)}`,
    exitCode === undefined ? '' : `exit ${exitCode}`,
    `reader ${reader}`,
  ].filter(part => part !== '')
  return `${word(verdict)} ${tier} ${verdict.confidence} (${why}) ${more.join(', ')}`
}

const shortly = (probe: Probe, learned?: Learned): string => {
  const verdict = classify(probe, learned)
  return `${word(verdict)} ${verdict.tier} ${digestOf(judged(probe, learned))}`
}

type Change = (probe: Probe) => Probe

const ofCalls =
  (change: (call: TerminalRead) => TerminalRead): Change =>
  probe => ({
    ...probe,
    processes: probe.processes.map(one => ({
      ...one,
      calls: one.calls.map(call => (call.type === 'reads' ? change(call) : call)),
    })),
  })
const withStream =
  (more: Partial<StreamMarks>): Change =>
  probe => ({ ...probe, stream: { lastOutput: 0, ...probe.stream, ...more } })
const withMode =
  (canonical: boolean, echo: boolean): Change =>
  probe => ({ ...probe, termios: { canonical, echo, signals: true } })

/** One thing that is otherwise about a terminal, or about who looks at it. */
const changes: Readonly<Record<string, Change>> = {
  'no screen': ({ screen: _, ...probe }) => probe,
  'a blank screen': probe => ({
    ...probe,
    screen: { rows: [''], columns: 80, cursor: { row: 0, column: 0 } },
  }),
  'another program fills it': probe => ({
    ...probe,
    ...(probe.screen && { screen: { ...probe.screen, alternate: true } }),
  }),
  'nobody watched': ({ stream: _, quiet: __, ...probe }) => probe,
  'quiet for long': probe => ({ ...probe, quiet: 60_000 }),
  'just printed': probe => ({ ...probe, quiet: 0 }),
  'no kernel': probe => ({ ...probe, hasKernel: false }),
  'no kernel, quiet': probe => ({ ...probe, hasKernel: false, quiet: 500 }),
  'no kernel, almost quiet': probe => ({ ...probe, hasKernel: false, quiet: 499 }),
  'no settings': ({ termios: _, ...probe }) => probe,
  'lines, echoed': withMode(true, true),
  'lines, hidden': withMode(true, false),
  'keys, echoed': withMode(false, true),
  'keys, hidden': withMode(false, false),
  'input lies there': probe => ({ ...probe, queued: 5 }),
  'it has ended': probe => ({ ...probe, gone: { code: 1 } }),
  'told of a prompt': withStream({ semantic: { mark: 'B', at: 1, exitCode: 3 } }),
  'told of a command': withStream({ semantic: { mark: 'C', at: 1 } }),
  'a line editor': withStream({ bracketedPaste: { on: true, at: 1 } }),
  'no line editor': withStream({ bracketedPaste: { on: false, at: 1 } }),
  'a guessed call': ofCalls(({ count: _, depth: __, ...call }) => ({ ...call, isGuessed: true })),
  'a call without its depth': ofCalls(({ depth: _, ...call }) => call),
  'a call of another depth': ofCalls(call => ({ ...call, depth: (call.depth ?? 0) + 512 })),
  'a call with others': ofCalls(call => ({ ...call, others: call.others + 1 })),
  'a call for a time': ofCalls(call => ({ ...call, isTimed: true })),
  'a plain read': ofCalls(call => ({ ...call, name: 'read', count: 1 })),
  'a read as at a prompt': ofCalls(call => ({ ...call, name: 'read', count: 8192 })),
  'all is hidden': probe => ({
    ...probe,
    processes: probe.processes.map(({ readChars: _, ...one }) => ({ ...one, calls: [{ type: 'hidden' }] })),
  }),
  'all run': probe => ({
    ...probe,
    processes: probe.processes.map(one => ({ ...one, state: 'R', calls: [{ type: 'running' }] })),
  }),
  'all are stopped': probe => ({ ...probe, processes: probe.processes.map(one => ({ ...one, state: 'T' })) }),
  'all write': probe => ({
    ...probe,
    quiet: 1000,
    processes: probe.processes.map(one => ({ ...one, calls: [{ type: 'writes', name: 'write' }] })),
  }),
  'all write, just now': probe => ({
    ...probe,
    quiet: 999,
    processes: probe.processes.map(one => ({ ...one, calls: [{ type: 'writes', name: 'write' }] })),
  }),
  'nobody is there': probe => ({ ...probe, processes: [] }),
  'behind ssh': probe => ({ ...probe, relay: { pid: 9, name: 'ssh' } }),
  'behind ssh, quiet': probe => ({ ...probe, relay: { pid: 9, name: 'ssh' }, quiet: 500 }),
  'behind tmux': probe => ({
    ...probe,
    termios: { canonical: false, echo: false, signals: false },
    relay: { pid: 9, name: 'tmux' },
    inner: probe,
  }),
}

const ofScenario = ({ scenario, probe }: (typeof recorded)[number]): string => {
  const learned = learn(learn(nothingLearned, probe), { ...probe, quiet: 60_000 })
  const asIs = word(classify(probe))
  const others = Object.entries(changes).flatMap(([what, change]) => {
    const otherwise = word(classify(change(probe)))
    return otherwise === asIs ? [] : [`${what}: ${otherwise}`]
  })
  const all = Object.values(changes).flatMap(change => [
    judged(change(probe)),
    judged(change(probe), learned),
  ])
  return [
    `# ${scenario}`,
    judged(probe),
    judged(probe, learned),
    `otherwise: ${others.join('; ')}`,
    `all: ${digestOf(JSON.stringify([learned.idle, all]))}`,
  ].join('\n')
}

const prompts: readonly string[] = [
  ...[
    'Password: ',
    '[sudo] password for ada: ',
    'Enter passphrase for key /x: ',
    'PIN： ',
    'Password for a:b: ',
  ],
  ...['xPassword:', 'Passwort: ', `password ${'x'.repeat(61)}: `, 'passcode', 'PASSWORD:  '],
  ...[
    "(reverse-i-search)`x': ls",
    "(failed reverse-i-search)`x': ",
    "(i-search)`x': ",
    'bck-i-search: x',
    'fwd-i-search: ',
  ],
  ...[
    'x (reverse-i-search)',
    'dquote> ',
    'for then>',
    'if else then> ',
    'heredoc>',
    'xquote> ',
    'quote',
    'array> x',
  ],
  ...['elif-then> ', 'cmdsubst pipe> ', '> ', '>', '> x', ' > ', '>> '],
  ...[
    'Continue? [y/N] ',
    'ok (yes/no)? ',
    '[Y/n]: ',
    '(yes/no/[fingerprint])? ',
    '[y,n,q,a,d,e,?]? ',
    '(n/y)',
    '[ y | n ]>',
  ],
  ...['[y/x] ', 'y/n', '[y/n', '(y/n) x', '[no/yes] ', '[yes,no,abc]'],
  ...[
    'rm: remove regular file x? ',
    'mv: overwrite x? ',
    'cp: overwrite?',
    'ln: replace x? ',
    'x rm: remove? ',
    'rm: x',
  ],
  ...[
    'Continue?',
    'Do you want to proceed? ',
    'Are you sure about it?',
    'overwrite x? ',
    'OK? ',
    'okay? ',
    `ok ${'x'.repeat(41)}?`,
  ],
  ...[
    'discontinue?',
    'continue',
    'Press any key to continue',
    'Hit Enter',
    'strike the space bar',
    'Press RETURN…',
    'press x',
  ],
  ...['compress key', `press ${'x'.repeat(31)} key`, 'presskey'],
  ...[
    '(END)',
    'x (END)',
    '--More--(5%)',
    ':',
    'lines 1-24',
    'lines 1-24/99 (END)',
    'Manual page ls(1) line 1',
    ' : ',
    'lines x',
    'x:y',
  ],
  ...['x --More--', '? name ›', '? name ❯ ', '? name x', 'a? b ›', ' ? x ▶', '#? ', '#?', 'x#? '],
  ...[
    '>>> ',
    '>>>',
    '... ',
    'In [5]: ',
    '   ...: ',
    '(Pdb) ',
    '(ipdb) ',
    '(Pdb++) ',
    '>>>> ',
    '.... ',
    '(gdb) ',
    '(lldb) ',
    '(rdb:1) ',
  ],
  ...[
    'sqlite> ',
    '   ...> ',
    'mysql> ',
    'MariaDB [x]> ',
    '    -> ',
    "    '> ",
    'ghci> ',
    'Prelude> ',
    '*Main> ',
    'irb(main):001:0> ',
  ],
  ...[
    'irb(main):001> ',
    'irb(main):001:1* ',
    '[1] pry(main)> ',
    'read> ',
    'xread> ',
    'debug> ',
    'Browse[1]> ',
    '+ ',
    'lua_debug> ',
  ],
  ...[
    'php > ',
    'php { ',
    'julia> ',
    '127.0.0.1:6379> ',
    'host:6379[1]> ',
    'not connected> ',
    'test> ',
    'Atlas rs0 [primary] test> ',
  ],
  ...[
    'sftp> ',
    'ftp> ',
    'postgres=# ',
    'postgres=> ',
    'postgres-# ',
    'db"> ',
    'db=*> ',
    '  5: ',
    ' > ',
    '   >',
  ],
  ...[
    'ada@box:~$ ',
    'root@box:/# ',
    '$ ',
    '# ',
    '$',
    '% ',
    'box% ',
    '5% ',
    '50%',
    '100 % ',
    '❯ ',
    '➜ ',
    'x λ ',
    '~ ⟩ ',
    'a›',
    'x$y',
  ],
  ...[
    'ada@box ~> ',
    'PS C:\\> ',
    '~/src> ',
    'foo(bar)> ',
    'a<b> ',
    '-> ',
    'mytool> ',
    'mytool (x)> ',
    '(mytool) ',
    'MyTool@host> ',
  ],
  ...[
    'mytool[5]> ',
    'other> ',
    'Name: ',
    'Name:',
    'Name:x',
    'What is your name? ',
    'why?',
    '',
    '   ',
    'plain text',
    'x '.repeat(200),
  ],
  ...[
    'x >>> ',
    'x (gdb) ',
    'x (lldb) ',
    '12: ',
    ' 12> ',
    'a   ...> ',
    'x sqlite> ',
    'x mysql> ',
    'x irb(main):001:0> ',
    'In [15]: ',
  ],
  ...[
    'irb(main):001:12> ',
    'irb(main):001>',
    '[12] pry(main)> ',
    'irb(main):1:12* ',
    'x irb(main):1:1* ',
    'Prelude Data.List> ',
    'ab| ',
  ],
  ...[
    'x + ',
    'Browse[12]> ',
    'x Browse[1]> ',
    'x lua_debug> ',
    'x php { ',
    'x php > ',
    'x julia> ',
    'host:6379[12]> ',
    'x sftp> ',
    '>>> x',
  ],
  ...[
    '#? x',
    '(gdb) x',
    'read> x',
    'rm: x? y',
    'a? › x',
    'x> y',
    'In [5]: x',
    '(rdb:12) ',
    'mysql> x',
    "db'> ",
    'db-!> ',
    'db=!# ',
  ],
  ...[
    'MariaDB [ab]> ',
    'x MariaDB [a]> ',
    'x     -> ',
    'x debug> ',
    'x In [5]: ',
    'x (Pdb) ',
    'x ... ',
    'x ...: ',
    '[ Y / n ]',
    '(no , yes)',
    '[n / y]',
  ],
  ...['lines 10-24 more', 'lines 10-200', 'passphrase for key /a/b c: ', 'x: password'],
  ...[`${'x'.repeat(310)}$ `, `> ${'x'.repeat(310)}: `, `${'x'.repeat(299)}:`, `${'x'.repeat(300)}:`],
]

const reading = (command: string, calls: string, told: Told): Probe =>
  probeOf([program(command, calls)], told)

const ofPrompt = (text: string): string => {
  const match = matchPrompt(text)
  const at = (command: string, calls: string, mode: string, more: Told = {}) =>
    shortly(reading(command, calls, { mode, line: text, quiet: 1000, ...more }))
  return [
    `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} ${match ? `${match.id} ${match.category} ${match.strength}` : '-'}`,
    `bash ${at('bash', 'pselect6', 'ce')}`,
    `zsh ${at('zsh', 'read(1)', 'ce')}`,
    `dash ${at('dash', 'read(8192)', 'CE')}`,
    `script ${at('bash x.sh', 'read(1)', 'CE')}`,
    `mytool ${at('mytool', 'read(1024)', 'CE')}`,
    `mytool keys ${at('mytool', 'epoll_wait+2', 'ce')}`,
    `mytool soon ${at('mytool', 'poll~', 'ce', { quiet: 299 })}`,
    `hidden ${at('sudo', 'hidden', 'ce')}`,
    `hidden, edited ${at('sudo', 'hidden', 'ce', { stream: { bracketedPaste: { on: true, at: 1 } } })}`,
    `hidden, soon ${at('sudo', 'hidden', 'ce', { quiet: 19 })}`,
  ].join('; ')
}

const programs: readonly string[] = [
  ...[
    'python3',
    'python3.11 -i x.py',
    'python3 x.py',
    'python3 -c 1',
    'python3 -m pdb x.py',
    'python3 -X dev',
    'python3 -Wd -q',
  ],
  ...[
    'pypy3',
    'ipython',
    'node',
    'node x.js',
    'node -e 1',
    'node --eval 1',
    'node -p 1',
    'node -r x',
    'node --require x y.js',
    'node -i x',
  ],
  ...[
    'node inspect x.js',
    'deno',
    'deno repl',
    'bun repl',
    'tsx',
    'gdb',
    'lldb',
    'psql',
    'mysql',
    'mariadb',
    'sqlite3',
    'irb',
    'pry',
    'ruby x',
  ],
  ...[
    'ghci',
    'ghc',
    'R',
    'R -f x',
    'lua',
    'lua5.4 x',
    'luajit',
    'php',
    'julia',
    'redis-cli',
    'mongosh',
    'mongo',
    'sftp',
    'ftp',
    'mytool',
  ],
  ...['python3 --interactive x', 'python3 -xi y', 'lua -W x', 'python3 -', 'lua --import x', 'php -C x'],
]

const ofProgram = (command: string): string => {
  const one = program(command, 'read(1024)')
  const repl = replOf(one)
  const own = prompts.filter(text => repl?.prompt.test(text)).map(text => JSON.stringify(text))
  const continued = prompts.filter(text => repl?.continuation?.test(text)).map(text => JSON.stringify(text))
  const named = prompts.filter(text => isNamedPrompt(text, one)).map(text => JSON.stringify(text))
  const seen = prompts.map(
    line =>
      judged(reading(command, 'read(1024)', { mode: 'CE', line, quiet: 1000 })) +
      judged(reading(command, 'epoll_wait+1', { mode: 'ce', line, quiet: 299 })) +
      judged(reading(command, 'read(1)~', { mode: 'ce', line, quiet: 1000 })),
  )
  return `${command}: ${programName(one)}; ${repl?.source ?? '-'}; ${own.join(' ')}; ${continued.join(' ')}; ${named.join(' ')}; ${digestOf(seen.join('\n'))}`
}

const shellLines: readonly string[] = [
  ...[
    'bash',
    '-bash',
    '/bin/sh',
    'sh -c x',
    'bash x.sh',
    'bash -i',
    'bash -lc x',
    'bash -s x',
    'bash -o vi',
    'bash -o vi x',
    'bash +O x',
  ],
  ...[
    'bash -',
    'bash --',
    'bash -- x',
    'bash - x',
    'bash --rcfile x',
    'bash --rcfile x y',
    'bash --init-file x',
    'zsh --emulate sh',
    'bash -O x',
  ],
  ...[
    'fish --command x',
    'fish --command=x',
    'fish -C x',
    'fish --init-command x',
    'fish -d x',
    'fish -D 5',
    'zsh',
    'ksh93',
    'mksh',
    'lksh',
  ],
  ...[
    'oksh',
    'pdksh',
    'yash',
    'tcsh',
    'csh',
    'nu',
    'elvish',
    'xonsh',
    'pwsh',
    'dash',
    'ash',
    'hush',
    'bash-5.2',
    'zsh-static',
    'python3.11',
  ],
  ...[
    'busybox sh',
    'busybox ash -c x',
    'busybox hush',
    'busybox ls',
    'busybox',
    'bash +o vi',
    'bash --posix',
    'bash --norc x',
    'bash +x',
    'rbash',
  ],
]
const ofShell = (command: string): string => {
  const one = program(command, 'read(1)')
  const alias = { ...one, program: 'busybox' }
  const bare = { ...one, program: undefined, args: [] } as unknown as typeof one
  const tell = (of: typeof one) => {
    const shell = shellOf(of)
    return shell ? `${shell.name} ${shell.isInteractive ? 'reads commands' : 'runs'}` : '-'
  }
  return `${command}: ${programName(one)}; ${tell(one)}; as busybox ${tell(alias)}; bare ${programName(bare)} ${tell(bare)}`
}

const printed: readonly string[] = [
  ...[
    '',
    'x\n',
    'a\nb',
    '\u001b[32mada\u001b[0m:\u001b]0;title\u0007~$ ',
    '10%\r20%\r30%',
    'abc\b\b',
    'abc\b\b\b\b\bX',
    'abcdef\rXY',
  ],
  ...[
    '\u001b]0;t\u001b\\$ ',
    '\u001b]0;open',
    '\u001b[3',
    '\u001b',
    '\u001b(B$ ',
    '\u001bPx\u001b\\y',
    '\u001b^x\u0007y',
    '\u001b_x\u001b',
    '完了 > ',
    '完\bx',
  ],
  ...[
    'a\tb',
    'a\u0007b',
    'x'.repeat(5000),
    `\n${'y'.repeat(4095)}`,
    `\n${'y'.repeat(4096)}z`,
    '\u001b[?2004h$ ',
    '\u001b[ q$ ',
    'a\u001b]8;;x',
    '\u001bXq\u0007r',
  ],
]
const ofPrinted = (text: string): string => {
  const screen = tailScreen(text)
  const seen = JSON.stringify(screen)
  return `${JSON.stringify(text.slice(0, 40))} ${seen.length > 120 ? digestOf(seen) : seen} ${digestOf(beforeCursor(screen))}`
}

const grids = [
  { rows: ['完了 x', 'b'], columns: 80, cursor: { row: 0, column: 3 } },
  { rows: ['完了 x', 'b'], columns: 80, cursor: { row: 0, column: 9 } },
  { rows: ['完了'], columns: 80, cursor: { row: 0, column: 4 } },
  { rows: ['abc'], columns: 80, cursor: { row: 0, column: 2 } },
  { rows: ['abc'], columns: 80, cursor: { row: 0, column: 5 } },
  { rows: ['abc', '', '  '], columns: 80 },
  { rows: [], columns: 80 },
  { rows: ['a'], columns: 80, cursor: { row: 7, column: 2 } },
  { rows: ['a', '  '], columns: 80, cursor: { row: 1, column: 0 } },
  { rows: ['a', '  '], columns: 80, cursor: { row: 1, column: 1 } },
  { rows: ['a', ''], columns: 80, cursor: { row: 9, column: 0 } },
  { rows: ['a'], columns: 80, cursor: { row: 0, column: 0 } },
]
const ofGrid = (grid: (typeof grids)[number]): string =>
  `${JSON.stringify(grid)} ${JSON.stringify(beforeCursor(grid))} ${isFreshLine(grid)}`

const fullScreen: readonly string[] = [
  ...[
    'less',
    'more',
    'most',
    'man',
    'pager',
    'pg',
    'lv',
    'w3m',
    'bat',
    'delta',
    'info',
    'moar',
    'ov',
    'vi',
    'vim',
    'nvim',
    'view',
    'vimdiff',
  ],
  ...[
    'nano',
    'pico',
    'emacs',
    'emacsclient',
    'micro',
    'helix',
    'hx',
    'joe',
    'mcedit',
    'ne',
    'kak',
    'mg',
    'jed',
    'zile',
    'top',
    'htop',
    'btop',
  ],
  ...[
    'atop',
    'iotop',
    'iftop',
    'nvtop',
    'glances',
    'ncdu',
    'tig',
    'mc',
    'dialog',
    'whiptail',
    'gum',
    'fzf',
    'sk',
    'debconf',
    'nmtui',
  ],
  ...[
    'raspi-config',
    'vim.basic',
    'vim.tiny',
    'emacs-nox',
    'vim.gtk3',
    'vim.gtk',
    'vim-qt',
    'vim.basicx',
    'ed',
    'lesser',
    'batcat',
    'git x',
  ],
]
const ofFullScreen = (command: string): string => {
  const keys = probeOf([program(command, 'read(1)')], { mode: 'ce', line: 'x', quiet: 1000 })
  const alias = { ...keys, processes: keys.processes.map(one => ({ ...one, name: 'other' })) }
  const named = {
    ...keys,
    processes: keys.processes.map(one => ({ ...one, program: 'other', args: ['other'] })),
  }
  return `${command}: ${judged(keys)}; ${shortly(alias)}; ${shortly(named)}`
}

const sections: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(recorded.map(one => [one.scenario, () => ofScenario(one)])),
  prompts: () => ['# prompts', ...prompts.map(ofPrompt)].join('\n'),
  patterns: () =>
    [
      '# patterns',
      ...promptPatterns.map(({ id, category, strength, description, source }) =>
        [id, category, strength, description, source].join(' | '),
      ),
    ].join('\n'),
  'full screen': () => ['# full screen', ...fullScreen.map(ofFullScreen)].join('\n'),
  programs: () => ['# programs', ...programs.map(ofProgram)].join('\n'),
  shells: () => ['# shells', ...shellLines.map(ofShell)].join('\n'),
  'what was printed': () => ['# what was printed', ...printed.map(ofPrinted)].join('\n'),
  screens: () => ['# screens', ...grids.map(ofGrid)].join('\n'),
}

if (process.env.LULL_KEEP_LOOKS)
  writeFileSync(
    kept,
    `${Object.values(sections)
      .map(tell => tell())
      .join('\n\n')}\n`,
  )
const before = new Map(
  readFileSync(kept, 'utf8')
    .trimEnd()
    .split('\n\n')
    .map(section => [section.slice(2, section.indexOf('\n')), section]),
)

describe('judgements of terminals', () => {
  test('are kept of each', () => expect([...before.keys()]).toEqual(Object.keys(sections)))
  test.each(Object.entries(sections))('%s is judged as before', (name, tell) => {
    expect(tell()).toBe(before.get(name))
  })
})
