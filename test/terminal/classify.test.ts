/** What one look at a terminal says: each row of the table in docs/research/terminal.md#kernel-facts, as plain data. */
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import { callOfChannel } from '../../src/terminal/probe/terminal-call.ts'
import { probeOf, process, type Told, word } from '../support/probes.ts'

const says = (command: string, calls: string, told?: Told): string =>
  word(classify(probeOf([process(command, calls)], told)))

describe('a shell at its prompt', () => {
  test.each([
    ['bash', 'pselect6', 'ce', 'ada@box:~/src$ '],
    ['-bash', 'pselect6', 'ce', 'root@box:/# '],
    ['bash --login -o vi', 'pselect6', 'ce', 'bash-5.2$ '],
    ['zsh -i', 'read(1)', 'ce', 'box% '],
    ['zsh', 'read(1)', 'ce', '❯ '],
    ['zsh', 'read(1)', 'ce', 'λ '],
    ['zsh', 'poll~', 'ce', '➜ '],
    ['fish', 'poll+2', 'ce', 'ada@box ~> '],
    ['ksh93', 'pselect6', 'ce', '$ '],
    ['mksh', 'read(1)', 'ce', '$ '],
    ['busybox ash', 'poll', 'ce', '~ $ '],
    ['sh', 'read(8192)', 'CE', '$ '],
    ['dash -i', 'read(8192)', 'CE', '# '],
    ['bash --noediting', 'read(1024)', 'CE', 'bash-5.2$ '],
  ])('%s in %s', (command, calls, mode, line) => {
    const verdict = classify(probeOf([process(command, calls)], { mode, line }))
    expect(word(verdict)).toBe('idle/shell')
    expect(verdict).toMatchObject({ reader: 100, prompt: line.trimEnd() })
    expect(verdict.observeAgainIn).toBeUndefined()
  })

  test('that was never seen before and looks like nothing known may be a question: unknown, not ready', () => {
    expect(says('bash', 'pselect6', { mode: 'ce', line: 'ready: ' })).toBe('unknown')
    expect(says('zsh', 'read(1)', { mode: 'ce', line: '➜  src git:(main) ' })).toBe('unknown')
    expect(says('bash', 'pselect6', { mode: 'ce', line: '' })).toBe('unknown')
    expect(says('bash', 'pselect6', { mode: 'ce' })).toBe('unknown')
  })

  test('prints its second prompt for each line that was typed ahead, and is ready behind its first', () => {
    const dash = (line: string) => probeOf([process('dash', 'read(8192)')], { mode: 'CE', line })
    const known = learn(nothingLearned, dash('$ '))
    expect(word(classify(dash('> > > $ '), known))).toBe('idle/shell')
    expect(word(classify(dash('> > > '), known))).toBe('waiting/input')
    expect(word(classify(dash('> > > $ '), nothingLearned))).toBe('waiting/input')
  })

  test('is never one that runs a script or a command', () => {
    for (const command of [
      'bash deploy.sh',
      'bash -c read',
      'bash --rcfile x -ec read',
      'zsh ./x',
      'fish -c read',
    ]) {
      expect(says(command, 'pselect6', { mode: 'ce', line: 'really$ ' })).toBe('waiting/input')
    }
  })
})

