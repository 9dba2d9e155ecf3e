/** A process of `bench:fleet`: hosts of a fleet over generated sessions, each with a connection of its own. It takes orders over IPC. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFleet } from '../../src/fleet/nats/fleet-settings.ts'
import { openHistory } from '../../src/history/open-history.ts'
import { protocol } from '../../src/host/messages.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { fleetDoor } from '../../src/serve/doors/fleet-door.ts'
import { stateKind } from '../../src/sessions/history/session-past.ts'
import { mergedSource } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { generatedSessions } from '../serve/generated-sessions.ts'

export type HostsOrder =
  | { readonly do: 'join' | 'usage' }
  | { readonly do: 'signals'; readonly perSecond: number; readonly seconds: number }
  /** So many entries for the history of each host, as if they had come in this time until now. */
  | { readonly do: 'entries'; readonly each: number; readonly seconds: number }

export type HostsReply = {
  readonly pid: number
  readonly cpuMs: number
  readonly megabytes: number
  /** Of them, what is in use: without what is garbage under --expose-gc. */
  readonly used: number
}

const [url = '', folder = '', ...numbers] = process.argv.slice(2)
const [first = 0, count = 0, sessionsEach = 0] = numbers.map(Number)
const clock = realClock(true)

const hosts = Array.from({ length: count }, (_, index) => {
  const name = `host${first + index}`
  const places = placesOf({
    HOME: folder,
    LULL_RUNTIME_DIR: path.join(folder, name, 'run'),
    XDG_STATE_HOME: path.join(folder, name, 'state'),
  })
  writeFleet(places, { url, name, who: name, share: 'text', scope: 'act', withoutKeys: true })
  const { provider, fileNext } = generatedSessions(clock, sessionsEach)
  const sessions = mergedSource([provider])
  for (let one = 0; one < sessionsEach; one++) fileNext(clock.now())
  const status = async () => ({
    ...{
      pid: process.pid,
      version: '0',
      protocol,
      startedAt: new Date().toISOString(),
      sessions: sessionsEach,
    },
    hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
  })
  const door = fleetDoor({
    ...{ clock, places, status, version: '0' },
    sessions: { ...sessions, receive: () => undefined },
    receive: () => undefined,
    complain: sentence => process.stderr.write(`${name}: ${sentence}\n`),
  })
  return { door, fileNext, places, added: 0 }
})

/** Files signals when they are due, one host after the other. */
async function fileSignals(perSecond: number, seconds: number): Promise<void> {
  const from = clock.now()
  for (let done = 0; done < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, Math.floor(((clock.now() - from) * perSecond) / 1000))
    for (; done < due; done++) hosts[done % count]?.fileNext(from + ((done + 1) * 1000) / perSecond)
    await sleep(1)
  }
}

/** A word of its own in each, as of agents. */
function addEntries(each: number, seconds: number): void {
  const now = Date.now()
  for (const host of hosts) {
    const history = openHistory(host.places)
    for (let done = 0; done < each; done++) {
      const turn = ++host.added
      history.add({
        at: now - (1 - done / each) * seconds * 1000,
        ...{ kind: stateKind, session: `s${turn % sessionsEach}`, agent: 'claude', cwd: '/srv/web' },
        data:
          turn % 2 === 0
            ? { state: 'working', turn, prompt: 'make the tests pass and explain what was wrong' }
            : {
                state: 'idle',
                after: 'turn',
                turn,
                message: `${turn}: ${'all tests pass now, '.repeat(10)}`,
              },
      })
    }
    history.close()
  }
}

function reply(): void {
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const sent: HostsReply = {
    pid: process.pid,
    cpuMs: (user + system) / 1000,
    megabytes: rss / 1024 / 1024,
    used: (heapUsed + external) / 1024 / 1024,
  }
  process.send?.(sent)
}

process.once('disconnect', () => process.exit())
process.on('message', async (order: HostsOrder) => {
  if (order.do === 'join') for (const { door } of hosts) await door.update()
  if (order.do === 'entries') addEntries(order.each, order.seconds)
  if (order.do === 'signals') await fileSignals(order.perSecond, order.seconds)
  reply()
})
reply()
