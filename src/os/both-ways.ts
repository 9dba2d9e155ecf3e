/**
 * Two streams of a pipe as one, for Node's http2, whose session writes a last frame where it is ended or hears of an error. It asserts
 * then that nothing is being written and that the stream does not end already (lib/internal/js_stream_socket.js), which ends the
 * process. So here no write fails, and a session is ended by destroying this stream: it writes nothing any more.
 */
import { Duplex, type Readable, type Writable } from 'node:stream'

export function bothWays(readable: Readable, writable: Writable): Duplex {
  const both = new Duplex({
    read: () => void readable.resume(),
    write: (piece, _, done) => void writable.write(piece, () => done()),
    final: done => void writable.end(() => done()),
    destroy(_, done) {
      readable.destroy()
      writable.destroy()
      done(null)
    },
  })
  const gone = (): void => void both.destroy()
  readable
    .on('data', piece => both.push(piece) || readable.pause())
    .on('end', () => both.push(null))
    .on('error', gone)
    .on('close', () => readable.readableEnded || gone())
    .pause()
  // What came before it may still be read.
  writable.on('error', () => undefined)
  return both.on('end', gone)
}