describe('a question that a shell reads as it reads its prompt', () => {
  const prompt = 5344
  const learned: Learned = {
    ...nothingLearned,
    references: [{ pid: 100, canonical: false, call: 'pselect6', depth: prompt }],
  }
  const at = (depth: number, line: string) =>
    classify(probeOf([process('bash', `pselect6@${depth}`)], { mode: 'ce', line }), learned)

  test.each(['ready: ', '', 'ada@box:~$ echo half a comm', '➜  src git:(main) ', '20% '])(
    'is told from it by how deep the shell reads: %j',
    line => {
      expect(word(at(prompt, line))).toBe('idle/shell')
      expect(at(prompt, line).tier).toBe('proven')
      expect(word(at(2496, line))).toMatch(/^waiting/)
    },
  )

  test('even where it looks like a prompt', () => {
    expect(word(at(2496, 'ada@box:~$ '))).toBe('waiting/input')
    expect(word(at(2496, 'Remove all? [y/N] '))).toBe('waiting/confirmation')
  })

  test('and the rest of an open command by its prompt', () => {
    for (const line of ['> ', '> and more', 'dquote> ', 'for then> ', "(reverse-i-search)`ls': ls"]) {
      expect(at(prompt, line)).toMatchObject({ isContinuation: true, state: { for: 'input' } })
    }
    const fish = probeOf([process('fish', 'poll+2')], { mode: 'ce', above: ['~> echo "a'], line: '        ' })
    expect(classify(fish)).toMatchObject({ isContinuation: true })
  })

  test('is told by the shell itself where it marks its prompts', () => {
    const read = (mark: 'A' | 'B' | 'C' | 'D', line: string) =>
      classify(
        probeOf([process('bash', 'pselect6')], { mode: 'ce', line, stream: { semantic: { mark, at: 0 } } }),
      )
    expect(word(read('B', 'ready: '))).toBe('idle/shell')
    expect(word(read('C', 'ada@box:~$ '))).toBe('waiting/input')
  })

  test('of zsh, whose searches, menus and vared stand behind a prompt, by marks of its own alone', () => {
    const references = [{ pid: 100, canonical: false, call: 'read', depth: 3096 }]
    const zsh = (line: string, told: Told = {}) =>
      word(
        classify(probeOf([process('zsh', 'read(1)@3768')], { mode: 'ce', line, ...told }), {
          ...nothingLearned,
          references,
        }),
      )
    expect(zsh('box% ')).toBe('waiting/input')
    expect(zsh('box% ', { stream: { semantic: { mark: 'C', at: 1 } } })).toBe('waiting/input')
    const marked = { stream: { semantic: { mark: 'B', at: 1 } } } as const
    expect(zsh('box% ', marked)).toBe('idle/shell')
    const rows = ['box% ', 'bck-i-search: _']
    const screen = { rows, columns: 80, cursor: { row: 0, column: 5 }, alternate: false }
    expect(zsh('', { ...marked, screen })).toBe('waiting/input')
  })

  test.each([
    ['dash', 'read(8192)', 'idle/shell'],
    ['bash --noediting', 'read(1024)', 'idle/shell'],
    ['dash', 'read(1)', 'waiting/password'],
    ['bash --noediting', 'read(4096)', 'waiting/password'],
    ['dash x.sh', 'read(8192)', 'waiting/password'],
    ['cat', 'read(8192)', 'waiting/password'],
  ])('after stty -echo is a command or a password by how it is read: %s %s: %s', (command, calls, expected) =>
    expect(word(classify(probeOf([process(command, calls)], { mode: 'Ce', line: 'ada@box:~$ ' })))).toBe(
      expected,
    ),
  )

  test('of a password may be drawn into a box that fills the screen', () => {
    const drawn = (line: string) =>
      word(classify(probeOf([process('pinentry-curses', 'poll~')], { mode: 'ce', line, isAlternate: true })))
    expect(drawn('    │ PIN: ')).toBe('waiting/password')
    expect(drawn('    │ Passphrase: ***')).toBe('waiting/password')
    expect(drawn('    │ Name: ')).toBe('waiting/input')
  })

  test('beside a child that computes in any of its threads is no question', () => {
    const shell = process('jshell', 'read(1)')
    const beside = (calls: string) =>
      word(
        classify(
          probeOf([shell, { ...process('java', calls, 101), parent: 100 }], {
            mode: 'ce',
            line: '',
            above: ['jshell> while (true) {}'],
          }),
        ),
      )
    expect(beside('-futex running -read')).toBe('working')
    expect(beside('-futex -futex -read')).toBe('waiting/input')
  })

  test('that waits for a while only is one; at a prompt the keys that are begun may end by themselves', () => {
    const timed = (line: string) =>
      classify(probeOf([process('bash', 'pselect6~@2496')], { mode: 'ce', line }), learned)
    expect(timed('Name: ').observeAgainIn).toBeUndefined()
    expect(timed('ada@box:~$ ').observeAgainIn).toBeGreaterThan(0)
  })

  test('of bash for one key without echo is read by a call of its own', () => {
    const probe = probeOf([process('bash', 'read(1)@2480')], { mode: 'ce', line: 'Press any key ' })
    expect(word(classify(probe, learned))).toBe('waiting/keypress')
    const prompt = probeOf([process('bash', 'read(1)@2480')], { mode: 'ce', line: 'ada@box:~$ ' })
    expect(word(classify(prompt, learned))).toBe('waiting/input')
  })

  test('of fish is its history search, too', () => {
    const search = probeOf([process('fish', 'poll')], { mode: 'ce', line: 'search: make' })
    expect(classify(search)).toMatchObject({ isContinuation: true, state: { for: 'input' } })
  })

  test('and a depth that was learned by a look is no proof of the next', () => {
    const probe = probeOf([process('bash', 'pselect6@5344')], { mode: 'ce', line: 'ada@box:~$ ' })
    const once = learn(nothingLearned, probe)
    expect(classify(probe, once)).toMatchObject({ state: { kind: 'idle' }, tier: 'inferred' })
    expect(classify(probe, learn(once, probe)).tier).toBe('inferred')
    expect(classify(probe, learn(learned, probe)).tier).toBe('proven')
  })

  test('and by the prompt that it had before', () => {
    const before: Learned = {
      idle: [
        {
          pid: 100,
          termios: { canonical: false, echo: false, signals: true },
          call: { type: 'reads', name: 'pselect6', others: 0, isTimed: false },
          tier: 'proven',
          prompt: 'ready: ',
        },
      ],
      references: [],
      asked: [],
      repls: [],
    }
    const now = (line: string) =>
      word(classify(probeOf([process('bash', 'pselect6')], { mode: 'ce', line }), before))
    expect(now('ready: ')).toBe('idle/shell')
    expect(now('ready: git st')).toBe('idle/shell')
    expect(now('Name? ')).toBe('unknown')
  })
})

