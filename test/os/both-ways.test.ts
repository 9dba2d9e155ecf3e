/** Node's http2 over a pipe: however that ends, whoever asked over it is told, and the process goes on. */
import { once } from 'node:events'
import http2 from 'node:http2'
import { PassThrough, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { bothWays } from '../../src/os/both-ways.ts'

type Done = (error?: Error) => void

/** A session with a request whose writes stand still from that one on. */
async function asked(stuckFrom: number) {
  const readable = new PassThrough()
  const stuck: Done[] = []
  let writes = 0
  const writable = new Writable({
    write: (_, __, done) => void (++writes < stuckFrom ? done() : stuck.push(done)),
  })
  const pipe = bothWays(readable, writable)
  const session = http2.connect('http://lull', { createConnection: () => pipe })
  session.on('error', () => undefined)
  const stream = session.request({ ':path': '/', ':method': 'POST' }, { endStream: false })
  stream.on('error', () => undefined)
  stream.write('a question')
  await once(session, 'connect')
  return { readable, pipe, session, stream, fail: () => stuck.pop()?.(new Error('EPIPE')) }
}

type Asked = Awaited<ReturnType<typeof asked>>

const ends: Readonly<Record<string, (asked: Asked) => void>> = {
  'it is ended by whoever asked': ({ pipe }) => void pipe.destroy(),
  'the other end has closed it, and whoever asked ends it': ({ readable, pipe }) => {
    readable.end(() => pipe.destroy())
  },
  'its reading fails': ({ readable }) => void readable.destroy(new Error('EIO')),
  'it closes without an end': ({ readable }) => void readable.destroy(),
  'a write fails, and the other end has closed it': ({ readable, fail }) => {
    fail()
    readable.end()
  },
  'the other end has closed it, and then a write fails': ({ readable, fail }) => {
    readable.end(fail)
  },
}

describe.each(Object.entries(ends))('where %s', (_, end) => {
  test.each([1, 2, 3])('while write %d is under way', async stuckFrom => {
    const all = await asked(stuckFrom)
    const over = Promise.all([once(all.session, 'close'), once(all.stream, 'close')])
    end(all)
    await over
    expect(all.pipe.destroyed).toBe(true)
  })
})

test('what came before a write failed is still read', async () => {
  const [readable, written] = [new PassThrough(), new PassThrough()]
  const pipe = bothWays(readable, written)
  written.destroy(new Error('EPIPE'))
  pipe.write('lost')
  readable.end('an answer')
  const pieces = await pipe.toArray()
  expect(Buffer.concat(pieces).toString()).toBe('an answer')
})
