/** A socket by which other processes of this user ask what one does, and steer it: `GET /v1/status`, `POST /v1/WORD`. */
import { chmodSync, rmSync } from 'node:fs'
import http from 'node:http'
import { attempt } from '../attempt.ts'

/**
 * Answers each with the status, as it is then, until it is closed: what it was asked by then as well.
 * @param socket in a folder of this user alone
 */
export async function serveControls<Word extends string>(
  socket: string,
  words: readonly Word[],
  ports: { status(): object; control(word: Word): Promise<void> | void },
): Promise<{ close(): Promise<void> }> {
  rmSync(socket, { force: true })
  const asked = new Set<Promise<void>>()
  const server = http.createServer((request, response) => {
    const done = new Promise<void>(resolve => response.once('finish', resolve).once('close', resolve))
    asked.add(done)
    void done.then(() => asked.delete(done))
    void answer(request, response)
  })

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/v1\//, '')
    const word = words.find(one => one === path)
    request.resume()
    if (request.method === 'POST' && word !== undefined) await ports.control(word)
    else if (request.method !== 'GET' || path !== 'status') {
      response.writeHead(404).end('there is no such request\n')
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(ports.status()))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  chmodSync(socket, 0o600)
  return {
    async close() {
      server.close()
      attempt(() => rmSync(socket, { force: true }))
      await Promise.all(asked)
      server.closeAllConnections()
    },
  }
}
