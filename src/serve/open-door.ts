/** Opens the API on a TCP port: its server, and what it needs while it is open. Loaded only when it is opened. */
import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import os from 'node:os'
import { getRequestListener } from '@hono/node-server'
import { lullOn } from '../connect/connect.ts'
import { ownLastingSource } from '../connect/lasting-source.ts'
import { LullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { type History, openHistory } from '../history/open-history.ts'
import type { DoorPorts } from '../host/host.ts'
import type { OfferAnswers } from '../notify/deliver/offered-answers.ts'
import { attempt } from '../os/attempt.ts'
import { readPlainText } from '../os/file/plain-file.ts'
import type { UnsentNotice } from '../shapes/notice-shape.ts'
import { isoOf } from '../shapes/verdict-json.ts'
import { createApi } from './api.ts'
import { actionBook } from './api-actions.ts'
import { endRevoked, openRequests } from './api-ports.ts'
import { errorBody } from './error-reply.ts'
import { openFeed } from './feed.ts'
import { hostsOf, isAny } from './gate.ts'
import { answerLinks } from './links/answer-links.ts'
import { openRecordings } from './recordings/recordings.ts'
import type { ServeSettings } from './settings.ts'
import { tokenStore } from './tokens.ts'

export type OpenDoor = {
  readonly offer: OfferAnswers
  /** @returns whether a stream takes it */
  show(notice: UnsentNotice): boolean
  /** Ends the waits and streams of tokens that were revoked. */
  checkTokens(): void
  close(): Promise<void>
}

/** ms. A connection that says nothing, or says it slowly, is closed. */
const headersMs = 10_000
const requestMs = 30_000
const limits = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: 2000 }
const mostConnections = 1200
const lastAnswersMs = 300

/** @throws the system's error where the port can't be had, or a certificate can't be read */
export async function openDoor(settings: ServeSettings, ports: DoorPorts): Promise<OpenDoor> {
  const { sessions, ...around } = ports
  const { places, clock, complain } = around
  const tls = readTls(settings)
  // Before anything is opened: a certificate that is none throws here.
  const server = tls
    ? https.createServer({ ...tls, ...limits, handshakeTimeout: headersMs })
    : http.createServer(limits)
  server.maxConnections = mostConnections
  const endConnections = connectionsOf(server)
  const tokens = tokenStore(places)
  const open = openRequests()
  const lull = lullOn(ownLastingSource({ ...sessions, via: 'host' }))
  let history: History | undefined
  const actions = actionBook(
    () => {
      history ??= attempt(() => openHistory(places))
      return history
    },
    () => clock.wall(),
  )
  const links = answerLinks({ lull, changes: () => sessions.changes(), clock })
  const recordings = openRecordings(places, settings)
  const feed = await openFeed(sessions, clock, complain)
  const api = createApi({
    ...around,
    ...{ lull, feed, actions, links, tokens, open, settings, recordings },
    changes: () => sessions.changes(),
    hosts: hostsOf(settings, namesOf(settings, tls?.cert)),
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
  const closeAll = async (): Promise<void> => {
    await Promise.all([feed.close(), links.close()])
    open.end(() => true, new LullError('CLOSED', 'the API is closed, or its host ends: ask again'))
    recordings.close()
    await lull.close()
    history?.close()
  }
  try {
    await listenOn(server, settings)
  } catch (error) {
    await closeAll()
    throw error
  }
  return {
    offer: links.offer,
    show: notice => feed.show({ ...notice, at: isoOf(clock.wall()) }),
    checkTokens: () => endRevoked(open, tokens),
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      await closeAll()
      const late = setTimeout(endConnections, lastAnswersMs)
      server.closeIdleConnections()
      await closed
      clearTimeout(late)
    },
  }
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
