/** As `relay`, where there are no real pipes (no koffi): the output of a command as Node reads it. */
import { write } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Relay, RelayOptions } from './pipe-pump.ts'

const againMs = 2
const mostDrainMs = 500

export function relayStream(from: Readable, to: number, { heard }: Pick<RelayOptions, 'heard'>): Relay {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  from.on('data', (piece: Buffer) => {
    from.pause()
    heard(piece)
    put(piece)
  })
  for (const event of ['end', 'close', 'error']) from.on(event, () => resolve())

  function put(piece: Buffer): void {
    write(to, piece, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => put(piece), againMs)
      else if (error) from.destroy()
      else if (written < piece.length) put(piece.subarray(written))
      else from.resume()
    })
  }

  return { ended, finish: () => void setTimeout(() => from.destroy(), mostDrainMs).unref() }
}
