/** Programs that nobody listed: a REPL is one whose prompt comes back, a question is asked once, the rest of something follows at once. */
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import type { Probe, TerminalProcess } from '../../src/terminal/probe/probed.ts'
import { probeOf, process, type Told, word } from '../support/probes.ts'

const start = 'dev@box:~$ ./mydb'

/** What stands on the screen; the last line is the cursor's. */
const shown = (screen: readonly string[], told: Told = {}, reader: Partial<TerminalProcess> = {}): Probe =>
  probeOf([{ ...process('mydb', 'pselect6'), ...reader }], {
    mode: 'ce',
    above: screen.slice(0, -1),
    line: screen.at(-1) as string,
    quiet: 1000,
    ...told,
  })
const says = (screen: readonly string[], told: Told = {}, reader: Partial<TerminalProcess> = {}): string =>
  word(classify(shown(screen, told, reader)))

describe('a program of no list', () => {
  test.each<[string, readonly string[]]>([
    ['after a command and its output', ['db> show', 'a', 'b', 'db> ']],
    ['after a command that says nothing', ['db> set x', 'db> ']],
    ['after several that say nothing', ['db> show', 'a', 'db> set x', 'db> set y', 'db> ']],
    ['with a greeting', ['mydb 1.0', '', 'db> show', 'a', 'db> ']],
    ['whose prompt counts', ['db(1)> show', 'a', 'db(2)> ']],
    ['whose prompt is of two lines', ['on main', '❯ show', 'a', '', 'on main', '❯ ']],
    ['whose prompt is a question mark', ['? show', 'a', '? ']],
    ['with something typed', ['db> show', 'a', 'db> sho']],
    ['whose prompt is a dash', ['mydb 1.0 [built: today]', '- show', 'a', '- ']],
    ['whose prompt is a point', ['mydb 1.0', '. show', 'a', '. ']],
    ['whose command is a text', ['db> "a"', 'a', 'db> ']],
    ['that names the key for help', ['Order (? for help): p', 'a', 'Order (? for help): ']],
    ['that counts in brackets', ['row[1]: show', 'a', 'row[2]: ']],
    ['in a transaction', ['db> show', 'a', 'db> begin', 'BEGIN', 'db*> show', 'a', 'db*> ']],
    ['whose debugger counts', ['main::(x:1):  f();', '  DB<1> p 7', '7', '  DB<2> ']],
    ['below a type', ['(1) -> show', 'a', '   Type: Text', '(2) -> ']],
  ])('is a REPL %s', (_, screen) => {
    expect(classify(shown([start, ...screen], {}, { hasEditor: true }))).toMatchObject({
      state: { kind: 'idle', at: 'repl' },
      tier: 'inferred',
    })
    expect(says([start, ...screen], { mode: 'CE' })).toBe('idle/repl')
  })

  test.each<[string, readonly string[]]>([
    ['has not answered anything', ['db> ']],
    ['wants the rest, in other words', ['db> show', 'a', 'db> begin', '..> x', '..> ']],
    ['wants the rest, for the second time', ['db> begin', 'go> x', 'a', 'db> begin', 'go> ']],
    ['wants the rest behind nothing', ['db> show', 'a', 'db> begin', '    ']],
    ['wants the rest behind a dash', ['db> begin', '- x', 'a', '- ']],
    ['wants the rest behind points', ['db> show', 'a', 'db> begin', '… x', '… ']],
    ['wants the rest behind points, for the first time', ['db> show', 'a', 'db> begin', '… ']],
    ['wants the rest behind the number of its line', ['db> show', 'a', 'db> begin', ' 2: ']],
    ['wants the rest behind a line', ['db> show', 'a', 'db> begin', '│ x', '│ ']],
    ['wants the rest as it wants the first', ['db> show', 'a', 'db> if (x) {', 'db> ']],
    ['wants the rest of a text', ['db> show', 'a', 'db> say "hello', 'db> ']],
    ['counts the lines of what was begun', ['1> a', '2> go', 'out', '1> b', '2> ']],
    ['wants the rest of a sum', ['db> show', 'a', 'db> sum 1 +', 'db> ']],
    ['counts how deep it is', ['{0} begin', '{1} ']],
    ['counts what is begun, in words', ['db:0> begin', 'db:1> ']],
    ['asks the same again, in words', ['Name: ada', 'taken', 'Name: ']],
    ['asks what stands above', ['Your name?', '> ada', 'Your age?', '> ']],
    ['asks one thing after the other', ['User> ada', 'checking', 'Code> 1', 'no', 'Code> ']],
    ['shows a list', ['1) one', '2) two', 'Pick> 7', 'wrong', '1) one', '2) two', 'Pick> ']],
    ['asks as what was typed says', ['db> ask("db> ")', 'db> ']],
    ['asks below what was typed', ['db> print("one\\ndb> "); sleep(60)', 'one', 'db> ']],
    ['was started anew', ['db> show', 'a', start, 'Welcome', 'db> ']],
  ])('asks where it %s', (_, screen) => {
    expect(says([start, ...screen], {}, { hasEditor: true })).toBe('waiting/input')
    expect(says([start, ...screen], { mode: 'CE' })).toBe('waiting/input')
  })

  test('that shows its own name is none where what was typed holds that', () => {
    expect(says([start, 'mydb> '], { mode: 'CE' })).toBe('idle/repl')
    expect(says([start, 'mydb> print("a\\nmydb> "); sleep(9)', 'a', 'mydb> '], { mode: 'CE' })).toBe(
      'waiting/input',
    )
  })

  test('that redraws a list with a pointer is none, unless a line editor is loaded', () => {
    const screen = [start, '  banana', '> apple', '  3/3', '> ']
    expect(says(screen)).toBe('waiting/input')
    expect(says(screen, {}, { hasEditor: true })).toBe('idle/repl')
  })

  test('that another one waits for may only look so: that one may have asked before', () => {
    const screen = [start, 'db> show', 'a', 'db> ']
    const parent = process('otherdb', '-wait4', 50)
    const child = { ...process('ask', 'read(1024)'), parent: 50 }
    const told: Told = { line: 'db> ', above: screen.slice(0, -1) }
    expect(word(classify(probeOf([parent, child], told)))).toBe('waiting/input')
    expect(word(classify(probeOf([process('sh -c ask', '-wait4', 50), child], told)))).toBe('idle/repl')
  })

  describe('shows a prompt that has come back, and another reads', () => {
    const screen = [start, 'db> show', 'a', 'db> ']
    const [above, line] = [screen.slice(0, -1), 'db> ']
    const worker = (calls: TerminalProcess['calls']) => ({
      ...process('db-eval', '-futex', 200),
      parent: 100,
      calls,
    })
    const asleep = worker([{ type: 'blocked', name: 'futex', isTimed: true }])

    test('lines, though its editor reads keys: a question', () => {
      expect(says(screen, { mode: 'CE' }, { hasEditor: true })).toBe('waiting/input')
      const known = learn(nothingLearned, shown(screen, {}, { hasEditor: true }))
      expect(known.idle).toMatchObject([{ prompt: 'db> ' }])
      expect(word(classify(shown(screen, { mode: 'CE' }, { hasEditor: true }), known))).toBe('waiting/input')
    })

    test('more than a key at once, which its editor does not: a key is wanted', () => {
      const reading = process('mydb', 'read(4096)')
      expect(word(classify(probeOf([{ ...reading, hasEditor: true }], { mode: 'ce', line, above })))).toBe(
        'waiting/keypress',
      )
      expect(word(classify(probeOf([reading], { mode: 'ce', line, above })))).toBe('idle/repl')
    })

    test('what polls for the whole program in a thread of its own, and reads on', () => {
      const front = process('mydb', '-pselect6 epoll_wait')
      expect(word(classify(probeOf([front], { mode: 'ce', line, above, quiet: 1000 })))).toBe('waiting/input')
      // A loop of the program's own has times to keep.
      const loop = process('mydb', '-pselect6 epoll_wait~')
      expect(word(classify(probeOf([loop], { mode: 'ce', line, above, quiet: 1000 })))).toBe('idle/repl')
      const first = process('mydb', 'epoll_wait -futex')
      expect(word(classify(probeOf([first], { mode: 'ce', line, above, quiet: 1000 })))).toBe('idle/repl')
    })

    test('a thread of its own while the process that it has started works', () => {
      const front = process('mydb', '-futex read(1)')
      const told: Told = { mode: 'ce', line, above }
      expect(word(classify(probeOf([front, asleep], told)))).toBe('working')
      expect(word(classify(probeOf([front, worker([{ type: 'running' }])], told)))).toBe('working')
      const idle = worker([{ type: 'blocked', name: 'futex' }])
      expect(word(classify(probeOf([front, idle], told)))).toBe('idle/repl')
      expect(
        word(classify(probeOf([front, asleep], { ...told, line: 'mydb> ', above: [start], quiet: 1000 }))),
      ).toBe('working')
      const alone = process('mydb', 'read(1)')
      expect(word(classify(probeOf([alone, asleep], told)))).toBe('waiting/input')
      expect(word(classify(probeOf([alone, asleep], { mode: 'ce', line: '', above })))).toBe('working')
    })
  })

  test('is known by what it asked before where its output has moved that away', () => {
    const asked = [start, 'mydb 1.0', 'db> ']
    const learned = learn(nothingLearned, shown(asked))
    const later = (screen: readonly string[], readChars: number) =>
      word(classify(shown(screen, {}, { readChars }), learned))
    const output = ['line 98', 'line 99', 'db> ']
    expect(says(output)).toBe('waiting/input')
    expect(later(output, 1005)).toBe('idle/repl')
    // Typed, and rubbed out.
    expect(later(asked, 1008)).toBe('waiting/input')
    expect(later(output, 1000)).toBe('waiting/input')
    expect(later(['line 98', 'Which one?', 'db> '], 1005)).toBe('waiting/input')
  })
})

