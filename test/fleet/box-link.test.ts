/** A connection to a box over a pair of streams: what is cut off is not whole, and an action knows when the clocks have parted. */
import http2 from 'node:http2'
import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { beforeHeader } from '../../src/fleet/box-greeting.ts'
import { type BegunWay, boxLink } from '../../src/fleet/box-link.ts'
import { protocol } from '../../src/host/messages.ts'
import { realClock } from '../../src/track/clock.ts'

/** @param answer of the box */
function linkTo(answer: (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void) {
  const real = realClock()
  const jump = { ms: 0 }
  const clock = { ...real, wall: () => real.wall() + jump.ms }
  let count = 0
  const begin = (): BegunWay => {
    count++
    const [here, there] = duplexPair()
    const server = http2.createServer()
    server.on('stream', (stream, headers) =>
      answer(
        stream.on('error', () => undefined),
        headers,
      ),
    )
    server.emit('connection', there)
    const ended = Promise.withResolvers<string>()
    here.on('close', () => ended.resolve('box: it ended'))
    return {
      greeting: async () => ({ protocol, version: '0', now: clock.now(), wall: clock.wall() }),
      pipe: () => here,
      onHeard: () => undefined,
      ended: ended.promise,
      end: () => void here.destroy(),
      leave: () => void here.destroy(),
    }
  }
  const link = boxLink('box', begin, clock, () => undefined)
  const ask = async (patience?: number) => {
    const request = {
      method: 'POST',
      url: '/',
      headers: {},
      body: '{}',
      signal: new AbortController().signal,
    } as const
    const { pieces } = await link.transport({ ...request, ...(patience === undefined ? {} : { patience }) })
    let text = ''
    for await (const piece of pieces) text += piece
    return text
  }
  return { link, ask, jump, begun: () => count }
}

test('an answer whose connection is cut is an error, though its beginning came', async () => {
  const { ask, link } = linkTo(stream => {
    stream.respond({ ':status': 200 })
    stream.write('half')
    setImmediate(() => stream.session?.socket.destroy())
  })
  await expect(ask()).rejects.toThrow('ended')
  link.close()
})

test('after a sleep of this machine an action goes over another connection, and its expiry is right there', async () => {
  const seen: number[] = []
  const { ask, link, jump, begun } = linkTo((stream, headers) => {
    seen.push(Number(headers[beforeHeader]))
    stream.respond({ ':status': 200 })
    stream.end('done')
  })
  expect(await ask(1000)).toBe('done')
  expect(await ask(1000)).toBe('done')
  expect(begun()).toBe(1)
  jump.ms = 60_000
  expect(await ask()).toBe('done')
  expect(begun()).toBe(1)
  expect(await ask(1000)).toBe('done')
  expect(begun()).toBe(2)
  expect(seen).toHaveLength(4)
  link.close()
})
