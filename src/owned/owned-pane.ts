/** A terminal of lull's own as a holder: it asks the terminal server, and receives output where somebody waits for it. */
import { isLullError, LullError } from '../core/lull-error.ts'
import { outputFeed } from '../terminal/output-feed.ts'
import type { Capture, DrivableHolder, Ended, TerminalFacts } from '../terminal/terminal-holder.ts'
import { receiveOutput } from './receive-output.ts'
import { endOf, keptRows, type OwnedScreen } from './terminal-messages.ts'
import { terminalRequests } from './terminal-requests.ts'

/** docs/seeds.md#002: enough to hold a prompt and what led to it. */
const capturedLines = 50
/** ms */
const flushMs = 1000
/** The kernel passes on so much of a terminal in one go. */
const readSize = 4096

type Address = Pick<DrivableHolder, 'socket' | 'id' | 'tty' | 'pid'>

/** @param address its socket is that of the terminal server, its id the terminal's name */
export function ownedPane({ socket, id: name, tty, pid }: Address): DrivableHolder {
  const server = terminalRequests(socket)
  const output = outputFeed()
  const received = receiveOutput(server, name, {
    onBegin: output.start,
    onBytes: output.take,
    onLost: output.lose,
  })

  async function capture(patience?: number): Promise<Capture> {
    const before = output.count()
    const now = await server.screen(name, capturedLines, finite(patience)).catch(unlessOurs)
    if (isLullError(now, 'NO_SESSION')) return { type: 'ended', end: {} }
    if (now instanceof Error) return { type: 'unanswered', why: now.message }
    const facts = factsOf(now)
    if (now.pid !== pid) return { type: 'ended', end: { how: 'replaced' }, lines: now.lines, facts }
    if (now.end) return { type: 'ended', end: endOf(now.end), lines: now.lines, facts }
    const { screen, lines, isRepeated } = now
    const isWhole = now.isWhole && output.count() - before < readSize
    return { type: 'shown', screen, isRendered: true, lines, isWhole, isRepeated, facts }
  }

  /** @returns false where another program has the terminal by now, or none */
  async function typed(asked: Promise<{ readonly isTyped: boolean }>): Promise<boolean> {
    const answer = await asked.catch(unlessOurs)
    if (isLullError(answer, 'NO_SESSION')) return false
    if (isLullError(answer, 'TERMINALS_GONE'))
      throw new LullError('NO_ANSWER', `${answer.message}: whether it was typed is not known`)
    if (answer instanceof Error) throw answer
    return answer.isTyped
  }

  return {
    socket,
    id: name,
    tty,
    pid,
    output,
    capture,
    /** The server learns of an end a moment later than the kernel shows it. */
    async ended(): Promise<Ended> {
      const now = await server.screen(name, capturedLines).catch(unlessOurs)
      if (now instanceof Error || now.pid !== pid || !now.end) return { type: 'ended', end: {} }
      return { type: 'ended', end: endOf(now.end), lines: now.lines, facts: factsOf(now) }
    },
    receiveOutput: received.start,
    async flush() {
      if (!output.marks()) return false
      const { count } = await server.describe(name)
      const deadline = performance.now() + flushMs
      while (received.count() < count && output.marks() && performance.now() < deadline) await output.woken(5)
      return received.count() >= count
    },
    type: (bytes, how) => typed(server.type(name, pid, bytes, how)),
    press: (key, shown = []) => typed(server.press(name, pid, key, shown)),
    readLines: (lines, { screen = false, raw = false } = {}) =>
      server.lines(name, screen ? 'screen' : lines, raw),
    close: received.stop,
  }
}

/** What is no error of lull's is a fault. */
function unlessOurs(error: unknown): LullError {
  if (isLullError(error)) return error
  throw error
}

const finite = (patience: number | undefined): number | undefined =>
  patience === undefined || patience === Infinity ? undefined : patience

const factsOf = ({ pid, screen, historySize, end }: OwnedScreen): TerminalFacts => ({
  pid,
  cursor: screen.cursor ?? { row: 0, column: 0 },
  historySize,
  historyLimit: keptRows,
  isInMode: false,
  isSynchronized: false,
  isInputOff: false,
  ...(end ? { dead: endOf(end) } : {}),
})
