/** An API that is served for a test, and what asks it. */
import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect } from 'vitest'
import { lullHere } from './lull-here.ts'
import { ownPlaces } from './running.ts'

type Env = Record<string, string>

const opened: Env[] = []
afterEach(async () => {
  for (const env of opened.splice(0)) {
    await lullHere(['terminals', 'stop', '--force'], env)
    await lullHere(['host', 'stop'], env)
  }
})

/** A port that nobody has now. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export const jsonOf = async (words: readonly string[], env: Env) => {
  const { stdout, code } = await lullHere([...words, '--json'], env)
  return { code, ...(JSON.parse(stdout) as Record<string, unknown>) } as Record<string, unknown> & {
    code: number
  }
}

/** A host of the test's own with its API open, and a token that may act. */
export async function served(more: readonly string[] = []) {
  const [env, port] = [ownPlaces(), await freePort()]
  opened.push(env)
  expect(await jsonOf(['serve', '--port', String(port), ...more], env)).toMatchObject({
    code: 0,
    served: true,
  })
  const url = `http://127.0.0.1:${port}`
  const newToken = async (name: string, scope: string) =>
    (await jsonOf(['serve', 'token', 'add', name, '--scope', scope], env)).token as string
  const token = await newToken('ci', 'act')
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const read = async (path: string) => (await ask(path)).json() as Promise<Record<string, unknown>>
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', ...headers }
    const answer = await ask(path, { method: 'POST', body: JSON.stringify(body), headers: all })
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) } as Record<
      string,
      unknown
    >
  }
  return { env, port, url, token, newToken, ask, read, post }
}
