/**
 * Where the hosts of a user are: each notes its runtime folder while it runs, so that a hook finds it whatever the agent's
 * environment has for that folder. A note is only where to look: who reads it checks the folder, the socket and the lock.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../os/attempt.ts'
import { makeOwnFolder, type Places } from '../os/file/places.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import { signalled } from '../os/proc/alive.ts'

export type HostNote = { readonly pid: number; readonly runtime: string }

/**
 * Called by the host. Where it can't be noted, only hooks with another environment don't find it.
 * @returns takes the note back
 */
export function noteHost({ hosts, runtime }: Places): () => void {
  const file = path.join(hosts, String(process.pid))
  attempt(() => {
    makeOwnFolder(hosts)
    // A host that was killed has left its own.
    for (const name of readdirSync(hosts))
      if (!isLiving(name)) attempt(() => rmSync(path.join(hosts, name), { force: true }))
    writeFileSync(file, `${runtime}\n`, { mode: 0o600 })
  })
  return () => void attempt(() => rmSync(file, { force: true }))
}

/** Notes of this user's hosts with a running process, judged by pid. */
export function notedHosts({ hosts }: Pick<Places, 'hosts'>): readonly HostNote[] {
  return (attempt(() => readdirSync(hosts)) ?? []).filter(isLiving).flatMap(name => {
    const runtime = attempt(() => readPlainText(path.join(hosts, name), { most: 4096 }).trim())
    return runtime ? [{ pid: Number(name), runtime }] : []
  })
}

const isLiving = (name: string): boolean => /^[1-9]\d*$/.test(name) && signalled(Number(name)) !== 'gone'
