/** The API and the page over recorded sessions, on a port and in places of their own: nothing of this machine is shown. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { storySessions } from '../../connect/story-sessions.ts'
import { hasCode } from '../../os/error-code.ts'
import { placesOf } from '../../os/file/places.ts'
import { mergedSource } from '../../sessions/local-sessions.ts'
import { realClock } from '../../track/clock.ts'
import { newDeviceLink } from '../browser/device-link.ts'
import { checkSettings, usualPort } from '../settings.ts'
import { openDoor } from './open-door.ts'

/**
 * @param files of recordings
 * @returns a link that lets one browser in, a folder that goes with it, and what ends it
 */
export async function openDemoDoor(files: readonly string[], version: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-demo-'))
  const tidy = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', tidy)
  const clock = realClock(true)
  const places = placesOf({
    HOME: folder,
    LULL_RUNTIME_DIR: path.join(folder, 'run'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_DATA_HOME: path.join(folder, 'data'),
  })
  const startedAt = new Date(clock.wall()).toISOString()
  const sessions = mergedSource([storySessions(clock, files)])
  const { settings, door } = await openAtFreePort(path.dirname(files[0] ?? folder), {
    ...{ clock, places, version },
    sessions: { ...sessions, receive: () => undefined },
    status: async () => ({
      ...{ pid: process.pid, version, protocol: 0, startedAt, sessions: files.length },
      hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
    }),
    receive: () => undefined,
    complain: () => undefined,
  })
  return {
    folder,
    link: await newDeviceLink(places, settings, { name: 'browser', scope: 'read' }, clock.now()),
    async close() {
      await door.close()
      await sessions.close()
      tidy()
    },
  }
}

/** Of the ports after the usual one, the first that nobody has. */
async function openAtFreePort(recordings: string, ports: Parameters<typeof openDoor>[1]) {
  for (let port = usualPort + 1; ; port++) {
    const settings = checkSettings({ port, listen: '127.0.0.1', readOnly: true, recordings })
    try {
      return { settings, door: await openDoor(settings, ports, 'lull demo --page') }
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE') || port > usualPort + 20) throw error
    }
  }
}