describe('a question', () => {
  test.each([
    ['bash', 'read(4096)', 'CE', 'Continue? [y/N] ', 'waiting/confirmation'],
    ['bash', 'read(4096)', 'CE', '#? ', 'waiting/input'],
    ['bash', 'read(4096)', 'CE', 'ada@box:~$ ', 'waiting/input'],
    ['dash', 'read(1)', 'CE', '$ ', 'waiting/input'],
    ['zsh', 'read(1)', 'CE', '', 'waiting/input'],
    ['bash', 'read(1)', 'cE', 'Press a key', 'waiting/keypress'],
    ['zsh', 'read(1)', 'cE', 'sure? ', 'waiting/keypress'],
    ['bash', 'read(4096)', 'Ce', 'Password: ', 'waiting/password'],
    ['sudo id', 'read(1)', 'Ce', '[sudo] password for ada: ', 'waiting/password'],
    ['sudo id', 'read(1)', 'ce', '[sudo] password for ada: ***', 'waiting/password'],
    ['passwd', 'read(511)', 'Ce', 'New password: ', 'waiting/password'],
    ['python3 -c 1', 'read(1024)', 'CE', 'Name? ', 'waiting/input'],
    ['cat', 'read(131072)', 'CE', '', 'waiting/input'],
    ['apt-get install x', 'read(1)', 'CE', 'Do you want to continue? [Y/n] ', 'waiting/confirmation'],
    ['rm -i x', 'read(1)', 'CE', "rm: remove regular file 'x'? ", 'waiting/confirmation'],
    ['git add -p', 'read(1)', 'CE', 'Stage this hunk [y,n,q,a,d,e,?]? ', 'waiting/confirmation'],
    ['ssh box', 'read(1)', 'CE', 'continue connecting (yes/no/[fingerprint])? ', 'waiting/confirmation'],
    ['ssh box', 'read(1)', 'Ce', "ada@box's password: ", 'waiting/password'],
  ])('%s in %s, %s, at %j', (command, calls, mode, line, expected) => {
    expect(says(command, calls, { mode, line })).toBe(expected)
  })

  test('of a program that watches more than keys is believed once it is quiet', () => {
    const npm = [process('npm init', 'epoll_wait+3')]
    const at = (quiet: number) => classify(probeOf(npm, { mode: 'ce', line: 'package name: (demo) ', quiet }))
    expect(word(at(299))).toBe('working')
    expect(at(299).observeAgainIn).toBe(1)
    expect(word(at(300))).toBe('waiting/input')
    expect(at(300).observeAgainIn).toBeUndefined()
  })

  test('of another user: no echo is a password, by the terminal alone', () => {
    expect(says('su', 'hidden', { mode: 'Ce', line: 'Password: ' })).toBe('waiting/password')
  })
})

