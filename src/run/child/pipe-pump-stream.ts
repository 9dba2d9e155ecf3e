/** As `pumpPipe`, where there are no real pipes (no koffi): the output of a command as Node reads it. */
import type { Readable } from 'node:stream'
import { writeAll } from '../../os/file/write-all.ts'
import type { Pump, PumpOptions } from './pipe-pump.ts'

const mostDrainMs = 500

export function pumpStream(from: Readable, to: number, { onOutput }: Pick<PumpOptions, 'onOutput'>): Pump {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  from.on('data', (piece: Buffer) => {
    from.pause()
    onOutput(piece)
    writeAll(to, piece, error => (error ? from.destroy() : from.resume()))
  })
  for (const event of ['end', 'close', 'error']) from.on(event, () => resolve())

  return { ended, finish: () => void setTimeout(() => from.destroy(), mostDrainMs).unref() }
}
