/** What a TCP connection promises to a thread that waits on it. */

import type { Process, Target, Want } from '../snapshot.ts'
import { fromHolders } from './peer-source.ts'
import type { TreeIndex } from './tree-index.ts'
import type { ExternalSource, ExternalType, WakeSource } from './wait-graph.ts'

type Tcp = Extract<Target, { type: 'tcp' }>

/** Unanswered attempts from which a connection counts as not accepted; the first repetition happens to anybody. */
const fewestConnects = 2

/** Unanswered retransmissions or probes from which a peer counts as gone (docs/research/process.md#connections). */
const fewestRetries = 3

/** A connection that received its last bytes this long ago, ms, is resting: streams pause for less. */
const restAfter = 1500

/** Sources for a thread of `process` that waits for `want` on this connection. `before`: the same one in the scan before. */
export function fromTcp(
  tree: TreeIndex,
  program: Process,
  tcp: Tcp,
  want: Want,
  before: Tcp | undefined,
): readonly WakeSource[] {
  const external = (type: ExternalType, what: string): readonly ExternalSource[] => [
    { type, what, pids: (tcp.peer?.pids ?? []).filter(pid => !tree.processes.has(pid)) },
  ]
  const to = `a connection to ${tcp.remote}`
  switch (tcp.state) {
    case 'listen':
      return external('server', `clients on ${tcp.local}`)
    case 'syn-sent':
      return tcp.attempts >= fewestConnects
        ? external('unreachable', `${tcp.remote}, which has not answered ${tcp.attempts} attempts to connect`)
        : external('connecting', `${to}, which is being made`)
    default:
  }
  if (isUnanswered(tcp))
    return external('dead_peer', `${to}, which has not answered ${tcp.attempts} ${attemptsOf(tcp)}`)
  const inside = tcp.peer?.pids.filter(pid => tree.processes.has(pid)) ?? []
  if (tcp.peer && inside.length > 0) {
    const { supervisor } = tree.snapshot
    const end = {
      via: want === 'write' ? 'write' : 'read',
      what: 'a connection',
      supervisor: { type: 'network', what: `a connection to ${tree.nameOf(supervisor)}`, pids: [supervisor] },
    } as const
    return fromHolders(tree, program, tcp.peer, end)
  }
  if (isResting(tcp, before, want)) return external('resting', `${to}, which rests`)
  if (isAnswering(tcp, before)) return external('network', to)
  return external('silent', `${to}, of which a slow peer and a vanished one look the same`)
}

const isUnanswered = ({ timer, attempts }: Tcp): boolean =>
  attempts >= fewestRetries && (timer === 'retransmit' || timer === 'keepalive' || timer === 'zero-window')

const attemptsOf = ({ timer }: Tcp): string =>
  timer === 'retransmit' ? 'retransmissions' : timer === 'keepalive' ? 'keepalive probes' : 'window probes'

/** The last bytes came in, and none went out since: an idle pool, or a stream that pauses. */
const isResting = (tcp: Tcp, before: Tcp | undefined, want: Want): boolean =>
  want !== 'write' &&
  (tcp.received ?? 0) > 0 &&
  tcp.receiveQueue === 0 &&
  !hasGrown(tcp, before) &&
  tcp.sinceReceived !== undefined &&
  tcp.sinceSent !== undefined &&
  tcp.sinceReceived <= tcp.sinceSent &&
  tcp.sinceReceived > restAfter

/** There is evidence of the peer: this machine, the kernel's probes, or bytes. */
const isAnswering = (tcp: Tcp, before: Tcp | undefined): boolean =>
  isHere(tcp) || tcp.timer !== 'none' || hasGrown(tcp, before)

const hasGrown = (tcp: Tcp, before: Tcp | undefined): boolean =>
  before?.received !== undefined && tcp.received !== undefined && tcp.received > before.received

const isHere = ({ local, remote, peer }: Tcp): boolean =>
  (peer?.pids.length ?? 0) > 0 ||
  /^\[?(127\.|::1\b|::ffff:127\.)/.test(remote) ||
  host(local) === host(remote)

const host = (address: string): string => address.slice(0, address.lastIndexOf(':'))
