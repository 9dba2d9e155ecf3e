/**
 * `npm run bench:serve [-- stream returns lists host]`: the HTTP API under load. A thousand generated sessions behind the real API in a
 * process of their own, clients in another one, and a real host at rest and under hooks. Exits 1 where it misses a floor.
 */
import { placesOf } from '../src/os/file/places.ts'
import { addToken } from '../src/serve/tokens.ts'
import { type Figure, reportFigures } from './figures.ts'
import { freePort } from './free-port.ts'
import { ownHome } from './own-home.ts'
import { measureLists, measureReturns, measureStream } from './serve/api-figures.ts'
import { measureHost } from './serve/host-figures.ts'
import { measureSlowness, slownessLine } from './slowness.ts'

const parts = ['stream', 'returns', 'lists', 'host'] as const
type Part = (typeof parts)[number]
const chosen = process.argv.slice(2) as Part[]
const isChosen = (part: Part): boolean => chosen.length === 0 || chosen.includes(part)

const slowness = measureSlowness()
process.stdout.write(slownessLine(slowness))

const { env } = ownHome('bench-serve')
const token = await addToken(placesOf(env), 'bench', 'read', { now: performance.now(), wall: Date.now() })
const place = { port: await freePort(), token, env }

async function streamFigures(): Promise<readonly Figure[]> {
  const { p50, p99, longest, idleP99, lost, disordered, cores, megabytes, perSecond } =
    await measureStream(place)
  return [
    { name: 'signalsPerSecond', what: 'signals a second', value: perSecond },
    { name: 'delayP50Ms', what: 'signal → client, p50 ms', value: p50, digits: 1 },
    { name: 'delayP99Ms', what: 'signal → client, p99 ms', value: p99, most: 50 * slowness, digits: 1 },
    { name: 'delayMostMs', what: 'signal → client, longest ms', value: longest },
    { name: 'idleP99Ms', what: 'a timer of an idle process is late, p99 ms', value: idleP99, digits: 1 },
    { name: 'eventsLost', what: 'signals lost, of all clients', value: lost, most: 0 },
    { name: 'eventsDisordered', what: 'events out of order', value: disordered, most: 0 },
    { name: 'cores', what: 'cores, generator included', value: cores, most: slowness, digits: 2 },
    { name: 'peakMegabytes', what: 'memory at its peak, MB', value: megabytes, most: 400 },
  ]
}

async function returnFigures(): Promise<readonly Figure[]> {
  const { connectMs, resumeMs, restartMs, lost, disordered } = await measureReturns(place)
  const most = 2000 * slowness
  return [
    { name: 'connectMs', what: '200 clients have connected, ms', value: connectMs, most },
    { name: 'resumeMs', what: '200 clients are back after a cut, ms', value: resumeMs, most },
    { name: 'restartMs', what: '200 clients are back after a restart, ms', value: restartMs, most },
    { name: 'returnLost', what: 'signals lost over these', value: lost, most: 0 },
    { name: 'returnDisordered', what: 'events out of order over these', value: disordered, most: 0 },
  ]
}

async function listFigures(): Promise<readonly Figure[]> {
  const { listP50, listP95, listBytes } = await measureLists(place)
  const most = 30 * slowness
  return [
    { name: 'listP50Ms', what: 'GET /v1/sessions of 1,000, p50 ms', value: listP50, digits: 1 },
    { name: 'listP95Ms', what: 'GET /v1/sessions of 1,000, p95 ms', value: listP95, most, digits: 1 },
    { name: 'listKilobytes', what: 'its answer, kB', value: listBytes / 1024 },
  ]
}

async function hostFigures(): Promise<readonly Figure[]> {
  const host = await measureHost(await freePort())
  const most = 0.5 * slowness
  return [
    { name: 'quietSessions', what: 'quiet sessions of a real host', value: host.sessions, least: 50 },
    { name: 'closedPercent', what: 'core at rest, door closed, %', value: 100 * host.closedShare, digits: 2 },
    { name: 'openPercent', what: 'core at rest, door open, %', value: 100 * host.openShare, most, digits: 2 },
    { name: 'doorMegabytes', what: 'memory of the door, MB', value: host.doorMegabytes, most: 20, digits: 1 },
    { name: 'hooksPerSecond', what: 'hooks a second', value: host.hooksPerSecond, least: 4000 / slowness },
    { name: 'hooksLost', what: 'hooks lost', value: host.hooksLost, most: 0 },
  ]
}

const measures = { stream: streamFigures, returns: returnFigures, lists: listFigures, host: hostFigures }
const figures: Figure[] = []
for (const part of parts) if (isChosen(part)) figures.push(...(await measures[part]()))

reportFigures('serve', slowness, figures)
