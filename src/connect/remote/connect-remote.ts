/** What a connection to a host on another machine is made of. Loaded where a URL is given. */
import { LullError } from '../../core/lull-error.ts'
import type { TerminalEnd } from '../../owned/close-owned.ts'
import { isShaped } from '../../shapes/wire.ts'
import { realClock } from '../../track/clock.ts'
import type { LastingSource } from '../lasting-source.ts'
import type { SessionMachine } from '../session-machine.ts'
import { everyone } from '../wait-whom.ts'
import { type ApiClient, apiClient, type RetryOptions } from './api-client.ts'
import { checkRemoteAddress, refuseCall } from './refuse-remote.ts'
import { remoteLasting } from './remote-lasting.ts'
import { type RemoteSource, remoteSource } from './remote-source.ts'
import { remoteTerminal } from './remote-terminal.ts'
import { type RemoteHost, readRemote } from './remote-url.ts'
import { overHttp, type Transport } from './transport.ts'

export type RemoteParts = {
  readonly source: LastingSource
  readonly machine: SessionMachine
  /** What the two are made of. */
  readonly api: ApiClient
  readonly live: RemoteSource
}

/** @throws {LullError} USAGE */
export function connectRemote(
  url: string,
  token: string | undefined,
  onNotice?: (sentence: string) => void,
): RemoteParts {
  return remoteParts(readRemote(url, token), overHttp, realClock(true), onNotice)
}

export function remoteParts(
  host: RemoteHost,
  transport: Transport,
  clock = realClock(true),
  onNotice?: (sentence: string) => void,
): RemoteParts {
  const api = apiClient(host, transport, clock, onNotice)
  const live = remoteSource(api, clock)
  return { source: remoteLasting(live, api, clock), machine: remoteMachine(live, api), api, live }
}

function remoteMachine(source: RemoteSource, api: ApiClient): SessionMachine {
  const noSocket = (call: string, socket: string | undefined): void => {
    if (socket !== undefined)
      throw new LullError(
        'USAGE',
        `${call}: socket names a tmux server of this machine; over HTTP the host knows the servers of its own`,
      )
  }

  async function find(address: string, away?: RetryOptions) {
    const [found] = await source.at([checkRemoteAddress(address)], true, away)
    return api.understood(found)
  }

  return {
    caller: () => ({ cwd: '/', home: source.home() }),
    find: address => find(address),
    checkServer: async socket => noSocket('sessions', socket),
    sessionsAt: (addresses, list) =>
      addresses.length === 0 ? list() : source.at(addresses.map(checkRemoteAddress), false),
    resolve: (addresses, { appear, ...away }) =>
      Promise.all(
        addresses.map(async address => {
          if (address === everyone) return address
          try {
            return (await find(address, away)).id
          } catch (error) {
            if (appear && error instanceof LullError && error.code === 'NO_SESSION') return address
            throw error
          }
        }),
      ),
    typedAt: async () => source.typedAt,
    async endedInstead(error) {
      if (!(error instanceof LullError) || error.code !== 'NO_SESSION') return error
      const { address } = error.facts as { readonly address: string }
      const query = new URLSearchParams({ session: address, timeout: '0' })
      // A wait there ends with the better error.
      return api.read(`/v1/wait?${query}`).then(
        () => error,
        (other: unknown) => other,
      )
    },
    async terminal(address, { socket, readOnly = false } = {}) {
      noSocket('terminal', socket)
      if (address === undefined)
        throw new LullError(
          'USAGE',
          'terminal: over HTTP it needs an address: there is no default pane there',
        )
      return remoteTerminal(checkRemoteAddress(address), readOnly, api, find)
    },
    async open(name, { cwd, ...options }) {
      if (cwd !== undefined && !cwd.startsWith('/'))
        throw new LullError('USAGE', 'open: over HTTP cwd must be a whole path on the machine of the host')
      await api.act('/v1/open', { name, ...options, ...(cwd === undefined ? {} : { cwd }) })
    },
    async end(name, force): Promise<TerminalEnd> {
      const ended = await api.act(`/v1/sessions/${encodeURIComponent(name)}/close`, { force })
      const { code, signal } = api.understood(isShaped('endedTerminal', ended) ? ended : undefined)
      return { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) }
    },
    diagnose: async () => refuseCall('diagnose'),
    run: async () => refuseCall('run'),
    loop: async () => refuseCall('loop'),
    respawn: async () => refuseCall('respawn'),
  }
}
