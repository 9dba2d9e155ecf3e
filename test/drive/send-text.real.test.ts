/** Text and keys into real shells: all of it, in its order, into that pane alone, and never where it should not go. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { readSettings } from '../../src/os/tty/tty.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, keyReader, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const wait = { timeout: 20_000 }
/** What reads keys gets text by force alone. */
const keys = { force: true }
const newFile = (): string => path.join(temporaryFolder(), 'out')
const content = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** 100 kB of lines that a shell would take apart if it got hold of them. */
const lines = Array.from(
  { length: 1600 },
  (_, n) => `${n} ünïcödé; "q" $HOME \\ \`x\` 'y' ${'z'.repeat(25)};`,
)
const large = lines.join('\n')

/** As far as the kernel has it, and nobody has read it: no program is asked, which takes long on a busy machine. */
const isQueued = (terminal: Terminal, text: string) =>
  until(
    () => readSettings(terminal.pane.tty)?.queued ?? 0,
    queued => queued >= text.length,
    'the text that nobody reads',
  )

describe.runIf(hasProgram('tmux'))('lull send', () => {
  const server = tmuxServer()
  async function ready(...command: readonly string[]): Promise<Terminal> {
    const terminal = await server.terminal(...command)
    expect(await terminal.waitReady(wait)).toMatchObject({ outcome: 'reached', state: 'ready' })
    return terminal
  }

  test('answers with what came of it', async () => {
    const terminal = await ready(...bash)
    const { answer } = await terminal.send('echo $((6*7)); sleep 0.2; (exit 3)', { wait })
    expect(answer).toMatchObject({ outcome: 'reached', state: 'ready' })
    expect(answer?.screen.at(-2)).toBe('42')
    expect(answer?.promptLine.trim()).toBe('$')
    const asked = await terminal.send('read -p "Go on? " x', { wait })
    expect(asked.answer).toMatchObject({ outcome: 'waitsForPerson', state: 'question' })
    expect(asked.answer?.promptLine).toContain('Go on?')
    expect((await terminal.send('yes', { wait })).answer).toMatchObject({ state: 'ready' })
    const late = await terminal.send('sleep 100', { wait: { timeout: 50 } })
    expect(late.answer).toMatchObject({ outcome: 'timeout' })
    expect(late.answer?.screen.at(-1)).toBe('$ sleep 100')
  })

  test.each([
    ['bash', bash],
    ['dash', ['PS1=$ ', 'dash']],
    ['zsh', ['zsh', '-f']],
    ['ksh', ['PS1=$ ', 'ksh']],
  ])('100 kB in many lines come whole into %s', async (name, command) => {
    if (!hasProgram(name)) return void process.stderr.write(`skipped: there is no ${name}\n`)
    const terminal = await ready(...command)
    const file = newFile()
    // ksh reads line by line; a part is enough to show it.
    const text = name === 'ksh' ? lines.slice(0, 150).join('\n') : large
    const sent = await terminal.send(`cat > ${file} <<'END'\n${text}\nEND`, { wait })
    expect(sent).toMatchObject({ isEntered: true, isRead: true, answer: { state: 'ready' } })
    expect(content(file) === `${text}\n`).toBe(true)
  })

  // Each time by a new call, which knows nothing of the shell: its rows look like a text that has no end yet.
  test.each([
    ['bash', bash],
    ['dash', ['dash']],
    ['zsh', ['zsh', '-f']],
    ['ksh', ['ksh']],
    ['mksh', ['mksh']],
    ['fish', ['fish', '--no-config']],
    ['busybox', ['busybox', 'ash']],
  ])('commands that print nothing are followed by more in %s', async (name, command) => {
    if (!hasProgram(name)) return void process.stderr.write(`skipped: there is no ${name}\n`)
    const pane = server.start(...command)
    // A shell that starts may read something else before its first prompt, and text is refused there.
    await until(
      () => server.screen(pane),
      screen => screen.trim() !== '',
    )
    for (let times = 0; times < 5; times++) {
      const { answer } = await (await server.of(pane)).send('true', { wait })
      expect(answer).toMatchObject({ outcome: 'reached', state: 'ready' })
    }
  })

  test.each([
    ['a trailing ;', 'a;'],
    ['only ;', ';'],
    ['what tmux and shells expand', `$HOME ~ #{pane_id} %3 "x" 'y' \\ \`z\` -t %0`],
    ['UTF-8', 'ünïcödé 漢字 🙂'],
    ['a tab and other control characters', 'a\tb\u0001\u0007c\u001b[1mx\u007f'],
    ['text that begins with -', '-l -t'],
    ['an empty line', ''],
  ])('%s survives', async (_, text) => {
    const file = newFile()
    const pane = server.start(...keyReader(file))
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    expect(await terminal.send(text, keys)).toMatchObject({ isEntered: true, isRead: true })
    await until(
      () => content(file),
      read => read.endsWith('\r'),
    )
    const bare = content(file).replace('\u001b[200~', '').replace('\u001b[201~', '')
    expect(bare).toBe(`${text}\r`)
  })

  test('what is no UTF-8 survives, and a file’s last line end is the Enter', async () => {
    const file = newFile()
    const pane = server.start(...keyReader(file))
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    await terminal.send(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x0a]), keys)
    await until(
      () => content(file),
      read => read.endsWith('\r'),
    )
    expect(readFileSync(file)).toEqual(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x0d]))
  })

  test('a paste is bracketed where the program asked for it, and Enter is a read of its own', async () => {
    const file = newFile()
    const pane = server.start(...keyReader(file, 'reads'))
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    await terminal.send('one\ntwo', keys)
    await until(
      () => content(file),
      read => read.endsWith('<\r>'),
    )
    expect(content(file).replaceAll('><', '')).toBe('<\u001b[200~one\rtwo\u001b[201~\r>')
    expect(content(file)).toMatch(/<\r>$/)
  })

  test('without Enter nothing is entered', async () => {
    const terminal = await ready(...bash)
    const file = newFile()
    expect(await terminal.send(`echo x > ${file}`, { enter: false })).toMatchObject({
      isEntered: false,
      isRead: true,
    })
    expect(existsSync(file)).toBe(false)
    await terminal.keys(['Enter'])
    await until(
      () => content(file),
      text => text === 'x\n',
    )
  })

  test('a key behind Escape is none that is pressed with Alt, as programs read it', async () => {
    const file = newFile()
    // Like a parser of keys: what comes within 100 ms of Escape belongs to it. One that was late itself proves nothing.
    const program = `const fs = require('fs'); process.stdin.setRawMode(true); console.log('up'); let all = '', timer, late = ''
      let tick = performance.now(); setInterval(() => { const now = performance.now(); if (now - tick > 40) late = 'late'; tick = now }, 5)
      process.stdin.on('data', chunk => { all += chunk; clearTimeout(timer)
        timer = setTimeout(() => { fs.appendFileSync(${JSON.stringify(file)}, '<' + all.replaceAll('\\x1b', 'E') + '>')
          if (all.endsWith('x')) { fs.appendFileSync(${JSON.stringify(file)}, late + '.'); late = '' }
          all = '' }, 100) })`
    const pane = server.start(process.execPath, '-e', program)
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    const pressed = async () => {
      const { length } = content(file)
      await terminal.keys(['Escape', 'Escape', 'x'])
      return await until(
        () => content(file).slice(length),
        read => read.endsWith('.'),
      )
    }
    expect(await until(pressed, read => !read.endsWith('late.'))).toBe('<E><E><x>.')
  })

  test('a line that the terminal would cut is refused before it is typed', async () => {
    const pane = server.start('cat')
    const terminal = await server.of(pane)
    await until(
      async () => (await terminal.settle()).verdict.state.kind,
      kind => kind === 'waiting',
    )
    await expect(terminal.send('x'.repeat(4096))).rejects.toMatchObject({
      code: 'REFUSED_TO_TYPE',
      facts: { typed: 0 },
    })
    expect(await terminal.send('x'.repeat(4095), { wait })).toMatchObject({ isRead: true })
    await until(
      () => server.screen(pane),
      screen => screen.replaceAll('\n', '').length >= 2 * 1000,
    )
  })

  test.each([
    ['a NUL byte', 'a\0b', 'C-Space'],
    ['the mark that ends a paste', 'a\u001b[201~rm', '201'],
  ])('%s is refused', async (_, text, why) => {
    const terminal = await ready(...bash)
    await expect(terminal.send(text)).rejects.toThrow(why)
  })

  test.runIf(hasProgram('python3'))(
    'learns the prompt of a program that nobody listed, also where its output moves that away',
    async () => {
      const file = temporaryFile('calc.py', 'while True: print(eval(input("calc> ")))')
      const terminal = await server.terminal('python3', file)
      await until(
        async () => (await terminal.settle()).verdict.state,
        state => state.kind === 'waiting' && state.for === 'input',
      )
      // Nothing of what stood there before is left on the screen.
      const { answer } = await terminal.send('"\\n".join(["line"] * 200)', { wait })
      expect(answer).toMatchObject({ outcome: 'reached', state: 'ready', promptLine: 'calc>' })
      // One that asks something else below its output is asking.
      const other = await terminal.send('input("Which one? ")', { wait })
      expect(other.answer).toMatchObject({ outcome: 'waitsForPerson', state: 'question' })
    },
  )

  test('a password is not typed into, nor Enter after it came', async () => {
    const terminal = await ready(...bash)
    const { answer } = await terminal.send('read -s -p "Pass: " x', { wait })
    expect(answer).toMatchObject({ outcome: 'waitsForPerson', state: 'password' })
    await expect(terminal.send('text')).rejects.toMatchObject({
      facts: { outcome: 'waitsForPerson', typed: 0 },
    })
    await terminal.keys(['C-c'])
    expect(await terminal.waitReady(wait)).toMatchObject({ state: 'ready' })
  })

  test('what nobody reads is typed ahead, and a wait counts from when it is read', async () => {
    const terminal = await ready(...bash)
    const go = newFile()
    await terminal.send(`until [ -e ${go} ]; do sleep 0.02; done`)
    const sending = terminal.send('echo ahead', { wait })
    // The terminal shows the text, and a line end for the Enter.
    const { id } = terminal.pane
    const column = () => server.tmux('display-message', '-p', '-t', id, '#{cursor_x}').trim()
    await until(
      () => server.screen(id).includes('ahead') && column() === '0',
      isEntered => isEntered,
    )
    // What was not read within a second counts as typed ahead. Both times are this process's: late or not, this one ends later.
    setTimeout(() => writeFileSync(go, ''), 1500)
    const { isRead, answer } = await sending
    expect(isRead).toBe(false)
    expect(answer?.screen.slice(-2)).toEqual(['ahead', '$'])
  })

  test('Enter is not pressed where the text is not read', async () => {
    const pane = server.start('bash', '-c', 'stty raw -echo; printf up; exec sleep 100')
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    const sent = await terminal.send('text', { wait: { timeout: 100 } })
    expect(sent).toEqual({ bytes: 4, isEntered: false, isRead: false })
  })

  test('what reads it a moment later gets its Enter, however little of the timeout was left', async () => {
    const go = newFile()
    // The moment is a second, in which a busy machine may start no program: the shell itself waits, and reads.
    const script = `mkfifo ${go}; stty -icanon; printf up; read <${go}; read -r line`
    const pane = server.start('bash', '-c', script)
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    const sending = terminal.send('text', { ...keys, wait: { timeout: 0 } })
    await isQueued(terminal, 'text')
    writeFileSync(go, '\n')
    expect(await sending).toMatchObject({ isEntered: true })
  })

  test('two senders are queued, not mixed', async () => {
    const pane = server.start(...bash)
    const senders = await Promise.all([server.of(pane), server.of(pane), server.of(pane)])
    expect(await senders[0]?.waitReady(wait)).toMatchObject({ state: 'ready' })
    const file = newFile()
    const texts = senders.map((_, n) => `echo ${`${n}`.repeat(300)} >> ${file}`)
    await Promise.all(senders.map((sender, n) => sender.send(texts[n] as string)))
    await until(
      () => content(file).split('\n').length,
      length => length === 4,
    )
    const written = content(file).split('\n').sort().slice(1)
    expect(written).toEqual(senders.map((_, n) => `${n}`.repeat(300)))
  })

  test('somebody who scrolls is not in the way of text; keys would scroll, and are refused', async () => {
    const pane = server.start(...bash)
    const terminal = await server.of(pane)
    await terminal.waitReady(wait)
    const file = newFile()
    server.tmux('copy-mode', '-t', pane)
    await expect(terminal.keys(['q'])).rejects.toMatchObject({ facts: { outcome: 'waitsForPerson' } })
    await terminal.send(`echo x > ${file}`, { wait })
    expect(content(file)).toBe('x\n')
    expect(server.tmux('display-message', '-p', '-t', pane, '#{pane_in_mode}').trim()).toBe('1')
  })

  test('nothing reaches another pane: synchronized ones, one that holds another program', async () => {
    const pane = server.start(...bash)
    const beside = server.tmux('split-window', '-d', '-t', pane, '-P', '-F', '#{pane_id}', 'cat').trim()
    server.tmux('set-option', '-w', '-t', pane, 'synchronize-panes', 'on')
    const terminal = await server.of(pane)
    await terminal.waitReady(wait)
    await terminal.send('echo only here', { wait })
    await expect(terminal.keys(['x'])).rejects.toThrow('synchronized')
    expect(server.screen(beside).trim()).toBe('')
    server.tmux('respawn-pane', '-k', '-t', pane, 'cat')
    await expect(terminal.send('for bash')).rejects.toMatchObject({ facts: { outcome: 'gone' } })
    server.tmux('set-option', '-w', '-t', pane, 'synchronize-panes', 'off')
    await expect(terminal.keys(['x'])).rejects.toMatchObject({ facts: { outcome: 'gone' } })
    expect(server.screen(pane).trim()).toBe('')
  })

  test('who calls it off waits no longer for a program that does not read, and Enter is not pressed', async () => {
    const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
    const deaf = `process.stdin.setRawMode(true); process.stdin.on("data", () => ${sleep})`
    const pane = server.start(process.execPath, '-e', `${deaf}; console.log("up")`)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    const terminal = await server.of(pane)
    await terminal.keys(['x'])
    const stop = new AbortController()
    const sending = terminal.send('go on', { ...keys, signal: stop.signal, wait: { timeout: 600_000 } })
    // Called off before it is typed, it would be refused.
    await isQueued(terminal, 'go on')
    stop.abort()
    expect(await sending).toMatchObject({ isEntered: false })
  })

  test('a dead pane, and one that takes no input, are told', async () => {
    const pane = server.start(...bash)
    const terminal = await server.of(pane)
    await terminal.waitReady(wait)
    server.tmux('select-pane', '-d', '-t', pane)
    await expect(terminal.send('x')).rejects.toThrow('select-pane -e')
    server.tmux('select-pane', '-e', '-t', pane)
    server.tmux('set-option', '-p', '-t', pane, 'remain-on-exit', 'on')
    const { answer } = await terminal.send('exit 3', { wait })
    expect(answer).toMatchObject({ outcome: 'gone', state: 'exited', exitCode: 3 })
    await expect(terminal.send('x')).rejects.toMatchObject({ facts: { outcome: 'gone' } })
  })

  test('keys are pressed one by one', async () => {
    const file = newFile()
    const pane = server.start(...keyReader(file, 'reads'))
    const terminal = await server.of(pane)
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    await terminal.keys(['Up', 'Escape', 'y', 'C-Space', 'Enter'])
    await until(
      () => content(file),
      read => read.endsWith('<\r>'),
    )
    expect(content(file)).toBe('<\u001b[A><\u001b><y><\0><\r>')
  })
})