describe('a REPL of the list', () => {
  const at = (depth: number): Learned => ({
    ...nothingLearned,
    references: [{ pid: 100, canonical: false, call: 'pselect6', depth }],
  })
  const python = (line: string, depth: number, learned: Learned, above: readonly string[] = []) =>
    classify(probeOf([process('python3.11 -q', `pselect6@${depth}`)], { mode: 'ce', line, above }), learned)

  test('is known by how deep it reads, whatever its prompt', () => {
    for (const line of ['>>> ', 'ready: ', 'Name? ', '... '])
      expect(python(line, 4640, at(4640))).toMatchObject({ state: { kind: 'idle' }, tier: 'proven' })
    for (const line of ['>>> ', '... ', 'ready: '])
      expect(word(python(line, 2016, at(4640)))).toBe('waiting/input')
    expect(word(python('(Pdb) ', 2800, at(4640)))).toBe('idle/repl')
  })

  test.each([
    ['psql app', 'app=*> ', 'idle/repl'],
    ['psql app', 'app=!# ', 'idle/repl'],
    ['psql app', 'app-# ', 'waiting/input'],
    ['psql app', 'app(# ', 'waiting/input'],
    ['redis-cli', '127.0.0.1:6379(TX)> ', 'idle/repl'],
    ['mysql', "    '> ", 'waiting/input'],
    ['gdb a.out', '(gdb) ', 'idle/repl'],
    ['lldb a.out', '(lldb) ', 'idle/repl'],
    ['python3 x.py', 'ipdb> ', 'idle/repl'],
    ['python3 x.py', '(Pdb) ', 'idle/repl'],
    ['node inspect x.js', 'debug> ', 'idle/repl'],
  ])('in a transaction, in a debugger, within a statement: %s at %j: %s', (command, line, expected) => {
    const told: Told = { mode: 'ce', line, quiet: 1000 }
    expect(word(classify(probeOf([process(command, 'pselect6')], told)))).toBe(expected)
  })

  test('is inferred at most where its depth is not known: what it runs may ask so', () => {
    expect(python('>>> ', 2016, nothingLearned)).toMatchObject({ state: { kind: 'idle' }, tier: 'inferred' })
    expect(word(python('>>> ', 2016, nothingLearned, ['>>> input(">>> ")']))).toBe('waiting/input')
    const child = { ...process('sleep 60', '-clock_nanosleep', 200), parent: 100 }
    const beside = probeOf([process('node', 'epoll_wait+2'), child], { mode: 'ce', line: '> ', quiet: 1000 })
    expect(word(classify(beside))).toBe('waiting/input')
  })

  test('that gave its terminal up to watch it beside its work is at no prompt', () => {
    const node = (mode: string) =>
      word(classify(probeOf([process('node', 'epoll_pwait+2')], { mode, line: '> ', quiet: 1000 })))
    expect(node('ce')).toBe('idle/repl')
    expect(node('CE')).toBe('working')
  })

  test('has the prompt that it was given', () => {
    const sqlite = (...screen: readonly string[]) => {
      const told: Told = { mode: 'ce', above: screen.slice(0, -1), line: screen.at(-1) as string }
      return word(classify(probeOf([process('sqlite3 a.db', 'pselect6')], told)))
    }
    const given = "sqlite> .prompt 'my: ' 'more: '"
    expect(sqlite(given, 'my: ')).toBe('idle/repl')
    expect(sqlite(given, 'my: select 1;', '1', 'my: ')).toBe('idle/repl')
    expect(sqlite(given, 'my: select', 'more: ')).toBe('waiting/input')
    expect(sqlite('sqlite> select', '(x1...> ')).toBe('waiting/input')
  })

  test.each([
    ['ruby /usr/bin/irb', 'irb(main):001:0> ', 'idle/repl'],
    ['python3 -m pdb x.py', '(Pdb) ', 'idle/repl'],
    ['python3 /usr/bin/ipython3', 'In [1]: ', 'idle/repl'],
    ['ruby ask.rb', 'irb(main):001:0> ', 'waiting/input'],
    ['php ask.php', 'php > ', 'waiting/input'],
  ])('is told from a script that it runs: %s', (command, line, expected) => {
    expect(word(classify(probeOf([process(command, 'read(1)')], { mode: 'ce', line })))).toBe(expected)
  })
})

