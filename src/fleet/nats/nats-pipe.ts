/**
 * A stream of bytes in both directions over two subjects of NATS, which may lose messages: each has its number, and where one is
 * missing the pipe ends. Whoever is at the other end sends a beat where there is nothing else to send.
 */
import { Duplex } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../core/clock.ts'

/** Servers take 1 MB; small ones keep a request of others from waiting. Bytes */
const mostBytes = 32 * 1024
const beatMs = 5000
/** Three beats that did not come. ms */
const silenceMs = 15_000

const kinds = { bytes: 0, end: 1, beat: 2 } as const

/** Before the bytes: what it is, and its number. */
const headBytes = 5

/** @param to the subject that the other end reads */
export function natsPipe(connection: NatsConnection, to: string, clock: Clock) {
  let [sent, heard, heardAt] = [0, 0, clock.now()]
  const send = (kind: keyof typeof kinds, bytes: Uint8Array = new Uint8Array()): void => {
    if (connection.isClosed()) return void pipe.destroy()
    const head = Buffer.alloc(headBytes)
    head.writeUInt8(kinds[kind], 0)
    head.writeUInt32BE(sent++ >>> 0, 1)
    connection.publish(to, Buffer.concat([head, bytes]))
  }
  const pipe: Duplex = new Duplex({
    // How much may be under way, HTTP/2 decides.
    read: () => undefined,
    write(piece: Buffer, _, done) {
      for (let from = 0; from < piece.length; from += mostBytes)
        send('bytes', piece.subarray(from, from + mostBytes))
      done()
    },
    final(done) {
      send('end')
      done()
    },
    destroy(_, done) {
      clearInterval(timer)
      send('end')
      done(null)
    },
  })
  const timer = setInterval(() => {
    if (clock.now() - heardAt > silenceMs) pipe.destroy()
    else send('beat')
  }, beatMs)
  timer.unref()
  pipe.on('end', () => pipe.destroy())
  return {
    pipe,
    /** What came on the subject that this end reads. */
    take(message: Uint8Array): void {
      if (pipe.destroyed) return
      const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
      if (bytes.length < headBytes || bytes.readUInt32BE(1) !== heard++ >>> 0) return void pipe.destroy()
      heardAt = clock.now()
      const kind = bytes.readUInt8(0)
      if (kind === kinds.bytes) pipe.push(Buffer.from(bytes.subarray(headBytes)))
      else if (kind === kinds.end) pipe.push(null)
    },
  }
}
