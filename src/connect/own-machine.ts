/** The machine that this process runs on. Each method loads what it needs at its first use. */
import { isLullError } from '../core/lull-error.ts'
import { placesOf } from '../os/file/places.ts'
import { findSession } from '../sessions/address.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { SessionMachine } from './session-machine.ts'

export const ownMachine: SessionMachine = {
  caller: callerContext,
  find: async (address, list) => findSession(address, await list(), callerContext()),
  checkServer: async socket => (await import('./sessions-at.ts')).checkServer(socket),
  async sessionsAt(addresses, list, socket) {
    const { sessionsAt } = await import('./sessions-at.ts')
    return sessionsAt(addresses, await list(), socket)
  },
  resolve: async addresses => addresses,
  async typedAt() {
    const { typedInto } = await import('../sessions/typed-file.ts')
    const typedOf = typedInto()
    return (live: LiveSession) => typedOf(live)?.at
  },
  async endedInstead(error) {
    const { endedInstead } = await import('./wait-whom.ts')
    return endedInstead(error, placesOf())
  },
  async terminal(address, where, list, requests) {
    const { openTerminal } = await import('../drive/open-terminal.ts')
    try {
      return await openTerminal(address, { ...where, sessions: list, requests })
    } catch (error) {
      if (address === undefined || !isLullError(error, 'NO_PANE', 'NO_SERVER', 'FOREIGN_SERVER')) throw error
      const { requestsOnly } = await import('./requests-only.ts')
      const found = await requestsOnly(address, where, list, requests)
      if (!found) throw error
      return found
    }
  },
  async open(name, options) {
    const { openOwned } = await import('../owned/open-owned.ts')
    await openOwned(name, options, placesOf())
  },
  async end(name, force) {
    const { closeOwned } = await import('../owned/close-owned.ts')
    return closeOwned(name, placesOf(), force)
  },
  async diagnose(pid) {
    const [{ diagnoseNow }, { runAround }] = await Promise.all([
      import('../process/diagnose-now.ts'),
      import('../sessions/runs/published-runs.ts'),
    ])
    return diagnoseNow(pid, runAround(placesOf().runs, pid))
  },
  async run(words, options) {
    const { run } = await import('../run/run.ts')
    return run(words, options)
  },
  async loop(options) {
    const { loop } = await import('../loop/loop.ts')
    return loop(options)
  },
  async respawn(session, options, around) {
    const { respawn } = await import('../respawn/respawn.ts')
    return respawn(session, options, around, placesOf())
  },
}
