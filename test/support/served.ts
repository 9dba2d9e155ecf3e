/** A host with the API on a port of its own, until the test or the file is over. */
import { afterAll, onTestFinished } from 'vitest'
import { lullHere } from './lull-here.ts'
import { ownPlaces } from './running.ts'
import { servedHost } from './served-host.ts'

type Env = Readonly<Record<string, string>>

export const jsonHere = async (words: readonly string[], env: Env) => {
  const { stdout, code } = await lullHere([...words, '--json'], env)
  return { code, ...(JSON.parse(stdout) as Record<string, unknown>) } as Record<string, unknown> & {
    code: number
  }
}

/** @param env places of the test's own */
export async function served(env: Env = ownPlaces()) {
  const host = await servedHost(env)
  onTestFinished(host.end)
  return apiOf(host)
}

let ofFile: ReturnType<typeof servedHost> | undefined
let forAll: ReturnType<typeof apiOf> | undefined
afterAll(async () => (await ofFile)?.end())

/** One for all tests of a file that ask for it: none of them may need what it does or holds to be its own. */
export function servedForAll(): ReturnType<typeof apiOf> {
  ofFile ??= servedHost()
  forAll ??= ofFile.then(apiOf)
  return forAll
}

/** With a token that may act. */
export async function apiOf({
  env,
  port,
  url,
  newToken,
  stopServing,
  serveAgain,
}: Awaited<ReturnType<typeof servedHost>>) {
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
  return { env, port, url, token, newToken, stopServing, serveAgain, ask, read, post }
}
