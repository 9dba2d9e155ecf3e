/** A server on loopback that notes what it is sent, and answers, or not, as the test says. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** The same as it came. */
  readonly text: string
}

type Answer = 'hangs' | { readonly status: number; readonly text?: string; readonly to?: string }

/** @param port any where not given */
export async function httpServer(
  answer: (request: Received, n: number) => Answer = () => ({ status: 200 }),
  port = 0,
) {
  const received: Received[] = []
  const server = http.createServer((request, response) => {
    let text = ''
    request.on('data', piece => {
      text += piece
    })
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}'), text }
      received.push(one)
      const told = answer(one, received.length)
      if (told === 'hangs') return
      response.writeHead(told.status, told.to === undefined ? {} : { location: told.to }).end(told.text)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { received, url: `http://127.0.0.1:${taken}`, port: taken, close }
}
