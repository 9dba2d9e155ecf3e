/** A terminal that this process holds: a program on a pseudo terminal, and the emulator that computes what it shows. */
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import type { IPty } from '@lydell/node-pty'
import { attempt } from '../os/attempt.ts'
import { membersOfSession, readStat } from '../os/proc/stat.ts'
import type { TerminalSize } from '../os/tty/tty.ts'
import { ptsOf } from '../os/tty/tty.ts'
import { createEmulator } from './emulator/emulator.ts'
import type { FeedBudget } from './emulator/feed-budget.ts'
import { ptyOutput } from './emulator/pty-output.ts'
import { keyBytes } from './key-bytes.ts'
import type { OpenRequest, OwnedEnd, OwnedScreen, OwnedTerminal } from './terminal-messages.ts'

export type HeldTerminal = {
  readonly name: string
  describe(): OwnedTerminal
  screen(lines: number): Promise<OwnedScreen>
  lines(most: number | 'screen', isRaw: boolean): Promise<readonly string[]>
  /** @returns false where its program has ended */
  type(bytes: Buffer, isPaste: boolean): boolean
  /** @throws {LullError} BAD_KEY */
  press(key: string): boolean
  /** Bytes as they are typed by who is attached. */
  write(bytes: Buffer): void
  resize(size: TerminalSize): void
  /** @returns the way to stop */
  listen(onOutput: (piece: Buffer) => void): () => void
  snapshot(): Promise<string>
  /** Hangs up, as a terminal does that is closed. @param isForced kills what is left */
  close(isForced: boolean): Promise<{ readonly survivors: readonly number[] }>
  /** Its program has the terminal, or has ended already. */
  readonly begun: Promise<void>
  readonly ended: Promise<OwnedEnd>
}

/** A busy machine takes its time. ms */
const ownTerminalMs = 1000

/** What a flood has printed is waited for so long, and then shown as it is: ms */
const shownMs = 2

/** Between the two looks of one answer: the kernel passes on at once what it was given by then. ms */
const betweenMs = 0.5

/** Turns of the event loop, in which what the program has printed is read. */
async function untilRead(): Promise<void> {
  const until = performance.now() + betweenMs
  do await immediate()
  while (performance.now() < until)
}

/** The child makes it its own a moment after its start. @returns empty where it has ended before, or takes too long */
async function terminalOf(pid: number, hasEnded: () => boolean): Promise<string> {
  const until = performance.now() + ownTerminalMs
  for (;;) {
    const tty = ptsOf(readStat(pid)?.tty ?? 0) ?? ''
    if (tty !== '' || hasEnded() || performance.now() >= until) return tty
    await pause(1)
  }
}

export function holdTerminal(request: OpenRequest, pty: IPty, budget: FeedBudget): HeldTerminal {
  const { name, words, cwd, columns, rows } = request
  const { pid } = pty
  const openedAt = Date.now()
  let tty = ''
  let size: TerminalSize = { columns, rows }
  let end: OwnedEnd | undefined
  let viewedAt: number | undefined
  const ended = endOfPty(pty)
  void ended.then(ending => {
    end = ending
  })
  const write = (bytes: Buffer): void => {
    // Its types know of text alone.
    if (!end) attempt(() => pty.write(bytes as unknown as string))
  }
  const emulator = createEmulator(size, text => write(Buffer.from(text)))
  const output = ptyOutput(pty, emulator, budget)
  const ending = () => (end ? { end } : {})
  const begun = terminalOf(pid, () => end !== undefined).then(found => {
    tty = found
  })

  return {
    name,
    ended,
    begun,
    describe: () => ({
      ...{ name, pid, tty, words, cwd, ...size, openedAt, title: emulator.title() },
      ...{ outputAt: output.outputAt(), count: output.count(), ...ending() },
      ...(viewedAt === undefined ? {} : { viewedAt }),
    }),
    async screen(lines) {
      await output.isShown(shownMs)
      const before = output.count()
      await untilRead()
      const isWhole = await output.isShown(shownMs)
      const count = output.count()
      return {
        ...{ pid, tty, title: emulator.title(), count, historySize: emulator.historySize(), isWhole },
        ...{ screen: emulator.grid(), lines: emulator.lines(lines), isRepeated: isWhole && count === before },
        ...ending(),
      }
    },
    async lines(most, isRaw) {
      await untilRead()
      await output.isShown(shownMs)
      if (isRaw) return emulator.colouredLines(most)
      return most === 'screen' ? emulator.grid().rows.map(row => row.trimEnd()) : emulator.lines(most)
    },
    type(bytes, isPaste) {
      write(isPaste ? pasted(bytes, emulator.modes().isBracketedPaste) : bytes)
      return !end
    },
    press(key) {
      write(Buffer.from(keyBytes(key, emulator.modes())))
      return !end
    },
    write(keys) {
      viewedAt = Date.now()
      write(keys)
    },
    resize(wanted) {
      size = wanted
      emulator.resize(size)
      attempt(() => pty.resize(size.columns, size.rows))
    },
    listen: output.listen,
    async snapshot() {
      await output.isShown(shownMs)
      return emulator.snapshot()
    },
    async close(isForced) {
      const survivors = await hangUp(pid, isForced)
      if (survivors.length === 0) emulator.dispose()
      return { survivors }
    },
  }
}

const endOfPty = (pty: IPty): Promise<OwnedEnd> =>
  new Promise(resolve =>
    pty.onExit(({ exitCode, signal }) =>
      resolve(signal ? { signal, at: Date.now() } : { code: exitCode, at: Date.now() }),
    ),
  )

/** A program that was hung up ends by then, or ignores it. ms */
const hangupMs = 2000
/** One that waits for the processor or a disk has not come to it; one that does so for this long ignores it as well. ms */
const longestHangupMs = 10_000

/**
 * Its first process leads a session: what is left of that after its end is closed with it.
 * @returns those that run on
 */
async function hangUp(session: number, isForced: boolean): Promise<readonly number[]> {
  const signal = isForced ? 'SIGKILL' : 'SIGHUP'
  let members = membersOfSession(session)
  for (const pid of members) attempt(() => process.kill(pid, signal))
  // One that is stopped hears it once it goes on.
  for (const pid of members) attempt(() => process.kill(pid, 'SIGCONT'))
  const from = performance.now()
  for (;;) {
    const took = performance.now() - from
    await pause(10)
    members = membersOfSession(session)
    const mayEnd = took < hangupMs || (took < longestHangupMs && members.some(isHeldUp))
    if (members.length === 0 || !mayEnd) return members
  }
}

const isHeldUp = (pid: number): boolean => /^[RD]$/.test(readStat(pid)?.state ?? '')

/** Line ends become Enter; a paste's own end in it would let the rest be typed. */
function pasted(bytes: Buffer, isBracketed: boolean): Buffer {
  const text = bytes.toString('latin1').replace(/\r?\n/g, '\r')
  const whole = isBracketed ? `\u001b[200~${text.replaceAll('\u001b[201~', '')}\u001b[201~` : text
  return Buffer.from(whole, 'latin1')
}
