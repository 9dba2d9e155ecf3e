/** Asks the running host to open or close the API as its settings say by now. */
import { isLullError, LullError } from '../../core/lull-error.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { findHost, host } from '../../host/find-host.ts'
import type { DoorStatus } from '../../host/host-door.ts'
import type { Places } from '../../os/file/places.ts'
import type { UnsentNotice } from '../../shapes/notice-shape.ts'
import { isShaped } from '../../shapes/wire.ts'

/** Has the running host show a notice on open pages. @returns whether there is one */
export async function askToShow(places: Places, notice: UnsentNotice): Promise<boolean> {
  const request = { path: '/v1/notice', method: 'POST', body: JSON.stringify(notice) } as const
  const answer = parseJson(await host.ask(places.socket, request).catch(() => ''))
  return isRecord(answer) && answer.shown === true
}

/** A door that closes waits for its last answers. ms */
const patience = 10_000

/**
 * @returns how it is then; undefined where it is closed, or no host runs
 * @throws {LullError} HOST_GONE
 */
export async function askDoor(places: Places): Promise<DoorStatus | undefined> {
  const found = await findHost(places)
  if (found.is !== 'running') return undefined
  try {
    const answer = parseJson(
      await host.ask(places.socket, { path: '/v1/serve', method: 'POST', body: '{}', patience }),
    )
    return isShaped('door', answer) ? answer : undefined
  } catch (error) {
    if (!isLullError(error, 'HOST_GONE') || !/answered (404|501)/.test(error.message)) throw error
    throw new LullError(
      'HOST_GONE',
      `the host (pid ${found.holder.pid}) was started by a lull without the API: lull host restart starts this one`,
    )
  }
}
