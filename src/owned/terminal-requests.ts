/** The terminal server, asked over its socket. */
import type { IncomingMessage } from 'node:http'
import { type ErrorCode, errorTable, LullError } from '../core/lull-error.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { socketRequests } from '../os/socket/socket-request.ts'
import type { TypeHow } from '../terminal/terminal-holder.ts'
import type { OpenRequest, OwnedEnd, OwnedScreen, OwnedTerminal, ServerStatus } from './terminal-messages.ts'

const server = socketRequests({ who: 'the terminal server', code: 'TERMINALS_GONE' }, readRefusal)

/** What the server refuses is refused here in its words. */
function readRefusal(answer: string): LullError | undefined {
  const parsed = parseJson(answer)
  if (!isRecord(parsed) || typeof parsed.message !== 'string') return undefined
  const { code, message, facts } = parsed
  if (typeof code !== 'string' || !Object.hasOwn(errorTable, code)) return undefined
  const make = LullError as new (code: ErrorCode, message: string, facts: unknown) => LullError
  return new make(code as ErrorCode, message, facts)
}

/** A close waits for programs that take their time. ms */
const closeMs = 10_000
/** What is typed is typed by then, or never. ms */
const typedMs = 3000
/** A program is started, and a busy machine takes its time. ms */
const openMs = 10_000

/**
 * A server that stood still would type when it goes on, whatever stands there by then: after this instant it does not. ms since
 * the epoch
 */
const lateAt = (): number => Date.now() + typedMs

export type TerminalRequests = ReturnType<typeof terminalRequests>

/**
 * Each throws a LullError: TERMINALS_GONE where nobody answers, NO_SESSION where no terminal has this name.
 * @param socket `places.terminals`
 */
export function terminalRequests(socket: string) {
  const at = (name: string, what = ''): string => `/v1/terminals/${encodeURIComponent(name)}${what}`
  const get = async <T>(path: string, patience?: number): Promise<T> =>
    understood<T>(await server.ask(socket, { path, ...(patience === undefined ? {} : { patience }) }))
  const post = async <T>(path: string, body: unknown, patience?: number): Promise<T> =>
    understood<T>(
      await server.ask(socket, {
        ...{ path, method: 'POST', body: JSON.stringify(body) },
        ...(patience === undefined ? {} : { patience }),
      }),
    )
  return {
    status: () => get<ServerStatus>('/v1/status'),
    list: (patience?: number) => get<readonly OwnedTerminal[]>('/v1/terminals', patience),
    describe: (name: string) => get<OwnedTerminal>(at(name)),
    open: (request: OpenRequest) => post<OwnedTerminal>('/v1/terminals', request, openMs),
    screen: (name: string, lines: number, patience?: number) =>
      get<OwnedScreen>(at(name, `/screen?lines=${lines}`), patience),
    lines: (name: string, most: number | 'screen', isRaw: boolean, patience?: number) =>
      get<readonly string[]>(at(name, `/lines?lines=${most}&raw=${isRaw}`), patience),
    type: (name: string, pid: number, bytes: Buffer, how: TypeHow) =>
      post<{ readonly isTyped: boolean }>(at(name, '/type'), {
        pid,
        base64: bytes.toString('base64'),
        ...how,
        by: lateAt(),
      }),
    press: (name: string, pid: number, key: string, shown: readonly string[]) =>
      post<{ readonly isTyped: boolean }>(at(name, '/press'), { pid, key, shown, by: lateAt() }),
    resize: (name: string, columns: number, rows: number) =>
      server.ask(socket, {
        path: at(name, '/resize'),
        method: 'POST',
        body: JSON.stringify({ columns, rows }),
      }),
    close: (name: string, isForced: boolean) =>
      post<{ readonly end?: OwnedEnd }>(at(name, '/close'), { isForced }, closeMs),
    /** Gives up the name of one that was closed. */
    forget: (name: string) => server.ask(socket, { path: at(name, '/forget'), method: 'POST' }),
    stop: () => server.ask(socket, { path: '/v1/stop', method: 'POST' }),
    /** What it prints from now on, behind a line with the number of bytes that it had printed before. */
    output: (name: string): Promise<IncomingMessage> => server.open(socket, at(name, '/output')),
    /** Bytes both ways. */
    attach: (name: string, asked: Readonly<Record<string, string>>) =>
      server.connect(socket, at(name, `/attach?${new URLSearchParams(asked)}`)),
  }
}

/** Who listens in this user's own folder is this user's: its answers have the shape that they had when they were sent. */
function understood<T>(answer: string): T {
  const value = parseJson(answer)
  if (typeof value === 'object' && value !== null) return value as T
  throw new LullError('TERMINALS_GONE', 'what answers there is no terminal server of lull’s')
}
