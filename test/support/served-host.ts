/** A host in places of its own whose API is served on loopback. */
import { once } from 'node:events'
import net from 'node:net'
import { expect } from 'vitest'
import { lullHere } from './lull-here.ts'
import { ownPlaces } from './running.ts'

/** A port that nobody has now. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** @returns what ends it, its terminals too */
export async function servedHost() {
  const [env, port] = [ownPlaces(), await freePort()]
  const call = async (...words: readonly string[]) => {
    const { stdout, code } = await lullHere([...words, '--json'], env)
    expect([words, code]).toEqual([words, 0])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  await call('serve', '--port', String(port))
  return {
    env,
    url: `http://127.0.0.1:${port}`,
    newToken: async (name: string, scope: string) =>
      (await call('serve', 'token', 'add', name, '--scope', scope)).token as string,
    revoke: (name: string) => call('serve', 'token', 'revoke', name),
    stopServing: () => call('serve', 'stop'),
    serveAgain: () => call('serve', '--port', String(port)),
    async end() {
      await lullHere(['terminals', 'stop', '--force'], env)
      await lullHere(['host', 'stop'], env)
    },
  }
}
