/** What programs are told by: their names and arguments, the prompts that they show, and how theirs was before. */
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { type IdleReader, type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import { asksFor, matchPrompt } from '../../src/terminal/classify/prompts.ts'
import { isNamedPrompt, replOf } from '../../src/terminal/classify/repl/repls.ts'
import { beforeCursor, isFreshLine, tailScreen } from '../../src/terminal/classify/screen-text.ts'
import { programName, readsAsAtPrompt, shellOf } from '../../src/terminal/classify/shells.ts'
import type { Probe, TerminalRead } from '../../src/terminal/probe/probed.ts'
import { probeOf, process, type Told, word } from '../support/probes.ts'

describe('a program’s name', () => {
  test.each([
    ['/usr/bin/python3.11 -q', 'python'],
    ['-zsh', 'zsh'],
    ['ksh93', 'ksh'],
    ['bash-static', 'bash'],
    ['bash-static-pie', 'bash-static-pie'],
    ['my-tool', 'my-tool'],
    ['7zip', '7zip'],
    ['node-20.1', 'node'],
    ['x86-tool', 'x86-tool'],
  ])('%s is %s', (command, name) => expect(programName(process(command, 'running'))).toBe(name))

  test('is told by the program file, else by what it was called, else by the kernel', () => {
    const { program: _, ...called } = process('sh -i', 'running')
    expect(programName({ ...called, program: 'dash' })).toBe('dash')
    expect(programName({ ...called, args: ['/bin/'], name: 'kernel' })).toBe('kernel')
    expect(programName({ ...called, args: [], name: 'kernel' })).toBe('kernel')
  })
})

describe('a shell reads commands', () => {
  const interactive = (command: string): boolean | undefined =>
    shellOf(process(command, 'read(1)'))?.isInteractive
  test.each([
    ['bash', true],
    ['bash -', true],
    ['bash --', true],
    ['bash - x.sh', false],
    ['bash -- x.sh', false],
    ['bash -- -s', false],
    ['bash - -s', false],
    ['bash -s- x', false],
    ['bash -i', true],
    ['bash -s x y', true],
    ['bash -is x', true],
    ['bash -si x', true],
    ['bash -c', false],
    ['bash -lc x', false],
    ['bash -cl x', false],
    ['bash -lic x', false],
    ['bash -1c', true],
    ['bash -c1', true],
    ['bash --norc', true],
    ['bash --login x', false],
    ['bash +o', true],
    ['bash +o posix', true],
    ['bash -o posix x.sh', false],
    ['bash --rcfile x', true],
    ['bash -O extglob', true],
    ['bash +O extglob', true],
    ['bash --init-file x', true],
    ['zsh --emulate sh', true],
    ['fish -C ls', true],
    ['fish --init-command ls', true],
    ['fish -d 3', true],
    ['fish -D 3', true],
    ['fish --command ls', false],
    ['fish --command=ls', false],
    ['fish --commands', true],
    ['bash x-c', false],
    ['bash x-s', false],
    ['bash ', true],
  ])('%s: %s', (command, expected) => expect(interactive(command)).toBe(expected))

  test.each([
    ['busybox', undefined],
    ['busybox sh', true],
    ['busybox ash -i', true],
    ['busybox hush', true],
    ['busybox sh x.sh', false],
    ['busybox vi', undefined],
    ['/bin/busybox sh', true],
  ])('as an applet, %s: %s', (command, expected) => expect(interactive(command)).toBe(expected))

  test('of busybox by the name that it was called', () => {
    const called = (...args: string[]) => shellOf({ ...process('busybox', 'read(1)'), args })
    expect(called('-sh')).toEqual({ name: 'ash', isInteractive: true })
    expect(called('/bin/ash', 'x.sh')).toEqual({ name: 'ash', isInteractive: false })
    expect(called('a-sh')).toBeUndefined()
    expect(called()).toBeUndefined()
  })
})

describe('a read as at the prompt', () => {
  const read = (more: Partial<TerminalRead>): TerminalRead => ({
    type: 'reads',
    name: 'read',
    others: 0,
    isTimed: false,
    ...more,
  })
  const lines = { canonical: true, echo: true, signals: true }
  test.each<[string, Partial<TerminalRead>, boolean]>([
    ['dash', { count: 8192 }, true],
    ['sh', { count: 8192 }, true],
    ['sh', { count: 1024 }, true],
    ['bash', { count: 1024 }, true],
    ['dash', { count: 1 }, false],
    ['dash', {}, false],
    ['zsh', { count: 1024 }, false],
    ['sh', { isGuessed: true }, true],
    ['dash', { isGuessed: true }, true],
    ['bash', { isGuessed: true, count: 1024 }, false],
  ])('%s %j: %s', (shell, more, expected) => expect(readsAsAtPrompt(shell, lines, read(more))).toBe(expected))
  test('of keys is without echo', () => {
    expect(readsAsAtPrompt('bash', { ...lines, canonical: false }, read({}))).toBe(false)
    expect(readsAsAtPrompt('bash', { ...lines, canonical: false, echo: false }, read({}))).toBe(true)
  })
})

describe('a REPL', () => {
  const at = (command: string, line: string): string | undefined => {
    const repl = replOf(process(command, 'read(1)'))
    if (!repl) return undefined
    return repl.prompt.test(line) ? 'prompt' : repl.continuation?.test(line) ? 'more' : 'question'
  }
  test.each([
    ['python3', '>>> ', 'prompt'],
    ['pypy3', '>>>> ', 'prompt'],
    ['ipython3', 'In [12]: ', 'prompt'],
    ['ipython3', '   ...: ', 'more'],
    ['ptpython', '... ', 'more'],
    ['bpython', 'x >>> ', 'question'],
    ['pdb', '(Pdb++) ', 'prompt'],
    ['pdb', '(iPdb) ', 'prompt'],
    ['deno', '> ', 'prompt'],
    ['bun', 'x> ', 'question'],
    ['tsx', '| ', 'more'],
    ['ts-node', '... ', 'more'],
    ['lldb', '(lldb) ', 'prompt'],
    ['lldb', '  12: ', 'more'],
    ['lldb', '  1> ', 'more'],
    ['lldb', 'x  12: ', 'question'],
    ['gdb', ' >', 'more'],
    ['mysql', 'mysql> ', 'prompt'],
    ['mariadb', 'MariaDB [test]> ', 'prompt'],
    ['mysql', '    -> ', 'more'],
    ['irb', 'irb(main):001> ', 'prompt'],
    ['irb', 'irb(main):001:0> ', 'prompt'],
    ['irb', 'irb(main):002* ', 'more'],
    ['irb', 'irb(main):002:1" ', 'more'],
    ['pry', '[1] pry(main)> ', 'prompt'],
    ['ghci', 'ghci> ', 'prompt'],
    ['ghci', 'ghci| ', 'more'],
    ['ghci', 'a b| ', 'question'],
    ['R', '> ', 'prompt'],
    ['R', '+ ', 'more'],
    ['lua', '>> ', 'more'],
    ['php', 'php > ', 'prompt'],
    ['php', 'php { ', 'more'],
    ['julia', 'julia> ', 'prompt'],
    ['redis-cli', '127.0.0.1:6379> ', 'prompt'],
    ['redis-cli', '127.0.0.1:6379[10]> ', 'prompt'],
    ['redis-cli', 'not connected> ', 'prompt'],
    ['mongosh', 'test> ', 'prompt'],
    ['mongosh', 'Atlas-x [primary] test> ', 'prompt'],
    ['mongosh', 'two words> ', 'question'],
    ['sftp', 'sftp> ', 'prompt'],
    ['ftp', 'ftp> ', 'prompt'],
    ['octave-cli', 'octave:12> ', 'prompt'],
    ['octave-cli', 'debug> ', 'prompt'],
    ['octave-cli', '> ', 'more'],
    ['octave-cli', 'Name? ', 'question'],
    ['gnuplot-nox', 'gnuplot> ', 'prompt'],
    ['gnuplot', 'more> ', 'more'],
    ['ocaml', '# ', 'prompt'],
    ['ocaml', '# of apples: ', 'question'],
    ['sbcl', '* ', 'prompt'],
    ['sbcl', '0] ', 'prompt'],
    ['sbcl', '* Name: ', 'question'],
    ['guile3.0', 'scheme@(guile-user)> ', 'prompt'],
    ['guile', 'scheme@(guile-user) [1]> ', 'prompt'],
    ['lftp', 'lftp :~> ', 'prompt'],
    ['lftp', 'lftp ada@box:/var> ', 'prompt'],
    ['pike8.0', '> ', 'prompt'],
    ['pike8.0', '>> ', 'more'],
    ['tclsh8.6', '% ', 'prompt'],
    ['tclsh8.6', '50 % ', 'question'],
    ['vim', '> ', undefined],
  ])('%s at %j: %s', (command, line, expected) => expect(at(command, line)).toBe(expected))

  test.each([
    ['node', true],
    ['node --inspect', true],
    ['node -i x.js', true],
    ['node -pi x.js', true],
    ['node -ip x.js', true],
    ['node --interactive x.js', true],
    ['node x.js --interactively', false],
    ['node x--interactive', false],
    ['python3 -i1 x.py', false],
    ['deno repl', true],
    ['deno repl x', true],
    ['node -r x', true],
    ['node --require x --import y -C z', true],
    ['python3 -W x -X y', true],
    ['node x.js', false],
    ['node -e 1', false],
    ['node -p 1', false],
    ['python3 -c 1', false],
    ['python3 -uc', false],
    ['python3 -uqc', false],
    ['python3 -1c', true],
    ['python3 -cu', true],
    ['python3 --x-c', true],
    ['node --eval=1', false],
    ['node --print', false],
    ['node --x--eval', true],
    ['node ', true],
    ['octave-cli --quiet -p x --path=y', true],
    ['octave-cli -q x.m', false],
    ['octave-cli --eval x', false],
    ['octave-cli --persist', false],
    ['octave-cli -p x.m', true],
    ['octave-cli -p x x.m', false],
    ['pike8.0 x.pike', false],
    ['gnuplot -e x', false],
    ['gnuplot -', false],
  ])('%s shows its own prompt: %s', (command, own) => {
    const repl = replOf(process(command, 'read(1)'))
    expect(repl?.continuation !== undefined).toBe(own)
  })

  test.each([
    ['', '# '],
    ['-I x', '# '],
    ['x.ml', undefined],
  ])('of an interpreter that another one runs has the words behind its own name: ocaml %s', (words, line) => {
    const ocaml = { ...process(`/usr/bin/ocamlrun /usr/bin/ocaml ${words}`, 'read(1)'), name: 'ocaml' }
    expect(replOf(ocaml)?.prompt.test('# ') ?? false).toBe(line !== undefined)
  })

  test('reads instructions from its terminal alone', () => {
    expect(replOf({ ...process('python3', 'read(1)'), isFed: true })?.prompt.test('>>> ')).toBe(false)
    expect(replOf({ ...process('gdb', 'poll'), isFed: true })).toBeUndefined()
  })

  test.each([
    ['  ok', 'idle/repl'],
    ["Type `bye' to exit", 'idle/repl'],
    ['  compiled', 'waiting/input'],
    ['It is ok', 'waiting/input'],
  ])('without a prompt is told by the row above: %j %s', (row, expected) => {
    const probe = probeOf([process('gforth-0.7.3', 'read(1)')], { mode: 'ce', line: '', above: [row] })
    expect(word(classify(probe))).toBe(expected)
  })

  test.each([
    ['mytool> ', true],
    ['MyTool> ', true],
    ['(mytool) ', true],
    ['mytool(config)> ', true],
    ['mytool', false],
    ['other> ', false],
    ['a mytool> ', false],
  ])('of no row is told by its name: %j %s', (line, expected) =>
    expect(isNamedPrompt(line, process('mytool', 'read(1)'))).toBe(expected),
  )
})

describe('the text before the cursor', () => {
  const at = (rows: readonly string[], row?: number, column = 0) =>
    beforeCursor({
      rows,
      columns: 80,
      alternate: false,
      ...(row === undefined ? {} : { cursor: { row, column } }),
    } as Probe['screen'] & object)
  test('keeps the blanks before it, and is cut at it', () => {
    expect(at(['$ ls -l'], 0, 4)).toBe('$ ls')
    expect(at(['$'], 0, 4)).toBe('$   ')
    expect(at(['表$ x'], 0, 4)).toBe('表$ ')
    expect(at(['表'], 0, 4)).toBe('表  ')
    expect(at(['$'], 7, 2)).toBe('  ')
    expect(at(['$ \tx'], 0, 3)).toBe('$ \t')
  })
  test('is the last line with text, where there is no cursor', () => {
    expect(at(['one', 'two', ' ', ''])).toBe('two')
    expect(at(['', ' '])).toBe('')
  })
  test('is nothing on a fresh line', () => {
    const fresh = (text: string, column: number) =>
      isFreshLine({ rows: [text], columns: 80, cursor: { row: 0, column } })
    expect([fresh('', 0), fresh('  ', 0), fresh('', 1), fresh('$', 0)]).toEqual([true, true, false, false])
  })
  test.each([
    ['a\nb$ ', 'b$ '],
    ['old\rnew', 'new'],
    ['longer\rab', 'ab'],
    ['ab\b\bc', 'c'],
    ['\b\bc', 'c'],
    ['\u001b[1;32m$\u001b[0m ', '$ '],
    ['\u001b]0;a title\u0007$ ', '$ '],
    ['\u001b]0;a title\u001b\\$ ', '$ '],
    ['\u001b(B$ ', '$ '],
    ['\u001b=$ ', '$ '],
    ['$ \u001b', '$ '],
    ['$ \u001b[1;3', '$ '],
    ['$ \u001b]0;half', '$ '],
    ['$ \u001b]0;half\u001b', '$ '],
    ['\u001b]0;half\u001b[mx', '0;halfx'],
    ['a\u0001b', 'ab'],
  ])('of what was printed last: %j', (printed, text) => {
    expect(beforeCursor(tailScreen(printed))).toBe(text)
  })
  test('of a line that was left longer is drawn, the rest stands behind the cursor', () => {
    expect(tailScreen('longer\rab').rows).toEqual(['abnger'])
    expect(tailScreen('表x').cursor).toEqual({ row: 0, column: 3 })
    expect(tailScreen(`${'x'.repeat(5000)}`).rows[0]).toHaveLength(4096)
  })
})

describe('what a question wants', () => {
  test.each([
    ['Password for ada: ', 'password'],
    ['PIN: ', 'password'],
    ['Continue? [yes/no/always] ', 'confirmation'],
    ['Continue? (y / n , maybe)', 'confirmation'],
    ['Overwrite it? ', 'confirmation'],
    ['Overwrite it? no', 'input'],
    ['lines 1-20/400', 'pager'],
    [' (END)', 'pager'],
    ['--More--(12%)', 'pager'],
    ['? Which one ›', 'input'],
    ['', 'input'],
    ['  ', 'input'],
  ])('%j: %s', (text, wanted) => expect(asksFor(text)).toBe(wanted))

  test('is at the end of a line of any length', () => {
    expect(asksFor(`${'x'.repeat(9000)} Continue? [y/N] `)).toBe('confirmation')
    expect(matchPrompt('')).toBeUndefined()
    expect(matchPrompt('  \n ')).toBeUndefined()
  })
})

const reader = (more: Partial<IdleReader>): IdleReader => ({
  pid: 100,
  termios: { canonical: false, echo: false, signals: true },
  call: { type: 'reads', name: 'pselect6', others: 0, isTimed: false },
  tier: 'proven',
  ...more,
})
const at = (command: string, calls: string, told: Told, learned: Learned = nothingLearned) =>
  classify(probeOf([process(command, calls)], { mode: 'ce', ...told }), learned)
const knowing = (...idle: IdleReader[]): Learned => ({ ...nothingLearned, idle })

describe('the prompt that a shell had before', () => {
  const known = (prompt: string, line: string, more: Partial<IdleReader> = {}) =>
    word(at('bash', 'pselect6', { line }, knowing(reader({ prompt, ...more }))))
  test.each([
    ['ready: ', 'ready: ', 'idle/shell'],
    ['ready: ', 'ready: ls', 'idle/shell'],
    ['~/src:1: ', '~/doc:2: ', 'idle/shell'],
    ['a: ', 'a b: ', 'unknown'],
    ['a: ', 'a; ', 'unknown'],
    [' ', '  ', 'idle/shell'],
    [' ', 'a: ', 'unknown'],
    ['', '', 'idle/shell'],
  ])('%j, and now %j: %s', (prompt, line, expected) => expect(known(prompt, line)).toBe(expected))

  test('is that of this shell, and of no other', () => {
    expect(known('ready: ', 'ready: ', { pid: 101 })).toBe('unknown')
  })

  test('may look like one that wants more, always', () => {
    expect(known('> ', '> ')).toBe('idle/shell')
    expect(word(at('bash', 'pselect6', { line: '> ' }))).toBe('waiting/input')
    const other = reader({ call: { ...reader({}).call, depth: 5344 }, prompt: '> ' })
    expect(word(at('bash', 'pselect6@2496', { line: '> ' }, knowing(other)))).toBe('waiting/input')
  })

  test('is waited for where a key sequence is begun, and no other question is', () => {
    const deep = { ...reader({}).call, depth: 5344 }
    const timed = (line: string, prompt?: string) =>
      at('bash', 'pselect6~@2496', { line }, knowing(reader({ call: deep, ...(prompt && { prompt }) })))
        .observeAgainIn
    expect(timed('ready: ', 'ready: ')).toBe(100)
    expect(timed('other? ', 'ready: ')).toBeUndefined()
    expect(timed('ready: ')).toBeUndefined()
    const calm = at(
      'bash',
      'pselect6@2496',
      { line: 'ready: ' },
      knowing(reader({ call: deep, prompt: 'ready: ' })),
    )
    expect(calm.observeAgainIn).toBeUndefined()
  })

  test('without a screen is not asked for', () => {
    expect(word(at('bash', 'pselect6', {}, knowing(reader({ prompt: 'ready: ' }))))).toBe('unknown')
    expect(word(at('bash', 'read(1024)', { mode: 'CE' }))).toBe('idle/shell')
    expect(word(at('bash', 'read(1024)', { mode: 'CE', line: 'Name: ' }))).toBe('unknown')
  })
})

describe('how deep a shell reads', () => {
  const references = (
    ...depths: [pid: number, call: string, depth: number, canonical?: boolean][]
  ): Learned => ({
    ...nothingLearned,
    references: depths.map(([pid, call, depth, canonical = false]) => ({ pid, call, depth, canonical })),
  })
  const line = 'ready: '
  test('is that of this shell, of this call, of this mode', () => {
    expect(word(at('bash', 'pselect6@7', { line }, references([100, 'pselect6', 7])))).toBe('idle/shell')
    expect(word(at('bash', 'pselect6@7', { line }, references([101, 'pselect6', 7])))).toBe('unknown')
    expect(word(at('bash', 'pselect6@8', { line }, references([101, 'pselect6', 7])))).toBe('unknown')
    expect(word(at('bash', 'pselect6@8', { line }, references([100, 'pselect6', 7])))).toBe('waiting/input')
    expect(word(at('bash', 'pselect6@8', { line }, references([100, 'poll', 7])))).toBe('unknown')
    expect(word(at('bash', 'pselect6@7', { line }, references([100, 'pselect6', 7, true])))).toBe('unknown')
    expect(word(at('bash', 'pselect6', { line }, references([100, 'pselect6', 7])))).toBe('unknown')
  })

  test('of bash, whose prompt waits otherwise than its questions for a key', () => {
    const learned = references([100, 'pselect6', 7])
    expect(word(at('bash', 'read(1)@8', { line }, learned))).toBe('waiting/input')
    expect(word(at('zsh', 'read(1)@8', { line }, learned))).toBe('unknown')
    expect(word(at('bash', 'poll@8', { line }, learned))).toBe('unknown')
    expect(word(at('bash', 'read(1)@8', { line }, references([100, 'poll', 7])))).toBe('unknown')
  })

  test('that was measured is a proof, and that was learned is worth what told it', () => {
    const known = reader({ tier: 'seen', call: { ...reader({}).call, depth: 7 } })
    const tier = (learned: Learned) => at('bash', 'pselect6@7', { line }, learned).tier
    expect(tier(knowing(known))).toBe('seen')
    expect(tier({ ...references([100, 'pselect6', 7]), idle: [known] })).toBe('proven')
    expect(tier({ ...references([101, 'pselect6', 7]), idle: [known] })).toBe('seen')
    expect(tier({ ...references([100, 'pselect6', 8]), idle: [known] })).toBe('seen')
  })
})

describe('marks of a shell’s own', () => {
  const marked = (
    mark: 'A' | 'B' | 'C' | 'D',
    command: string,
    calls: string,
    line: string,
    learned?: Learned,
  ) => at(command, calls, { line, stream: { semantic: { mark, at: 0 } } }, learned)
  test('tell of a prompt, unless a command was begun', () => {
    for (const mark of ['A', 'B', 'D'] as const)
      expect(word(marked(mark, 'bash', 'pselect6', 'x: '))).toBe('idle/shell')
    expect(marked('C', 'bash', 'pselect6', 'Continue? [y/N] ')).toMatchObject({
      state: { kind: 'waiting', for: 'confirmation' },
      tier: 'proven',
    })
  })
  test('count for less than the depth of the prompt', () => {
    const learned: Learned = {
      ...nothingLearned,
      references: [{ pid: 100, canonical: false, call: 'pselect6', depth: 7 }],
    }
    expect(word(marked('C', 'bash', 'pselect6@7', 'x: ', learned))).toBe('idle/shell')
  })
  test('of zsh tell of a prompt of a line editor in itself, A and B alike, with nothing below', () => {
    const learned: Learned = {
      ...nothingLearned,
      references: [{ pid: 100, canonical: false, call: 'read', depth: 7 }],
    }
    const zsh = (mark: 'A' | 'B' | 'C' | 'D', line = 'box% ', command = 'zsh') =>
      marked(mark, command, 'read(1)@8', line, learned)
    expect(zsh('A')).toMatchObject({ state: { kind: 'idle' }, tier: 'seen' })
    expect(word(zsh('B'))).toBe('idle/shell')
    expect(word(zsh('D'))).toBe('waiting/input')
    expect(word(zsh('B', 'Name: '))).toBe('waiting/input')
    expect(word(zsh('B', 'box$ ', 'bash'))).toBe('waiting/input')
    const below = (row: string, cursor?: object) => {
      const screen = {
        rows: ['box% ', row],
        columns: 80,
        alternate: false,
        ...(cursor && { cursor }),
      } as Probe['screen'] & object
      const stream = { semantic: { mark: 'B', at: 0 } } as const
      return word(at('zsh', 'read(1)@8', { screen, stream }, learned))
    }
    expect(below('  ', { row: 0, column: 5 })).toBe('idle/shell')
    expect(below('menu', { row: 0, column: 5 })).toBe('waiting/input')
    expect(below('')).toBe('waiting/input')
  })
  test('tell the exit code of what ended, at a prompt alone', () => {
    const stream = { semantic: { mark: 'D', exitCode: 3, at: 0 } } as const
    expect(at('bash', 'pselect6', { line: 'box$ ', stream }).exitCode).toBe(3)
    expect(at('sleep 1', '-nanosleep', { line: 'box$ ', stream })).not.toHaveProperty('exitCode')
    expect(at('bash', 'pselect6', { line: 'box$ ' })).not.toHaveProperty('exitCode')
    expect(at('sleep 1', '-nanosleep', {})).not.toHaveProperty('prompt')
  })
})

describe('fish', () => {
  const fish = (line: string) => at('fish', 'poll', { line, above: ['~> echo "a'] })
  test('indents what goes on, by two at least', () => {
    expect(fish('  b').isContinuation).toBe(true)
    expect(fish(' b').isContinuation).toBeUndefined()
    expect(fish('a  b').isContinuation).toBeUndefined()
    expect(fish('  ~> ').isContinuation).toBeUndefined()
    expect(at('bash', 'pselect6', { line: '  b' }).isContinuation).toBeUndefined()
    expect(at('bash', 'pselect6', { line: 'search: b' }).isContinuation).toBeUndefined()
  })
})

describe('what is learned', () => {
  const shell = (line: string, calls = 'pselect6@5344', pid = 100) =>
    probeOf([process('bash', calls, pid)], { mode: 'ce', line })
  test('is how the reader reads at its prompt, and the prompt without what is typed', () => {
    const once = learn(nothingLearned, shell('box$ '))
    expect(once.idle).toMatchObject([{ pid: 100, prompt: 'box$ ', call: { depth: 5344 }, tier: 'inferred' }])
    expect(learn(once, shell('box$ git st')).idle).toMatchObject([{ prompt: 'box$ ' }])
    expect(learn(once, shell('src$ ')).idle).toMatchObject([{ prompt: 'src$ ' }])
    expect(
      learn(knowing(reader({ prompt: ' ', call: { ...reader({}).call, depth: 5344 } })), shell(' b$ ')).idle,
    ).toMatchObject([{ prompt: ' b$ ' }])
  })
  test('is nothing of what runs, asks, is passing, or has no terminal to be asked', () => {
    expect(learn(nothingLearned, shell('Name? '))).toBe(nothingLearned)
    expect(learn(nothingLearned, shell('box$ ', '-wait4'))).toBe(nothingLearned)
    const { termios: _, ...bare } = shell('box$ ')
    expect(learn(nothingLearned, bare)).toBe(nothingLearned)
  })
  test('without a screen has no prompt', () => {
    const blind = probeOf([process('bash', 'read(1024)')], { mode: 'CE' })
    expect(learn(nothingLearned, blind).idle[0]).not.toHaveProperty('prompt')
  })
  test('is kept for each of them, 32 at the most, the newest', () => {
    const pids = Array.from({ length: 40 }, (_, n) => n + 1)
    const all = pids.reduce((known, pid) => learn(known, shell('box$ ', 'pselect6', pid)), nothingLearned)
    expect(all.idle.map(({ pid }) => pid)).toEqual(pids.slice(8))
    expect(learn(all, shell('src$ ', 'pselect6', 20)).idle.map(({ pid }) => pid)).toEqual([
      ...pids.slice(8).filter(pid => pid !== 20),
      20,
    ])
  })
})

describe('where the kernel does not tell', () => {
  const ssh = (line: string, told: Told = {}, learned?: Learned) =>
    classify(
      probeOf([process('ssh box', 'poll+2')], {
        mode: 'ce',
        line,
        relay: { pid: 100, name: 'ssh' },
        ...told,
      }),
      learned,
    )
  const marks = (mark: 'A' | 'B' | 'C' | 'D', on?: boolean) => ({
    semantic: { mark, at: 0 } as const,
    ...(on === undefined ? {} : { bracketedPaste: { on, at: 0 } }),
  })
  test('the prompt that it had before is one, for that relay', () => {
    const known = knowing(reader({ prompt: 'ready: ' }))
    expect(word(ssh('ready: ls', { quiet: 500 }, known))).toBe('idle/shell')
    expect(word(ssh('not ready: ', { quiet: 500 }, known))).toBe('unknown')
    expect(word(ssh('ready: ', { quiet: 500 }, knowing(reader({ prompt: 'ready: ', pid: 101 }))))).toBe(
      'unknown',
    )
    expect(word(ssh('x: ', { quiet: 500 }, knowing(reader({ prompt: ' ' }))))).toBe('unknown')
    expect(word(ssh(' x: ', { quiet: 500 }, knowing(reader({ prompt: ' ' }))))).toBe('unknown')
  })
  test('marks tell sooner that a line editor is at its prompt, and that none is', () => {
    expect(word(ssh('box$ ', { quiet: 20, stream: marks('A') }))).toBe('idle/shell')
    expect(word(ssh('box$ ', { quiet: 20, stream: marks('B') }))).toBe('idle/shell')
    expect(word(ssh('box$ ', { quiet: 20, stream: marks('D') }))).toBe('working')
    expect(word(ssh('box$ ', { quiet: 20, stream: marks('D', true) }))).toBe('idle/shell')
    expect(word(ssh('box$ ', { quiet: 60_000, stream: marks('D', false) }))).toBe('idle/shell')
    expect(word(ssh('box$ ', { quiet: 60_000, stream: marks('C', true) }))).toBe('working')
  })
  test('input that is not taken is a command that runs', () => {
    expect(word(ssh('box$ ', { quiet: 60_000, queued: 1 }))).toBe('working')
    expect(word(ssh('box$ ', { quiet: 60_000, queued: 0 }))).toBe('idle/shell')
  })
  test('a multiplexer fills the screen, whatever it shows: that is no wait for a key, and no prompt is ready', () => {
    const shows = (name: string, line: string) => {
      const screen = { rows: [line], columns: 80, cursor: { row: 0, column: line.length }, alternate: true }
      const relay = { pid: 100, name }
      return word(classify(probeOf([process('mux', '-pause')], { mode: 'ce', relay, screen, quiet: 60_000 })))
    }
    for (const name of ['screen', 'tmux: client', 'zellij']) {
      expect(shows(name, 'box$ ')).toBe('unknown')
      expect(shows(name, '~')).toBe('unknown')
      expect(shows(name, 'kill-pane 1? (y/n) ')).toBe('waiting/confirmation')
    }
    expect(shows('ssh', '~')).toBe('waiting/pager')
  })
  test('names a program as people do', () => {
    const hidden = { ...process('node server.js', 'hidden'), name: 'MainThread' }
    expect(classify(probeOf([hidden], { line: '' })).why).toMatch(/^node, which may not be looked into/)
  })
  test('what fills the screen is a pager by its words, too', () => {
    const screen = (row: number) => ({
      rows: [':', '', ''],
      columns: 80,
      cursor: { row, column: 1 },
      alternate: true,
    })
    expect(word(ssh('', { quiet: 500, screen: screen(0) }))).toBe('waiting/pager')
    expect(word(ssh('', { quiet: 500, screen: { rows: ['a', 'b'], columns: 80, alternate: true } }))).toBe(
      'waiting/keypress',
    )
  })
})

describe('what stands still', () => {
  test('says who, and what would help', () => {
    const two = probeOf([process('make', '-wait4', 100), process('yes', '-wait4 write!', 101)], {
      quiet: 1000,
    })
    expect(classify(two)).toMatchObject({
      health: { level: 'confirmed_stuck', cause: 'output', certainty: 'certain' },
      why: 'yes can’t write: the terminal’s output is stopped (Ctrl-S); Ctrl-Q goes on'.replaceAll('’', "'"),
      reader: 101,
    })
    const stopped = classify(probeOf([process('make', '-wait4', 100, 'T')]))
    expect(stopped).toMatchObject({
      health: { cause: 'stopped', certainty: 'certain' },
      why: 'make is stopped by a signal',
    })
    const half = probeOf([process('make', '-wait4', 100, 'T'), process('cc', '-wait4', 101)])
    expect(word(classify(half))).toBe('working')
  })
  test('is told in words where nobody reads', () => {
    const why = (calls: string, state = 'S') => classify(probeOf([process('make', calls, 100, state)])).why
    expect(why('-wait4')).toBe('make is in wait4, and nobody reads the terminal')
    expect(why('running', 'R')).toBe('make runs, and nobody reads the terminal')
    expect(why('-wait4', 'R')).toBe('make runs, and nobody reads the terminal')
    expect(why('running -futex')).toBe('make is in futex, and nobody reads the terminal')
    expect(classify(probeOf([])).why).toBe('nobody reads the terminal')
  })
  test('behind a relay that goes on says so', () => {
    const outer = probeOf([process('script', 'poll+1')], {
      mode: 'ce',
      relay: { pid: 100, name: 'script' },
      inner: probeOf([], { gone: {} }),
    })
    expect(classify(outer)).toMatchObject({
      tier: 'proven',
      why: 'what script showed has ended, and it goes on',
    })
  })
})
