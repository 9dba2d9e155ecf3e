/** The kernel's tables of sockets, /proc/PID/net/{tcp,tcp6,udp,udp6,unix}: those of the process's own network namespace. */

import { readText } from '../../os/proc/proc-file.ts'
import type { Target, TcpState } from '../snapshot.ts'

/** The fields of a target (process/snapshot.ts) that the table has. IPv6 as four groups of eight hexadecimal digits. */
type TcpRow = Pick<
  Extract<Target, { type: 'tcp' }>,
  'inode' | 'state' | 'local' | 'remote' | 'timer' | 'attempts' | 'sendQueue' | 'receiveQueue'
>

/** include/net/tcp_states.h, from 1. 12 is a connection that a listener has not finished yet. */
const states: readonly TcpState[] = [
  'established',
  'syn-sent',
  'syn-received',
  'fin-wait-1',
  'fin-wait-2',
  'time-wait',
  'close',
  'close-wait',
  'last-ack',
  'listen',
  'closing',
  'syn-received',
]

/** `tr` of net/ipv4/tcp_ipv4.c, get_tcp4_sock: 2 is the socket's own timer, which is keepalive once it is connected. */
const timers = ['none', 'retransmit', 'keepalive', 'time-wait', 'zero-window'] as const

/** ::ffff:0:0, before an IPv4 address that an IPv6 socket uses. */
const mappedPrefix = '00000000000000000000ffff'

/** Each group of four bytes is a number of this machine, and all machines that run this are little-endian. */
function address(hex: string): string {
  const [host = '', port = ''] = hex.split(':')
  const words = host.match(/.{8}/g) ?? []
  const bytes = words.map(word => (word.match(/../g) ?? []).reverse().join(''))
  const isMapped = bytes.length === 4 && bytes.slice(0, 3).join('').toLowerCase() === mappedPrefix
  const last = bytes.at(-1) ?? ''
  const name =
    bytes.length === 1 || isMapped
      ? (last.match(/../g) ?? []).map(byte => Number.parseInt(byte, 16)).join('.')
      : `[${bytes.join(':')}]`
  return `${name}:${Number.parseInt(port, 16)}`
}

const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields.length >= 10)

export const parseTcp = (text: string): readonly TcpRow[] =>
  rowsOf(text).map(fields => {
    const [
      ,
      local = '',
      remote = '',
      state = '',
      queues = '',
      timer = '',
      retransmits = '',
      ,
      probes = '',
      inode = '',
    ] = fields
    const kind = timers[Number.parseInt(timer, 16)] ?? 'none'
    const [send = '', receive = ''] = queues.split(':')
    return {
      inode,
      state: states[Number.parseInt(state, 16) - 1] ?? 'close',
      local: address(local),
      remote: address(remote),
      timer: kind,
      attempts: kind === 'retransmit' ? Number.parseInt(retransmits, 16) : Number(probes),
      sendQueue: Number.parseInt(send, 16),
      receiveQueue: Number.parseInt(receive, 16),
    }
  })

/** Inodes of the rows of udp and udp6. */
const parseUdp = (text: string): readonly string[] => rowsOf(text).map(fields => fields[9] ?? '')

/** Inode → listening. A row: `num: refs protocol flags type state inode path`; flag 00010000 is a listener. */
const parseUnix = (text: string): ReadonlyMap<string, boolean> =>
  new Map(
    text
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/))
      .filter(fields => fields.length >= 7)
      .map(fields => [fields[6] ?? '', fields[3] === '00010000']),
  )

export type Sockets = {
  readonly tcp: ReadonlyMap<string, TcpRow>
  readonly udp: ReadonlySet<string>
  readonly unix: ReadonlyMap<string, boolean>
  /** The row of the other end of a connection within this table; the listener's where it was not accepted yet. */
  peerOf(row: TcpRow): TcpRow | undefined
}

export function readSockets(pid: number): Sockets {
  const read = (name: string) => readText(`/proc/${pid}/net/${name}`)
  const rows = [...parseTcp(read('tcp')), ...parseTcp(read('tcp6'))]
  return {
    tcp: new Map(rows.map(row => [row.inode, row])),
    udp: new Set([...parseUdp(read('udp')), ...parseUdp(read('udp6'))]),
    unix: parseUnix(read('unix')),
    peerOf: row => peerIn(rows, row),
  }
}

const portOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
const anyHost = /^(?:0\.0\.0\.0|\[[0:]+\]):/

function peerIn(rows: readonly TcpRow[], row: TcpRow): TcpRow | undefined {
  const peer = rows.find(other => other.local === row.remote && other.remote === row.local)
  if (peer && peer.inode !== '0') return peer
  // No process has accepted it (its end has no inode yet): whoever listens there could. That the address is one of
  // this machine is known from its own end, or from a listener that names it.
  const listeners = rows.filter(
    other => other.state === 'listen' && portOf(other.local) === portOf(row.remote),
  )
  return (
    listeners.find(other => other.local === row.remote) ??
    (peer || row.remote.startsWith('127.') ? listeners.find(other => anyHost.test(other.local)) : undefined)
  )
}