describe('a program that runs', () => {
  test.each([
    ['sleep 5', '-clock_nanosleep', 'CE', ''],
    ['tail -f x', '-poll', 'CE', 'last line'],
    ['bash', '-wait4', 'CE', ''],
    ['bash', 'running', 'CE', '$ '],
    ['printf', '-clock_nanosleep', 'CE', 'root@h:~# '],
    ['make', '-wait4', 'CE', 'Compiling foo: '],
    ['sleep 9', '-clock_nanosleep', 'CE', 'prompted [y/n] '],
    ['node server.js', '-epoll_wait', 'CE', 'listening'],
    ['python3', '-clock_nanosleep', 'CE', ''],
    ['sh -c x', '-wait4', 'Ce', ''],
  ])('%s in %s, %s, at %j', (command, calls, mode, line) => {
    expect(classify(probeOf([process(command, calls)], { mode, line }))).toMatchObject({
      state: { kind: 'working', doing: 'command' },
      health: { level: 'healthy' },
      tier: 'proven',
    })
  })

  test('though it watches the keys: a development server, a spinner, a REPL that awaits', () => {
    const server = { mode: 'ce', line: '', above: ['press h + enter to show help'], quiet: 60_000 }
    expect(says('node vite', 'epoll_wait+4', server)).toBe('working')
    expect(says('node', 'epoll_wait+4', { ...server, above: ['> await later()'] })).toBe('working')
    expect(says('node x.js', 'epoll_wait+4~', { mode: 'ce', line: '| installing', quiet: 80 })).toBe(
      'working',
    )
  })

  test('is not ready while its input lies unread', () => {
    const told = { mode: 'ce', line: 'ada@box:~$ ', queued: 5 }
    expect(says('bash', 'pselect6', told)).toBe('working')
    expect(classify(probeOf([process('bash', 'pselect6')], told)).observeAgainIn).toBeGreaterThan(0)
  })
})

