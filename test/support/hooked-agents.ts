/** Agents in no terminal, which hold their hooks open (hooked-agent.ts), as a host finds them. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { forwarderText } from '../../src/hooks/forwarder.ts'
import { endWithTest } from './end-with-test.ts'
import { temporaryFolder } from './lull.ts'
import { until } from './until.ts'

type Asked = { readonly dialog: string; readonly via: string; readonly shows: readonly string[] }
type Row = { readonly id: string; readonly pid: number; readonly state: string; readonly dialog?: Asked }
type Env = Readonly<Record<string, string>>

/**
 * One that is found by the host, with what its hooks print.
 * @param env places of the host
 * @param read what the host's API answers at a path
 */
export async function startHookedAgent(
  env: Env,
  read: (path: string) => Promise<Readonly<Record<string, unknown>>>,
) {
  const folder = temporaryFolder()
  const forwarder = path.join(folder, 'hook')
  writeFileSync(forwarder, forwarderText({ socket: `${env.LULL_RUNTIME_DIR}/host.sock` }), { mode: 0o755 })
  const script = path.resolve(import.meta.dirname, 'hooked-agent.ts')
  const start = `exec -a claude ${process.execPath} ${script} ${forwarder}`
  const child = spawn('bash', ['-c', start], { cwd: folder, env: { ...process.env, ...env } })
  endWithTest(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const row = async (isRight: (row: Row) => boolean): Promise<Row> => {
    const find = async () => {
      const { sessions } = await read('/v1/sessions')
      return (sessions as readonly Row[]).find(({ pid }) => pid === child.pid)
    }
    return (await until(find, found => found !== undefined && isRight(found), 'the agent')) as Row
  }
  return {
    folder,
    row,
    say: (line: string) => child.stdin.write(`${line}\n`),
    printed: async () => (await lines.next()).value as string,
    /** What it asks now, once it does. */
    async asked(): Promise<Row & { readonly dialog: Asked }> {
      const { id } = await row(({ state }) => state === 'waiting')
      const whole = async () => (await read(`/v1/sessions/${id}`)) as unknown as Row
      return (await until(whole, found => found.dialog !== undefined, 'its dialog')) as Row & {
        dialog: Asked
      }
    },
  }
}
