/**
 * A process of `bench:serve`: the API of a host over generated sessions, and nothing else of a host, so its processor time and memory
 * are those of the API, of what judges sessions and of the generator. It is told what to do over IPC.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises'
import { placesOf } from '../../src/os/file/places.ts'
import { openDoor } from '../../src/serve/doors/open-door.ts'
import { mergedSource } from '../../src/sessions/local-sessions.ts'
import { realClock } from '../../src/track/clock.ts'
import { generatedSessions } from './generated-sessions.ts'

export type ServerOrder =
  | { readonly do: 'signals'; readonly perSecond: number; readonly seconds: number }
  | { readonly do: 'usage' | 'close' }

export type ServerReply = {
  /** The machine's monotonic clock, ms. */
  readonly at: number
  /** Signals since the start. */
  readonly filed: number
  /** Processor time since the start, ms. */
  readonly cpuMs: number
  readonly peakMegabytes: number
  readonly pid: number
}

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
/** So many signals may come at one moment: each hook of a host is an event of its own, too. */
const mostAtOnce = 20

const clock = realClock(true)
const { provider, fileNext, filed } = generatedSessions(clock, count)
const sessions = mergedSource([provider])
for (let index = 0; index < count; index++) fileNext(clock.now())

/** The page is loaded anew where it is of another version. */
const packageFile = path.resolve(import.meta.dirname, '../../package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
const status = async () => ({
  ...{
    pid: process.pid,
    version,
    protocol: 0,
    startedAt: new Date().toISOString(),
    sessions: count,
  },
  hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
})
const door = await openDoor(
  { port, listen: '127.0.0.1', readOnly: true },
  {
    ...{ clock, status, version, places: placesOf(process.env) },
    sessions: { ...sessions, receive: () => undefined },
    receive: () => undefined,
    complain: sentence => process.stderr.write(`${sentence}\n`),
  },
)

/** Files signals when they are due; those that are late as soon as it can. */
async function fileSignals(perSecond: number, seconds: number): Promise<void> {
  const from = clock.now()
  const total = perSecond * seconds
  for (let done = 0; done < total; ) {
    const due = Math.min(total, Math.floor(((clock.now() - from) * perSecond) / 1000))
    const until = Math.min(due, done + mostAtOnce)
    for (; done < until; done++) fileNext(from + ((done + 1) * 1000) / perSecond)
    if (done < due) await yieldToOthers()
    else await sleep(1)
  }
}

function reply(): void {
  const { user, system } = process.cpuUsage()
  const sent: ServerReply = {
    ...{ at: clock.now(), filed: filed(), cpuMs: (user + system) / 1000 },
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    pid: process.pid,
  }
  process.send?.(sent)
}

process.once('disconnect', () => process.exit())
process.on('message', async (order: ServerOrder) => {
  if (order.do === 'signals') await fileSignals(order.perSecond, order.seconds)
  if (order.do === 'close') await door.close()
  reply()
})
reply()