describe('a REPL', () => {
  test.each([
    ['python3.11 -q', 'pselect6', '>>> ', 'idle/repl'],
    ['python3.13 -q', 'poll~', '>>> ', 'idle/repl'],
    ['python3.11', 'pselect6', '... ', 'waiting/input'],
    ['python3.11', 'pselect6', 'N? ', 'waiting/input'],
    ['python3 -m pdb x.py', 'pselect6', '(Pdb) ', 'idle/repl'],
    ['gdb -q', 'poll', '(gdb) ', 'idle/repl'],
    ['psql', 'pselect6', 'ada=> ', 'idle/repl'],
    ['psql', 'pselect6', 'ada=*# ', 'idle/repl'],
    ['psql', 'pselect6', 'ada-> ', 'waiting/input'],
    ['psql', 'pselect6', "ada'> ", 'waiting/input'],
    ['node', 'epoll_wait+3', '> ', 'idle/repl'],
    ['node', 'epoll_wait+3', '... ', 'waiting/input'],
    ['node', 'epoll_wait+3', '| ', 'waiting/input'],
    ['sqlite3 x.db', 'pselect6', 'sqlite> ', 'idle/repl'],
    ['sqlite3 x.db', 'pselect6', '   ...> ', 'waiting/input'],
  ])('%s in %s at %j', (command, calls, line, expected) => {
    expect(says(command, calls, { mode: 'ce', line, quiet: 1000 })).toBe(expected)
  })

  test('without a line editor reads lines', () => {
    expect(says('python3', 'read(1024)', { line: '>>> ' })).toBe('idle/repl')
    expect(says('python3 x.py', 'read(1024)', { line: 'Your name: ' })).toBe('waiting/input')
  })

  test('is none where a script is run, whatever that prints; its debugger is one', () => {
    for (const command of ['python3.11 -c 1', 'python3 x.py', 'python3 -X dev x.py', 'python3 -m http'])
      expect(says(command, 'read(1024)', { line: '>>> ' })).toBe('waiting/input')
    expect(says('python3 x.py', 'pselect6', { mode: 'ce', line: '(Pdb) ' })).toBe('idle/repl')
    for (const command of ['python3 -X dev', 'python3 -i x.py'])
      expect(says(command, 'pselect6', { mode: 'ce', line: '>>> ' })).toBe('idle/repl')
    const quiet = { mode: 'ce', line: '> ', quiet: 60_000 }
    expect(says('node /usr/bin/agent', 'epoll_wait+3', quiet)).toBe('waiting/input')
    expect(says('lua x.lua', 'read(1024)', { line: '> ' })).toBe('waiting/input')
  })

  test('that nobody knows is believed by its prompt alone only after some quiet', () => {
    const told = { mode: 'ce', line: 'mytool> ' }
    expect(says('mytool', 'read(1)', told)).toBe('working')
    expect(says('other', 'read(1)', { ...told, quiet: 60_000 })).toBe('waiting/input')
    expect(says('mytool', 'read(1)', { mode: 'ce', line: 'Your choice> ', quiet: 60_000 })).toBe(
      'waiting/input',
    )
    expect(classify(probeOf([process('mytool', 'read(1)')], { ...told, quiet: 300 }))).toMatchObject({
      state: { kind: 'idle', at: 'repl' },
      tier: 'inferred',
    })
  })

  test('without a screen waits for input, which is true of its questions, too', () => {
    expect(says('python3', 'pselect6', { mode: 'ce' })).toBe('waiting/input')
  })
})

describe('a full-screen program', () => {
  test.each([
    ['less x', 'read(1)', 'waiting/pager'],
    ['more x', 'read(1)', 'waiting/pager'],
    ['vim.basic x', 'pselect6~', 'waiting/editor'],
    ['nano x', 'read(1)', 'waiting/editor'],
    ['dialog --yesno hi 7 30', 'read(1)', 'waiting/dialog'],
    ['top', 'pselect6~', 'waiting/keypress'],
    ['myapp', 'read(1)', 'waiting/keypress'],
  ])('%s', (command, calls, expected) => {
    expect(says(command, calls, { mode: 'ce', line: ':', isAlternate: true })).toBe(expected)
  })
  test('a pager that stays on the common screen', () => {
    expect(says('less -X x', 'read(1)', { mode: 'ce', line: ':' })).toBe('waiting/pager')
  })
})

describe('what can not go on', () => {
  test('output stopped by Ctrl-S, with input that is not taken', () => {
    const told = { mode: 'ce', line: '$ ', queued: 4 }
    expect(says('bash', 'write!', { ...told, quiet: 500 })).toBe('frozen')
    // A paste whose echo the terminal is slow to take.
    expect(says('bash', 'write!', { ...told, quiet: 100 })).toBe('working')
    expect(classify(probeOf([process('bash', 'write!')], told)).observeAgainIn).toBe(500)
  })
  test('output that nobody takes for a second; a short wait is only slow', () => {
    expect(says('yes', 'write!', { quiet: 1000 })).toBe('frozen')
    expect(says('yes', 'write!', { quiet: 20 })).toBe('working')
  })
  test('a terminal whose output is stopped, though its reader sleeps; who reads nothing may still get on', () => {
    const told = { mode: 'ce', line: '$ ', isOutputStopped: true } as const
    expect(says('bash', 'pselect6', { ...told, quiet: 1000 })).toBe('frozen')
    expect(says('bash', 'pselect6', { ...told, quiet: 999 })).toBe('working')
    expect(says('make', '-wait4', { ...told, quiet: 1000 })).toBe('working')
  })
  test('a stopped program', () => {
    const stopped = probeOf([process('make', '-no', 100, 'T')])
    expect(word(classify(stopped))).toBe('stuck/stopped')
  })
  test('a terminal whose program has ended', () => {
    expect(classify(probeOf([], { gone: { code: 3 } })).state).toEqual({ kind: 'exited', code: 3 })
  })
})

