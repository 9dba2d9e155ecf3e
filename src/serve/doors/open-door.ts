/** Opens the API on a TCP port: its server, and what it needs while it is open. Loaded only when it is opened. */
import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import os from 'node:os'
import { getRequestListener } from '@hono/node-server'
import { lullOn } from '../../connect/connect.ts'
import { ownLastingSource } from '../../connect/lasting-source.ts'
import { ownMachine } from '../../connect/own-machine.ts'
import { whyNot } from '../../core/system-refusal.ts'
import type { ServedBoxes } from '../../fleet/served-boxes.ts'
import type { DoorPorts } from '../../host/host.ts'
import { attempt } from '../../os/attempt.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import type { SessionSource } from '../../sessions/session-source.ts'
import { errorBody } from '../error-reply.ts'
import { hostsOf, isAny } from '../gate.ts'
import { type OpenDoor, openApi } from '../open-api.ts'
import type { ServeSettings } from '../settings.ts'
import { tokenStore } from '../tokens.ts'

/** ms. A connection that says nothing, or says it slowly, is closed. */
const headersMs = 10_000
const requestMs = 30_000
const limits = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: 2000 }
const mostConnections = 1200
const lastAnswersMs = 300

/**
 * @param linkCommand what a person runs for a link that lets a browser in
 * @throws the system's error where the port can't be had, or a certificate can't be read
 */
export async function openDoor(
  settings: ServeSettings,
  ports: DoorPorts,
  linkCommand = 'lull serve token add NAME --qr --scope act',
): Promise<OpenDoor> {
  const { sessions, ...around } = ports
  const tls = readTls(settings)
  // Before anything is opened: a certificate that is none throws here.
  const server = tls
    ? https.createServer({ ...tls, ...limits, handshakeTimeout: headersMs })
    : http.createServer(limits)
  server.maxConnections = mostConnections
  const endConnections = connectionsOf(server)
  const tokens = tokenStore(ports.places)
  const boxes = settings.on && (await openBoxes(settings.on, ports))
  const source: SessionSource = boxes?.source ?? sessions
  const lull = lullOn(ownLastingSource({ ...source, via: 'host' }), boxes?.machine)
  const hosts = hostsOf(settings, namesOf(settings, tls?.cert))
  const api = await openApi({
    ...around,
    ...{ lull, tokens, settings, hosts, linkCommand },
    ...(boxes ? { boxes } : {}),
    changes: () => source.changes(),
  })
  const answer = getRequestListener(api.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => {
    if (!namesUser(request.url ?? '')) return answer(request, response)
    const body = errorBody(
      'BAD_REQUEST',
      'a URL names no user here: send the token as Authorization: Bearer …',
    )
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  try {
    await listenOn(server, settings)
  } catch (error) {
    await api.close()
    await boxes?.close()
    throw error
  }
  return {
    offer: api.offer,
    show: api.show,
    checkTokens: api.checkTokens,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      await api.close()
      await boxes?.close()
      const late = setTimeout(endConnections, lastAnswersMs)
      server.closeIdleConnections()
      await closed
      clearTimeout(late)
    },
  }
}

async function openBoxes(
  names: readonly string[],
  { sessions, clock, complain }: DoorPorts,
): Promise<ServedBoxes> {
  const { serveBoxes } = await import('../../fleet/served-boxes.ts')
  return serveBoxes(names, { here: sessions, machine: ownMachine, clock, complain })
}

/** `GET http://user:password@host/`: nobody can make a `Request` of it, so that it never comes to the gate. */
const namesUser = (target: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(target)

/** @returns what ends them all: `closeAllConnections` knows none that has not finished its TLS handshake */
function connectionsOf(server: http.Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) socket.destroy()
  }
}

function listenOn(server: http.Server, { port, listen }: ServeSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: listen }, () => {
      server.off('error', reject)
      server.on('error', () => undefined)
      resolve()
    })
  })
}

type Tls = { readonly cert: string; readonly key: string }

function readTls({ cert, key }: ServeSettings): Tls | undefined {
  if (cert === undefined || key === undefined) return undefined
  const read = (file: string): string => {
    try {
      return readPlainText(file, { most: 1024 * 1024 })
    } catch (error) {
      throw new Error(`${file} can't be read: ${whyNot(error)}`)
    }
  }
  return { cert: read(cert), key: read(key) }
}

/** The names of the certificate, and this machine's addresses where it listens on all of them. */
function namesOf({ listen }: ServeSettings, cert: string | undefined): readonly string[] {
  const alternative = (cert && attempt(() => new X509Certificate(cert).subjectAltName)) || ''
  const named = [...alternative.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) => name)
  const own = isAny(listen) ? Object.values(os.networkInterfaces()).flatMap(all => all ?? []) : []
  return [...named, ...own.map(({ address }) => address)]
}
