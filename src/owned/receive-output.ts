/** Receives the output of a terminal of lull's own, from the first `start`. */
import type { IncomingMessage } from 'node:http'
import { isLullError } from '../core/lull-error.ts'
import type { TerminalRequests } from './terminal-requests.ts'

export type OutputHearer = {
  onBegin(): void
  onBytes(bytes: Buffer): void
  /** It has ended, or its server let go of who reads too slowly. */
  onLost(): void
}

export type ReceivedOutput = {
  /** Resolves once all later output is received, or can't be. */
  start(): Promise<void>
  /** Bytes that the terminal has printed up to the last one received; NaN where none is. */
  count(): number
  stop(): Promise<void>
}

export function receiveOutput(
  server: Pick<TerminalRequests, 'output'>,
  name: string,
  { onBegin, onBytes, onLost }: OutputHearer,
): ReceivedOutput {
  let stream: IncomingMessage | undefined
  let opening: Promise<void> | undefined
  let isClosed = false
  let [head, received]: [string | undefined, number] = ['', Number.NaN]

  async function begin(): Promise<void> {
    const opened = await server.output(name).catch((error: unknown) => {
      if (isLullError(error)) return undefined
      throw error
    })
    if (!opened) return
    if (isClosed) return void opened.destroy()
    stream = opened
    onBegin()
    opened.on('data', (piece: Buffer) => take(piece))
    opened.on('error', () => undefined)
    opened.on('close', () => {
      stream = undefined
      received = Number.NaN
      onLost()
    })
  }

  /** The first line is the number of bytes that it had printed before. */
  function take(piece: Buffer): void {
    if (head === undefined) {
      received += piece.length
      onBytes(piece)
      return
    }
    head += piece.toString('latin1')
    const end = head.indexOf('\n')
    if (end < 0) return
    received = Number(head.slice(0, end))
    const rest = Buffer.from(head.slice(end + 1), 'latin1')
    head = undefined
    if (rest.length > 0) take(rest)
  }

  return {
    start: () => {
      opening ??= begin()
      return opening
    },
    count: () => received,
    async stop() {
      isClosed = true
      stream?.destroy()
    },
  }
}