describe('a relay', () => {
  const inner: Probe = probeOf([process('bash', 'pselect6', 200)], { mode: 'ce', line: 'bash-5.2$ ' })
  const outer = (mode: string, shown?: Probe): Probe =>
    probeOf([process('script -q', 'poll+1')], {
      mode,
      line: 'bash-5.2$ ',
      relay: { pid: 100, name: 'script' },
      ...(shown ? { inner: shown } : {}),
    })
  test('is looked through', () => {
    expect(classify(outer('ce', inner))).toMatchObject({ state: { kind: 'idle', at: 'shell' }, reader: 200 })
    const asks = probeOf([process('bash', 'read(4096)', 200)], { line: 'ok? [y/n] ' })
    expect(word(classify(outer('ce', asks)))).toBe('waiting/confirmation')
    const runs = probeOf([process('sleep 9', '-clock_nanosleep', 200)], { line: 'bash-5.2$ ' })
    expect(word(classify(outer('ce', runs)))).toBe('working')
  })
  test('goes on when what it showed has ended', () => {
    expect(word(classify(outer('ce', probeOf([], { gone: {} }))))).toBe('working')
  })
})

describe('what the kernel does not tell', () => {
  const ssh = (line: string, told: Told = {}) =>
    classify(
      probeOf([process('ssh box', 'poll+2')], {
        mode: 'ce',
        line,
        relay: { pid: 100, name: 'ssh' },
        ...told,
      }),
    )
  const paste = (on: boolean) => ({ bracketedPaste: { on, at: 0 } })

  test('a prompt is inferred once the line editor says so, and named as heuristic', () => {
    const verdict = ssh('far@box:~$ ', { quiet: 20, stream: paste(true) })
    expect(verdict).toMatchObject({ state: { kind: 'idle', at: 'shell' }, tier: 'inferred', behind: 'ssh' })
    expect(verdict.confidence).toBeLessThan(0.9)
  })
  test('without its word, only after more quiet', () => {
    expect(word(ssh('far@box:~$ ', { quiet: 499 }))).toBe('working')
    expect(word(ssh('far@box:~$ ', { quiet: 500 }))).toBe('idle/shell')
  })
  test('output that looks like a prompt is none while a command runs', () => {
    expect(word(ssh('far@box:~# ', { quiet: 60_000, stream: paste(false) }))).toBe('working')
    const marked = { semantic: { mark: 'C', at: 0 } as const, ...paste(true) }
    expect(word(ssh('far@box:~# ', { quiet: 60_000, stream: marked }))).toBe('working')
  })
  test('a line that nothing stands on is a command that runs', () => {
    expect(word(ssh('', { quiet: 60_000 }))).toBe('working')
  })
  test('progress is no prompt', () => {
    expect(word(ssh('Receiving 20%', { quiet: 60_000 }))).toBe('unknown')
  })
  test('questions and passwords by their words, once it is quiet', () => {
    expect(word(ssh('Continue? [y/N] ', { quiet: 500, stream: paste(false) }))).toBe('waiting/confirmation')
    expect(word(ssh('[sudo] password for ada: ', { quiet: 500 }))).toBe('waiting/password')
    expect(word(ssh('Continue? [y/N] ', { quiet: 100 }))).toBe('working')
  })
  test('what fills the screen is a pager where the cursor stays on the last row', () => {
    const told = { quiet: 500, isAlternate: true, above: ['text', 'text'] }
    expect(word(ssh('file.txt', told))).toBe('waiting/pager')
    const [first, second] = ['int main()', '~']
    const editor = { rows: [first, second], columns: 80, cursor: { row: 0, column: 4 }, alternate: true }
    expect(word(ssh('', { quiet: 500, screen: editor }))).toBe('waiting/keypress')
  })
  test('the rest of an open command is not ready', () => {
    expect(ssh('> ', { quiet: 60_000, stream: paste(true) })).toMatchObject({ isContinuation: true })
  })
  test('a machine without /proc has the same', () => {
    const { processes: _, ...bare } = probeOf([], { line: 'ada@box:~$ ', quiet: 500, hasKernel: false })
    expect(word(classify({ ...bare, processes: [] }))).toBe('idle/shell')
  })
  test("another user's shell, too", () => {
    const told = { mode: 'ce', line: 'ada@box:~$ ', quiet: 500 }
    expect(classify(probeOf([process('bash', 'hidden')], told))).toMatchObject({
      state: { kind: 'idle' },
      tier: 'inferred',
      behind: 'bash, which may not be looked into',
    })
  })
})

