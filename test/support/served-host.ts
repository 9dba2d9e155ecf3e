/** A host in places of its own whose API is served on loopback. */
import { expect } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { lullHere } from './lull-here.ts'
import { ownPlaces } from './running.ts'

/**
 * @param env places of the test's own
 * @returns with what ends it, its terminals too
 */
export async function servedHost(env: Readonly<Record<string, string>> = ownPlaces()) {
  const port = await freePort()
  const call = async (...words: readonly string[]) => {
    const { stdout, code } = await lullHere([...words, '--json'], env)
    expect([words, code]).toEqual([words, 0])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const end = async () => {
    await lullHere(['terminals', 'stop', '--force'], env)
    await lullHere(['host', 'stop'], env)
  }
  const serveAgain = (...more: readonly string[]) => call('serve', '--port', String(port), ...more)
  try {
    expect(await serveAgain()).toMatchObject({ served: true })
  } catch (error) {
    await end()
    throw error
  }
  return {
    env,
    port,
    url: `http://127.0.0.1:${port}`,
    newToken: async (name: string, scope: string) =>
      (await call('serve', 'token', 'add', name, '--scope', scope)).token as string,
    revoke: (name: string) => call('serve', 'token', 'revoke', name),
    stopServing: () => call('serve', 'stop'),
    serveAgain,
    end,
  }
}
