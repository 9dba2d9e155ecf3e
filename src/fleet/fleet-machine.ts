/** Several boxes as the machine of a connection: each address goes to the box that it names. Nothing is decided here. */

import type { SessionMachine } from '../connect/session-machine.ts'
import { everyone } from '../connect/wait-whom.ts'
import { defined } from '../core/defined.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { type CallerContext, findSession } from '../sessions/address.ts'
import { isBoxRow } from '../sessions/session-names.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { addressOn, readBoxAddress } from './box-address.ts'
import type { OpenBox } from './open-box.ts'

/** How addresses are read that name no folder of this machine. */
const nowhere: CallerContext = { cwd: '/', home: '/' }

type List = () => Promise<readonly LiveSession[]>

export function fleetMachine(boxes: ReadonlyMap<string, OpenBox>): SessionMachine {
  function boxOf(name: string, address: string): OpenBox {
    const box = boxes.get(name)
    if (box) return box
    throw new LullError(
      'NO_SESSION',
      `no session "${address}": ${name} is none of the boxes that were asked (${[...boxes.keys()].join(', ')})`,
      {
        address,
      },
    )
  }

  /** With the box, where it names none: by the sessions that the boxes list. @throws {LullError} where it could mean another one */
  async function whole(
    address: string,
    list: List,
  ): Promise<{ readonly box: OpenBox; readonly session: string }> {
    const { session, box } = readBoxAddress(address)
    if (box !== undefined) return { box: boxOf(box, address), session }
    const [only] = boxes.values()
    if (boxes.size === 1 && only) return { box: only, session }
    const sessions = await list()
    const away = sessions.find(isBoxRow)
    if (away)
      throw new LullError(
        'AMBIGUOUS_SESSION',
        `"${address}" may mean a session of ${away.host} as well, which can't be asked: name the box, like ${address}@${[...boxes.keys()].find(name => name !== away.host)}`,
        { address, candidates: [] },
      )
    const { id, host = '' } = findSession(address, sessions, nowhere)
    return { box: boxOf(host, address), session: readBoxAddress(id).session }
  }

  async function find(address: string, list: List): Promise<LiveSession> {
    const { box, session } = await whole(address, list)
    const machine = await box.connected()
    const live = box.here(await onThatBox(box, session, () => machine.find(session, list)))
    if (live) return live
    throw new LullError('NO_SESSION', `no session "${address}": ${box.name} gives it an id that is none`, {
      address,
    })
  }

  return {
    caller: () => nowhere,
    find,
    checkServer: async () => undefined,
    async sessionsAt(addresses, list, socket) {
      if (addresses.length === 0) return list()
      const found = await Promise.all(
        addresses.map(async address => {
          const { session, box: name } = readBoxAddress(address)
          if (name === undefined) return [await find(address, list)]
          const box = boxOf(name, address)
          const machine = await box.connected()
          const at = await onThatBox(box, session, () => machine.sessionsAt([session], list, socket))
          return at.flatMap(live => box.here(live) ?? [])
        }),
      )
      return [...new Map(found.flat().map(live => [live.id, live])).values()]
    },
    async resolve(addresses, { appear, patience, signal }) {
      const list: List = async () => (await Promise.all([...boxes.values()].map(box => box.list()))).flat()
      return Promise.all(
        addresses.map(async address => {
          if (address === everyone) return address
          const { box, session } = await whole(address, list)
          // It may be away for as long as the wait lasts.
          const there = addressOn(session, box.name)
          const ask = () =>
            box.connected().then(() => (appear ? there : find(there, list).then(({ id }) => id)))
          // A host that has joined a fleet is no mistyped name: it is waited for as long as the wait lasts.
          const most = patience ?? (box.isKnown ? Number.POSITIVE_INFINITY : undefined)
          return box.api.retrying(() => ask().catch(awayNow(box)), { patience: most, signal })
        }),
      )
    },
    typedAt: async () => live => {
      const box = boxes.get(live.host ?? '')
      return box?.live.typedAt({ ...live, id: readBoxAddress(live.id).session })
    },
    async endedInstead(error) {
      if (!(error instanceof LullError) || error.code !== 'NO_SESSION') return error
      const { address } = error.facts as { readonly address: string }
      const { box: name = '' } = readBoxAddress(address)
      const box = boxes.get(name)
      return box?.link.isUp() ? (await box.connected()).endedInstead(error) : error
    },
    async terminal(address, where, list, requests) {
      if (address === undefined)
        throw new LullError(
          'USAGE',
          `no session was given: name one and its box, like web@${[...boxes.keys()][0]}`,
        )
      const { box, session } = await whole(address, list)
      const machine = await box.connected()
      const opened = await onThatBox(box, session, () => machine.terminal(session, where, list, requests))
      return boxTerminal(opened, box, session)
    },
    open: async () => refuse('open'),
    end: async () => refuse('close'),
    diagnose: async () => refuse('explain --processes'),
    run: async () => refuse('run'),
    loop: async () => refuse('loop'),
    respawn: async () => refuse('respawn'),
  }
}

/** What keeps it from being asked may pass. */
const awayNow =
  ({ api }: OpenBox) =>
  (error: Error): never => {
    throw isLullError(error, 'HOST_GONE') ? api.gone(error) : error
  }

function refuse(command: string): never {
  throw new LullError('USAGE', `lull ${command} works on its own machine alone: ssh BOX lull ${command} …`)
}

/** An error that names a session names it as it is addressed here. */
export async function onThatBox<T>({ name }: OpenBox, session: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof LullError) || error.code !== 'NO_SESSION') throw error
    throw new LullError('NO_SESSION', `${name}: ${error.message}`, { address: addressOn(session, name) })
  }
}

function boxTerminal(terminal: Terminal, box: OpenBox, session: string): Terminal {
  const elsewhere = (command: string) => async (): Promise<never> => {
    throw new LullError(
      'USAGE',
      `lull ${command} observes the terminal on its own machine: ssh ${box.name} lull ${command} ${session}`,
    )
  }
  return {
    ...terminal,
    observe: elsewhere('read --json'),
    settle: elsewhere('read --json'),
    waitReady: elsewhere('wait --ready'),
    async agent(patience) {
      const live = await terminal.agent(patience)
      return live && box.here(live)
    },
    // Its box waits until nobody else types there: what is registered by then misses nothing.
    async send(text, { whenFree, wait, ...options } = {}) {
      await whenFree?.()
      if (!wait) return terminal.send(text, options)
      const { stableCaptures, ...waiting } = wait
      // One is what it is without.
      const more = stableCaptures === 1 ? {} : { stableCaptures }
      return terminal.send(text, { ...options, wait: { ...waiting, ...defined(more) } })
    },
  }
}
