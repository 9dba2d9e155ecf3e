/** What the operations of the API work with, and how many may use it at one time. */
import { HTTPException } from 'hono/http-exception'
import type { Lull } from '../connect/connect.ts'
import type { ServedBoxes } from '../fleet/served-boxes.ts'
import type { DoorPorts } from '../host/host.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import type { ActionBook } from './api-actions.ts'
import type { Feed } from './feed.ts'
import type { AnswerLinks } from './links/answer-links.ts'
import type { Recordings } from './recordings/recordings.ts'
import type { ServeSettings } from './settings.ts'
import type { Token, TokenStore } from './tokens.ts'

export type ApiPorts = Omit<DoorPorts, 'sessions'> & {
  /** What a person runs for a link that lets a browser in. */
  readonly linkCommand: string
  /** Of this machine, and of the boxes. */
  readonly lull: Lull
  readonly boxes?: ServedBoxes
  readonly feed: Feed
  /** Whole sessions: the first is a snapshot. */
  readonly changes: SessionSource['changes']
  readonly actions: ActionBook
  readonly links: AnswerLinks
  readonly tokens: TokenStore
  readonly recordings: Recordings
  readonly open: OpenRequests
  readonly settings: ServeSettings
  /** The values of `Host` that are let in. */
  readonly hosts: ReadonlySet<string>
}

type OpenRequest = { readonly signal: AbortSignal; end(): void; leave(): void }

/** Waits and streams last: so many may be open, and each ends when its token is revoked. */
export function openRequests(most = { waits: 500, streams: 500 }) {
  type Open = { readonly token: Token; readonly gone: AbortController }
  const open = { waits: new Set<Open>(), streams: new Set<Open>() }
  return {
    /** @returns what ends it, and what it calls at its end */
    enter(kind: keyof typeof open, token: Token): OpenRequest {
      const all = open[kind]
      if (all.size >= most[kind])
        throw new TooMany(`${most[kind]} ${kind} are open already: close one, or try again later`)
      const one: Open = { token, gone: new AbortController() }
      all.add(one)
      return { signal: one.gone.signal, end: () => one.gone.abort(), leave: () => all.delete(one) }
    },
    count: (kind: keyof typeof open): number => open[kind].size,
    /** @param why what a wait is answered with */
    end(isOver: (token: Token) => boolean, why: Error): void {
      for (const one of [...open.waits, ...open.streams]) if (isOver(one.token)) one.gone.abort(why)
    },
  }
}

type OpenRequests = ReturnType<typeof openRequests>

/** Ends what a token that is valid no more has open. */
export const endRevoked = (open: OpenRequests, { isValid }: TokenStore): void =>
  open.end(
    token => !isValid(token),
    new HTTPException(401, { message: 'the token was revoked while it waited' }),
  )

export class TooMany extends Error {}