describe('the rest of what a shell has begun', () => {
  const references = [{ pid: 100, canonical: false, call: 'pselect6', depth: 5344 }]
  const atDepth: Learned = { ...nothingLearned, references }
  const reading = (
    command: string,
    depth: number,
    shows: TerminalProcess['shows'],
    screen: readonly string[],
  ) => {
    const reader = { ...process(command, `pselect6@${depth}`), ...(shows && { shows }) }
    const told: Told = { mode: 'ce', above: screen.slice(0, -1), line: screen.at(-1) as string }
    return classify(probeOf([reader], told), atDepth)
  }

  test.each(['│ ', '', '    ', '12: ', 'dev@box:~$ '])(
    'is told by its memory, whatever its prompt: %j',
    line => {
      expect(reading('bash', 5344, 'rest', [line])).toMatchObject({ isContinuation: true, tier: 'proven' })
      expect(word(reading('bash', 5344, 'first', [line]))).toBe('idle/shell')
    },
  )

  test('is none where its prompt is that of most second ones', () => {
    expect(reading('bash', 5344, 'first', ['> '])).toMatchObject({ state: { kind: 'idle' }, tier: 'proven' })
    expect(word(reading('bash', 5344, undefined, ['> ']))).toBe('waiting/input')
    expect(word(reading('ksh', 5344, undefined, ['> ']))).toBe('idle/shell')
    expect(word(reading('bash', 5344, 'first', ["(reverse-i-search)`ls': ls"]))).toBe('waiting/input')
  })

  test('is told by what stands above where it is read as deep as the prompt', () => {
    const dash = (...screen: readonly string[]) => word(reading('mksh', 5344, undefined, screen))
    expect(dash('# cat <<EOF', '│ ')).toBe('waiting/input')
    expect(dash("# cat <<-'EOF'", '│ a', '│ ')).toBe('waiting/input')
    expect(dash('# cat <<EOF', '│ a', '│ EOF', 'a', 'ready: ')).toBe('idle/shell')
    expect(dash('# cat <<<EOF', 'EOF', 'ready: ')).toBe('idle/shell')
    expect(dash('# echo a \\', '│ ')).toBe('waiting/input')
    expect(dash('│ a', '│ b', '│ ')).toBe('waiting/input')
  })

  test('is none where commands that print nothing stand behind a prompt', () => {
    const dash = (...screen: readonly string[]) => word(reading('dash', 5344, undefined, screen))
    expect(dash('# true', '# true', '# ')).toBe('idle/shell')
    expect(dash('ada@box ~> true', 'ada@box ~> true', 'ada@box ~> ')).toBe('idle/shell')
    const screen = (...above: string[]): Told => ({ mode: 'ce', above, line: 'ada: ' })
    const probe = (...above: string[]) => probeOf([process('dash', 'pselect6@5344')], screen(...above))
    const known = learn(atDepth, probe())
    expect(word(classify(probe('ada: true', 'ada: true'), known))).toBe('idle/shell')
    // Known by no other call: it may be the second prompt of a text that has scrolled.
    expect(word(classify(probe('ada: true', 'ada: true'), atDepth))).toBe('waiting/input')
  })
})
