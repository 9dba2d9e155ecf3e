/** The API as the host holds it: open or closed as the settings say. What serves it is loaded when it opens. */
import { whyNot } from '../core/system-refusal.ts'
import type { DoorPorts } from '../host/host.ts'
import type { HostDoor } from '../host/host-door.ts'
import { hasCode } from '../os/error-code.ts'
import { readSettings } from './kept-settings.ts'
import type { OpenDoor } from './open-door.ts'
import { baseUrl, type ServeSettings } from './settings.ts'

export function serveDoor(ports: DoorPorts): HostDoor {
  let open: { readonly door: OpenDoor; readonly settings: string } | undefined
  let wanted: ServeSettings | undefined
  let problem: string | undefined
  let last: Promise<void> = Promise.resolve()

  async function update(): Promise<void> {
    try {
      wanted = readSettings(ports.places)
      const settings = JSON.stringify(wanted)
      if (open?.settings === settings) return open.door.checkTokens()
      await close()
      if (!wanted) return
      const { openDoor } = await import('./open-door.ts')
      open = { door: await openDoor(wanted, ports), settings }
    } catch (error) {
      // Where its settings can't be read, it must not stay open while it is shown as closed.
      await close().catch(() => undefined)
      problem = hasCode(error, 'EADDRINUSE')
        ? `port ${wanted?.port} is taken by another program; choose one with --port`
        : hasCode(error, 'EACCES') || hasCode(error, 'EADDRNOTAVAIL')
          ? `${wanted?.listen}:${wanted?.port}: ${whyNot(error)}`
          : (error as Error).message
      ports.complain(`the API is not served: ${problem}`)
    }
  }

  async function close(): Promise<void> {
    problem = undefined
    const { door } = open ?? {}
    open = undefined
    await door?.close()
  }

  /** One after the other. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = last.then(act)
    // One that fails keeps none from the next.
    last = done.catch(() => undefined)
    return done
  }

  return {
    update: () => inTurn(update),
    status: () =>
      wanted && {
        url: baseUrl(wanted),
        readOnly: wanted.readOnly,
        ...(problem === undefined ? {} : { problem }),
      },
    offer: async (session, by) => (wanted?.readOnly ? undefined : open?.door.offer(session, by)),
    close: () => inTurn(close),
  }
}
