/** A host with the API on a port of its own, until the test is over. */
import { expect, onTestFinished } from 'vitest'
import { lullHere } from './lull-here.ts'
import { ownPlaces } from './running.ts'
import { freePort } from './served-host.ts'

type Env = Readonly<Record<string, string>>

export const jsonHere = async (words: readonly string[], env: Env) => {
  const { stdout, code } = await lullHere([...words, '--json'], env)
  return { code, ...(JSON.parse(stdout) as Record<string, unknown>) } as Record<string, unknown> & {
    code: number
  }
}

/** @param env places of the test's own */
export async function served(env: Env = ownPlaces()) {
  const port = await freePort()
  onTestFinished(async () => {
    await lullHere(['terminals', 'stop', '--force'], env)
    await lullHere(['host', 'stop'], env)
  })
  expect(await jsonHere(['serve', '--port', String(port)], env)).toMatchObject({
    code: 0,
    served: true,
  })
  const url = `http://127.0.0.1:${port}`
  const newToken = async (name: string, scope: string) =>
    (await jsonHere(['serve', 'token', 'add', name, '--scope', scope], env)).token as string
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
