/**
 * A tmux client of lull's own: it connects, has one command done, and is gone. To start the program `tmux` for each question
 * took 3 ms of a quiet machine and 12 of a busy one, and this takes 0.2 (docs/research/terminal.md#cost). It does less, too:
 * a server that wants a file read, written or a program run here gets none of it.
 */
import {
  answerRead,
  decode,
  exiting,
  fileOf,
  integerAt,
  isTooLong,
  type Message,
  messageType,
  request,
  stdout,
  streamOf,
  writeReady,
} from './client-messages.ts'

export type ClientAnswer =
  /** `complaint` is its error message; the command was refused where `isDone` is false. */
  | {
      readonly type: 'answered'
      readonly isDone: boolean
      readonly printed: string
      readonly complaint: string
    }
  /** It speaks another protocol, and has done nothing. */
  | { readonly type: 'otherProtocol' }
  /** `code` as the kernel reports it. */
  | { readonly type: 'unreachable'; readonly code: string }
  /** It ended without an answer. */
  | { readonly type: 'lost' }
  | { readonly type: 'silent' }

/** @param input what the command reads */
export function askServer(
  socket: string,
  args: readonly string[],
  { timeout, input }: { readonly timeout: number; readonly input?: Buffer },
): Promise<ClientAnswer> {
  if (isTooLong(args))
    return Promise.resolve({ type: 'answered', isDone: false, printed: '', complaint: 'command too long' })
  return new Promise(resolve => {
    const connection = process.getBuiltinModule('node:net').connect(socket)
    const [printed, complaint]: [Buffer[], Buffer[]] = [[], []]
    /** Streams by tmux's numbers that are output; the others complain. */
    const output = new Set<number>()
    let rest: Buffer = Buffer.alloc(0)

    function end(answer: ClientAnswer): void {
      clearTimeout(patience)
      connection.destroy()
      resolve(answer)
    }
    function take({ type, data }: Message): void {
      switch (type) {
        case messageType.readOpen:
          connection.write(answerRead(data, input))
          break
        case messageType.writeOpen:
          if (fileOf(data) === stdout) output.add(streamOf(data))
          connection.write(writeReady(data))
          break
        case messageType.write:
          ;(output.has(streamOf(data)) ? printed : complaint).push(data.subarray(4))
          break
        case messageType.exit:
          connection.write(exiting())
          end(answered(data))
          break
        case messageType.version:
        case messageType.oldStdout:
        case messageType.oldStderr:
          end({ type: 'otherProtocol' })
      }
    }
    function answered(exit: Buffer): ClientAnswer {
      // Words at the end are a refusal as well.
      const words = exit.subarray(4, -1)
      return {
        type: 'answered',
        isDone: integerAt(exit, 0) === 0 && words.length === 0,
        printed: Buffer.concat(printed).toString(),
        complaint: Buffer.concat([...complaint, words]).toString(),
      }
    }

    const patience = setTimeout(() => end({ type: 'silent' }), timeout)
    connection.on('error', ({ code = '' }: NodeJS.ErrnoException) => end({ type: 'unreachable', code }))
    connection.on('close', () => end({ type: 'lost' }))
    connection.on('data', bytes => {
      const decoded = decode(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]))
      rest = decoded.rest
      for (const message of decoded.messages) take(message)
    })
    connection.write(request(args, process.env.TMUX_PANE))
  })
}
