/** By which another process steers a loop that runs: one socket a loop, beside lull's others. */
import path from 'node:path'
import { LullError } from '../core/lull-error.ts'
import { parseJson } from '../core/trace/trace.ts'
import { makeOwnFolder, makeRuntime, type Places, whyNoSocket } from '../os/file/places.ts'
import { identify, markOf } from '../os/proc/alive.ts'
import { serveControls } from '../os/socket/control-socket.ts'
import { socketRequests } from '../os/socket/socket-request.ts'
import { isShaped } from '../shapes/wire.ts'
import type { Controls, LoopStatus } from './loop-runner.ts'

export const loopControls = ['pause', 'resume', 'skip'] as const
export type LoopControl = (typeof loopControls)[number]

const folderOf = (places: Places): string => path.join(places.runtime, 'loops')
const socketOf = (places: Places, id: string): string => path.join(folderOf(places), `${id}.sock`)

const { ask } = socketRequests({ who: 'the loop', code: 'HOST_GONE' })

/**
 * For this process' own loop, by the id of its session.
 * @throws {LullError} BAD_PLACE
 */
export async function serveLoop(
  places: Places,
  loop: Pick<Controls, LoopControl | 'status'>,
): Promise<{ close(): Promise<void> }> {
  makeRuntime(places)
  makeOwnFolder(folderOf(places))
  const socket = socketOf(places, identify(process.pid, markOf(process.pid).start ?? ''))
  const why = whyNoSocket(places, socket)
  if (why !== undefined) throw new LullError('BAD_PLACE', why)
  return serveControls(socket, loopControls, { status: loop.status, control: word => loop[word]() })
}

async function askLoop(places: Places, id: string, request: Parameters<typeof ask>[1]) {
  const text = await ask(socketOf(places, id), request).catch(() => undefined)
  const status = text === undefined ? undefined : parseJson(text)
  return isShaped('loopStatus', status) ? (status as LoopStatus) : undefined
}

/** @param id of its session. @returns undefined where no loop of this id runs, or none that can be steered */
export const loopStatus = (places: Places, id: string): Promise<LoopStatus | undefined> =>
  askLoop(places, id, { path: '/v1/status' })

/**
 * @param id of its session
 * @returns what it does then, and what it did before
 * @throws {LullError} NO_SESSION where no loop of this id runs, or none that can be steered
 */
export async function controlLoop(
  places: Places,
  id: string,
  what: LoopControl,
): Promise<{ readonly before: LoopStatus; readonly after: LoopStatus }> {
  const told = async (request: Parameters<typeof ask>[1]): Promise<LoopStatus> => {
    const status = await askLoop(places, id, request)
    if (status) return status
    const why = `${id} is no loop that runs and can be steered: lull ps lists loops`
    throw new LullError('NO_SESSION', why, { address: id })
  }
  const before = await told({ path: '/v1/status' })
  return { before, after: await told({ path: `/v1/${what}`, method: 'POST' }) }
}
