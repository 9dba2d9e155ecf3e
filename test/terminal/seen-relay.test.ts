/** A program of which the kernel shows that it passes a terminal on: what is behind it counts where its screen shows that, too. */
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import { type Probe, readingOf, type TerminalProcess } from '../../src/terminal/probe/probed.ts'
import { probeOf, process, type Told, word } from '../support/probes.ts'

/** The inner terminal's screen is the outer's: nobody else draws it. */
const behind = (
  line: string | undefined,
  command: string,
  calls: string,
  more: Partial<TerminalProcess> = {},
  told: Told = {},
): Probe =>
  probeOf([{ ...process(command, calls, 200), ...more }], {
    mode: 'ce',
    ...(line === undefined ? {} : { line }),
    ...told,
  })
const relayed = (inner: Probe | undefined, relay = 'node app.js', told: Told = {}): Probe =>
  probeOf([process(relay, 'epoll_wait+1')], {
    mode: 'ce',
    line: '',
    relay: { pid: 100, name: 'node', isSeen: true },
    ...(inner ? { inner } : {}),
    ...told,
  })
/** Its memory tells that it shows the prompt of a new command. */
const bash = (line: string | undefined, more: Partial<TerminalProcess> = {}): Probe =>
  behind(line, 'bash', 'pselect6', { shows: 'first', ...more })
const says = (inner: Probe | undefined, learned: Learned = nothingLearned): string =>
  word(classify(relayed(inner), learned))

describe('a shell behind it', () => {
  test('is ready where its prompt is shown, and seen rather than proven', () => {
    const verdict = classify(relayed(bash('ada@box:~$ ')))
    expect(verdict).toMatchObject({ state: { kind: 'idle', at: 'shell' }, tier: 'seen', reader: 200 })
  })

  test('is inferred where a full screen is shown', () => {
    const full = relayed(bash('ada@box:~$ '), 'node app.js', { line: '', isAlternate: true })
    expect(classify(full)).toMatchObject({ state: { kind: 'idle' }, tier: 'inferred' })
  })

  test.each<[string, Probe]>([
    ['a line of a program’s own', bash('app> ')],
    ['another prompt than the shell wrote', bash('ada@box:~$ ', { prompt: '(venv) $ ' })],
  ])('that is ready while %s is shown is not known', (_, inner) => {
    expect(classify(relayed(inner))).toMatchObject({
      state: { kind: 'unknown' },
      tier: 'inferred',
      behind: 'node',
      reader: 100,
      why: expect.stringContaining('shows something else'),
    })
  })

  test('is known by the prompt that it wrote, whatever that looks like', () => {
    expect(says(bash('app> ', { prompt: 'app> ' }))).toBe('idle/shell')
    expect(says(bash('app> ls', { prompt: 'app> ' }))).not.toBe('working')
    // One that is wider than the screen is broken over rows.
    expect(says(bash('ada@box:~$ ', { prompt: `${'x'.repeat(80)}$ ` }))).toBe('idle/shell')
  })

  test.each<[string, Probe]>([
    ['nothing', bash('')],
    ['what nobody sees', bash(undefined)],
    ['a command behind its prompt', bash('ada@box:~$ ls')],
  ])('that shows %s is not known', (_, inner) => expect(says(inner)).toBe('unknown'))

  test('is known by a prompt that was shown before', () => {
    const inner = bash('app> ')
    const [reader] = inner.processes
    const call = reader && readingOf(reader)
    if (!call || !inner.termios) throw new Error('it reads')
    const { termios } = inner
    const shown = (pid: number): Learned => ({
      ...nothingLearned,
      idle: [{ pid, termios, call, tier: 'proven', prompt: 'app> ' }],
    })
    expect(says(inner, shown(200))).toBe('idle/shell')
    expect(says(inner, shown(201))).toBe('unknown')
  })
})

describe('a REPL behind it', () => {
  const python = (line: string): Probe => behind(line, 'python3', 'pselect6', { hasEditor: true })
  test('is ready where its prompt is shown', () => expect(says(python('>>> '))).toBe('idle/repl'))
})

describe('whatever is behind it', () => {
  test('works, asks and ends as without it', () => {
    expect(says(behind('ada@box:~$ ', 'sleep 9', '-clock_nanosleep'))).toBe('working')
    expect(says(behind('ok? [y/n] ', 'bash', 'read(4096)', {}, { mode: 'CE' }))).toBe('waiting/confirmation')
    const ended = classify(relayed(probeOf([], { gone: {} })))
    expect(ended).toMatchObject({ state: { kind: 'working' }, tier: 'proven' })
    expect(ended.why).toContain('node showed has ended, and it goes on')
  })

  test('is not known where nobody can tell which terminal it is', () => {
    expect(classify(relayed(undefined))).toMatchObject({
      state: { kind: 'unknown' },
      behind: 'node',
      why: expect.stringContaining('which one is not known'),
    })
  })

  test('is a part of an editor, where it is one', () => {
    const vim = classify(relayed(bash('ada@box:~$ '), 'vim'))
    expect(vim.behind).toBeUndefined()
    expect(word(vim)).not.toBe('idle/shell')
  })
})

describe('a relay that reads the terminal itself', () => {
  const ssh = (mode: string, calls: string, inner?: Probe): Probe =>
    probeOf([process('ssh box', calls)], {
      mode,
      line: 'Enter passphrase for key: ',
      relay: { pid: 100, name: 'ssh' },
      quiet: 9000,
      ...(inner ? { inner } : {}),
    })
  test('without echo, or a line at a time, asks for itself', () => {
    expect(classify(ssh('Ce', 'read(1)')).behind).toBeUndefined()
    expect(classify(ssh('CE', 'read(1)')).behind).toBeUndefined()
    expect(classify(ssh('CE', 'poll+2')).behind).toBe('ssh')
    expect(classify(ssh('ce', 'read(1)')).behind).toBe('ssh')
    expect(word(classify(ssh('CE', 'read(1)', bash('ada@box:~$ '))))).not.toBe('idle/shell')
  })
})