describe('where Yama hides the calls, and only where they sleep is told', () => {
  const says = (command: string, channel: string, told: Told) => {
    const calls = [callOfChannel(channel, true)]
    return classify(probeOf([{ ...process(command, 'hidden'), calls }], told))
  }
  test.each<[string, string, string, string, string]>([
    ['bash', 'poll_schedule_timeout.constprop.0', 'ce', 'ada@box:~$ ', 'idle/shell'],
    ['zsh', 'wait_woken', 'ce', 'box% ', 'idle/shell'],
    ['dash', 'wait_woken', 'CE', '$ ', 'idle/shell'],
    ['dash', 'wait_woken', 'CE', 'Name: ', 'unknown'],
    ['bash', 'wait_woken', 'CE', 'ada@box:~$ ', 'waiting/input'],
    ['bash', 'poll_schedule_timeout', 'ce', 'Name: ', 'unknown'],
    ['sudo', 'wait_woken', 'Ce', 'Password: ', 'waiting/password'],
    ['node server.js', 'ep_poll', 'CE', 'listening', 'working'],
    ['sleep 9', 'hrtimer_nanosleep', 'CE', '$ ', 'working'],
    ['bash', 'do_wait', 'CE', '$ ', 'working'],
    ['python3', 'poll_schedule_timeout', 'ce', '>>> ', 'idle/repl'],
  ])('%s in %s, %s, at %j', (command, channel, mode, line, expected) => {
    const verdict = says(command, channel, { mode, line })
    expect(word(verdict)).toBe(expected)
    if (verdict.state.kind !== 'working') expect(verdict.tier).not.toBe('proven')
  })
  test('one that has no terminal open reads none', () => {
    expect(callOfChannel('wait_woken', false)).toEqual({ type: 'blocked', name: 'wait_woken' })
    expect(callOfChannel('0', true)).toEqual({ type: 'running' })
  })
})

test('what can’t be read has not ended, and is not ready', () => {
  const probe = probeOf([], { mode: 'ce', line: '$ ' })
  const verdict = classify({ ...probe, unread: 'too many files are open' })
  expect(verdict).toMatchObject({ state: { kind: 'unknown' }, observeAgainIn: expect.any(Number) })
  expect(verdict.why).toContain('too many files are open')
})

test('the exit code of the last command comes from the shell’s own mark', () => {
  const marked = { semantic: { mark: 'D', exitCode: 3, at: 0 } as const }
  const verdict = classify(probeOf([process('fish', 'poll+2')], { mode: 'ce', line: '~> ', stream: marked }))
  expect(verdict.exitCode).toBe(3)
})

test('a look survives JSON', () => {
  const probe = probeOf([process('bash', 'pselect6@5344')], { mode: 'ce', line: 'ada@box:~$ ' })
  expect(classify(JSON.parse(JSON.stringify(probe)))).toEqual(classify(probe))
})
