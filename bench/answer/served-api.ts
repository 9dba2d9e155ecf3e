/** The API of a host of the bench's own, and the sessions that it finds. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { freePort } from '../free-port.ts'
import { atExit } from '../lab/leftovers.ts'
import { run } from '../live/processes.ts'

export type Reply = Readonly<Record<string, unknown>>
export type Api = {
  readonly port: number
  readonly token: string
  readonly get: (path: string) => Promise<Reply>
  post(path: string, body: object): Promise<Reply>
}

/** It is for whoever calls to stop the host in good order. */
export async function serveApi(env: NodeJS.ProcessEnv): Promise<Api> {
  const port = await freePort()
  const served = await run(['serve', '--port', String(port)], env)
  atExit(() => void run(['host', 'stop'], env))
  const added = await run(['serve', 'token', 'add', 'bench', '--scope', 'act', '--json'], env)
  if (served.code !== 0 || added.code !== 0) throw new Error(`${served.stderr}${added.stderr}`)
  const { token } = JSON.parse(added.stdout) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (at: string, how: RequestInit): Promise<Reply> => {
    const response = await fetch(`http://127.0.0.1:${port}${at}`, { headers, ...how })
    return (await response.json()) as Reply
  }
  return {
    ...{ port, token },
    get: at => ask(at, {}),
    post: (at, body) => ask(at, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** A CLI that begins is found within it. ms */
const foundMs = 10_000

/** The id of the session in a folder. */
export async function sessionIn(api: Api, cli: LabCli, folder: string): Promise<string | undefined> {
  for (const end = performance.now() + foundMs; performance.now() < end; await pause(100)) {
    const { sessions } = (await api.get(`/v1/sessions?agent=${cli}`)) as { sessions?: readonly Reply[] }
    const id = sessions?.find(({ cwd }) => cwd === folder)?.id
    if (typeof id === 'string') return id
  }
  return undefined
}
