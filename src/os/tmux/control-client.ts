/**
 * A control client of one tmux session: it reads what the session's panes print, and asks and types through the same
 * pipe. Its size counts for nothing, so that nobody's window changes, and unless it is to type it is read-only.
 *
 * It never asks tmux to pause (`pause-after`): a paused pane goes on from where it is then, and bytes are lost. Without,
 * tmux holds the panes back that it can't pass on.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { LullError } from '../../core/lull-error.ts'
import { alone } from './attach-gate.ts'
import { type OpenBlock, stepBlock } from './control-blocks.ts'
import { type ControlLine, readControlLine } from './control-lines.ts'
import { tmuxLine } from './control-words.ts'

export type ControlClient = {
  /**
   * Asks tmux; answers come in the order of the questions, each a list of lines.
   * @throws {LullError} REFUSED, ENDED
   */
  run(...words: readonly (string | Buffer)[]): Promise<readonly string[]>
  /**
   * Has tmux do something to a pane, if a format is true of it at that very moment.
   * @returns whether it was true
   * @throws {LullError} REFUSED, ENDED
   */
  runIf(pane: string, condition: string, ...words: readonly (string | Buffer)[]): Promise<boolean>
  /** Resolves once its process is gone. */
  close(): Promise<void>
}

export type ControlOptions = {
  /** It will be asked to type: a read-only client may be refused that. */
  readonly types?: boolean
  /** The only panes whose output is wanted. What others print is passed over unread. */
  readonly panes?: ReadonlySet<string>
}

type Question = {
  /** Answers that are still to come, and what they told so far. */
  blocks: number
  readonly lines: string[]
  readonly answer: (lines: readonly string[]) => void
  readonly refuse: (error: LullError<'REFUSED' | 'ENDED'>) => void
}

/**
 * @param session its id, as tmux writes it: `$3`
 * @param told called with each line; `exit` once at the end, whatever ended it
 */
export function controlClient(
  socket: string,
  session: string,
  told: (line: ControlLine) => void,
  { types = false, panes }: ControlOptions = {},
): ControlClient {
  const flags = types ? 'ignore-size' : 'read-only,ignore-size'
  // `-E`: the session's environment stays as the person's own terminal made it.
  const args = ['-u', '-S', socket, '-C', 'attach-session', '-E', '-t', session, '-f', flags]
  const questions: Question[] = []
  let child: ChildProcess | undefined
  // What is asked before it is its turn to attach.
  let unsent = ''
  let [isOver, isClosed] = [false, false]
  let why = 'tmux has ended the connection'
  let open: OpenBlock | undefined
  let [hasEnded, hasAttached] = [() => {}, () => {}]
  const ended = new Promise<void>(resolve => {
    hasEnded = resolve
  })
  const attached = new Promise<void>(resolve => {
    hasAttached = resolve
  })
  const over = () => {
    if (!isOver) {
      isOver = true
      for (const { refuse } of questions.splice(0)) refuse(new LullError('ENDED', why))
      if (!isClosed) told({ type: 'exit' })
    }
    hasAttached()
    hasEnded()
  }
  void alone(socket, async () => {
    if (isClosed) return
    child = spawn('tmux', args, { stdio: ['pipe', 'pipe', 'ignore'] })
    child.on('error', error => {
      why = error.message
      over()
    })
    child.on('close', over)
    child.stdin?.on('error', () => undefined)
    child.stdout?.on('data', linesOf(take))
    child.stdout?.once('data', hasAttached)
    child.stdin?.write(unsent)
    const patience = setTimeout(hasAttached, attachMs)
    await attached
    clearTimeout(patience)
  })

  function take(line: Buffer): void {
    const step = stepBlock(open, line)
    open = step.open
    if (step.isNews) news(line)
    if (!step.answered) return
    const { isOwn, isError, lines } = step.answered
    const texts = lines.map(text => text.toString('utf8'))
    if (isError && !isOwn) why = texts[0] ?? why
    if (!isOwn) return
    const [question] = questions
    if (!question) return
    question.lines.push(...texts)
    if (!isError && --question.blocks > 0) return
    questions.shift()
    if (isError) question.refuse(new LullError('REFUSED', texts.join(' ')))
    else question.answer(question.lines)
  }

  function news(line: Buffer): void {
    if (isClosed || (panes && isForeignOutput(line, panes))) return
    const read = readControlLine(line.toString('latin1'))
    if (read && read.type !== 'exit') told(read)
  }

  const ask = (words: readonly (string | Buffer)[], blocks: number): Promise<readonly string[]> =>
    new Promise((answer, refuse) => {
      if (isOver || isClosed) throw new LullError('ENDED', why)
      const line = tmuxLine(words)
      questions.push({ blocks, lines: [], answer, refuse })
      if (child) child.stdin?.write(`${line}\n`)
      else unsent += `${line}\n`
    })

  async function leave(): Promise<void> {
    if (!child) return over()
    // Detaching is the way out that leaves the server in peace; a client that does not take it is ended.
    child.stdin?.end('detach-client\n')
    const patience = setTimeout(() => child?.kill('SIGKILL'), 500)
    await ended
    clearTimeout(patience)
  }

  return {
    run: (...words) => ask(words, 1),
    async runIf(pane, wanted, ...words) {
      // Of a pane that is not there, tmux would take another one's facts.
      const condition = `#{&&:#{==:#{pane_id},${pane}},${wanted}}`
      // Each of the two branches answers once, after the question itself.
      const branches = [tmuxLine(words), tmuxLine(['display-message', '-p', otherwise])]
      return !(await ask(['if-shell', '-F', '-t', pane, condition, ...branches], 2)).includes(otherwise)
    },
    close() {
      if (!isClosed) {
        isClosed = true
        void alone(socket, leave)
      }
      return ended
    },
  }
}

const otherwise = 'otherwise'

/** A tmux that does not answer holds others up for no longer: ms. */
const attachMs = 1000

const output = Buffer.from('%output ')
const blank = 0x20

/** Floods are told by their first bytes: taking each line of them apart would cost more than all the rest. */
function isForeignOutput(line: Buffer, panes: ReadonlySet<string>): boolean {
  if (line.length < output.length || output.compare(line, 0, output.length) !== 0) return false
  const end = line.indexOf(blank, output.length)
  return end > 0 && !panes.has(line.toString('latin1', output.length, end))
}

const lineFeed = 0x0a

/** A reader of chunks that passes on whole lines, without their ends. */
function linesOf(take: (line: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  return chunk => {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, at)
      take(rest.length === 0 ? last : Buffer.concat([...rest, last]))
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}
