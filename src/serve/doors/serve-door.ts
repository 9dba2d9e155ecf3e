/** The API as the host holds it: open or closed as the settings say. What serves it is loaded when it opens. */
import { isDeepStrictEqual } from 'node:util'
import { whyNot } from '../../core/system-refusal.ts'
import type { DoorPorts } from '../../host/host.ts'
import type { HostDoor } from '../../host/host-door.ts'
import { hasCode } from '../../os/error-code.ts'
import { readSettings } from '../kept-settings.ts'
import type { OpenDoor } from '../open-api.ts'
import { baseUrl, type ServeSettings } from '../settings.ts'

export function serveDoor(ports: DoorPorts): HostDoor {
  let open: { readonly door: OpenDoor; readonly settings: ServeSettings } | undefined
  let wanted: ServeSettings | undefined
  let problem: string | undefined
  let last: Promise<void> = Promise.resolve()

  async function update(): Promise<void> {
    let isRead = false
    try {
      wanted = readSettings(ports.places)
      ;[isRead, problem] = [true, undefined]
      if (!wanted) return await close()
      if (open && isDeepStrictEqual(open.settings, wanted)) return open.door.checkTokens()
      // One at another address stays open until the new one is.
      if (open && isSameAddress(open.settings, wanted)) await close()
      const before = open
      const { openDoor } = await import('./open-door.ts')
      open = { door: await openDoor(wanted, ports), settings: wanted }
      await before?.door.close()
    } catch (error) {
      // Where its settings can't be read, it must not stay open while it is shown as closed.
      if (!isRead) await close().catch(() => undefined)
      problem = hasCode(error, 'EADDRINUSE')
        ? `port ${wanted?.port} is taken by another program; choose one with --port`
        : hasCode(error, 'EACCES') || hasCode(error, 'EADDRNOTAVAIL')
          ? `${wanted?.listen}:${wanted?.port}: ${whyNot(error)}`
          : (error as Error).message
      ports.complain(`the API is not served: ${problem}`)
    }
  }

  async function close(): Promise<void> {
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
        ...(wanted.on ? { on: wanted.on } : {}),
        ...(problem === undefined ? {} : { problem }),
      },
    offer: async (session, by) => (wanted?.readOnly ? undefined : open?.door.offer(session, by)),
    show: async notice => open?.door.show(notice) ?? false,
    close: () => inTurn(close),
  }
}

const isSameAddress = (a: ServeSettings, b: ServeSettings): boolean =>
  a.port === b.port && a.listen === b.listen
