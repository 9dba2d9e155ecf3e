/**
 * What /proc/net does not tell of a socket, asked of the kernel one socket at a time (sock_diag(7)): the other end of a
 * unix socket, and a TCP connection's counters. For lull's own network namespace only. No privilege is needed.
 */
import { closeSync } from 'node:fs'
import { libc } from '../../os/native/libc.ts'

const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16
const SOCK_RAW = 3
const SOCK_CLOEXEC = 0o2000000
const NETLINK_SOCK_DIAG = 4
const MSG_DONTWAIT = 0x40
const SOCK_DIAG_BY_FAMILY = 20
const NLM_F_REQUEST = 1
const NLMSG_ERROR = 2
/** linux/unix_diag.h */
const UDIAG_SHOW_PEER = 4
const UNIX_DIAG_PEER = 2
/** linux/inet_diag.h; the mask's bit is one below the attribute's number. */
const INET_DIAG_INFO = 2
const IPPROTO_TCP = 6
const noCookie = 0xffff_ffff
const headerLength = 16
const unixMessageLength = 16
const inetMessageLength = 72

/** Whether the kernel answers at all: for a socket that does not exist it returns an error (NLMSG_ERROR, ENOENT). */
export function answersForSockets(): boolean {
  const answer = exchange(unixRequest(0xffff_fffe))
  return answer !== undefined && answer.readUInt16LE(4) === NLMSG_ERROR && answer.readInt32LE(16) === -2
}

/** The answer to one request, header and all; undefined for an error. */
function ask(body: Buffer): Buffer | undefined {
  const answer = exchange(body)
  return answer?.readUInt16LE(4) === SOCK_DIAG_BY_FAMILY ? answer : undefined
}

function exchange(body: Buffer): Buffer | undefined {
  const calls = libc()
  if (!calls) return undefined
  const fd = calls.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)
  if (fd < 0) return undefined
  try {
    const header = Buffer.alloc(headerLength)
    header.writeUInt32LE(headerLength + body.length, 0)
    header.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4)
    header.writeUInt16LE(NLM_F_REQUEST, 6)
    const message = Buffer.concat([header, body])
    if (calls.send(fd, message, message.length, 0) !== message.length) return undefined
    const answer = Buffer.alloc(8192)
    // The kernel answers within send: nothing is waited for.
    const length = Number(calls.recv(fd, answer, answer.length, MSG_DONTWAIT))
    return length >= headerLength + 4 ? answer.subarray(0, length) : undefined
  } finally {
    closeSync(fd)
  }
}

/** struct rtattr: length with these 4 bytes, type, value; aligned to 4. */
function attribute(answer: Buffer, from: number, type: number): Buffer | undefined {
  for (let at = from; at + 4 <= answer.length; ) {
    const length = answer.readUInt16LE(at)
    if (length < 4) return undefined
    if (answer.readUInt16LE(at + 2) === type) return answer.subarray(at + 4, at + length)
    at += (length + 3) & ~3
  }
  return undefined
}

/** struct unix_diag_req: family, protocol, padding, states, inode, what to show, cookie. */
function unixRequest(inode: number): Buffer {
  const request = Buffer.alloc(24)
  request.writeUInt8(AF_UNIX, 0)
  request.writeUInt32LE(0xffff_ffff, 4)
  request.writeUInt32LE(inode, 8)
  request.writeUInt32LE(UDIAG_SHOW_PEER, 12)
  request.writeUInt32LE(noCookie, 16)
  request.writeUInt32LE(noCookie, 20)
  return request
}

/** The inode of the other end; undefined where it has none, or can't be asked for. */
export function unixPeer(inode: string): string | undefined {
  const answer = ask(unixRequest(Number(inode)))
  const peer = answer && attribute(answer, headerLength + unixMessageLength, UNIX_DIAG_PEER)
  return peer && String(peer.readUInt32LE(0))
}

type TcpCounts = {
  readonly sent: number
  readonly received: number
  /** ms */
  readonly sinceSent: number
  readonly sinceReceived: number
}

/** Host and port of `127.0.0.1:80` or `[group:group:group:group]:80`, in the byte order of the network. */
function endpoint(name: string): { readonly family: number; readonly host: Buffer; readonly port: number } {
  const at = name.lastIndexOf(':')
  const host = name.slice(0, at)
  const port = Number(name.slice(at + 1))
  return host.startsWith('[')
    ? { family: AF_INET6, host: Buffer.from(host.replaceAll(/[[\]:]/g, ''), 'hex'), port }
    : { family: AF_INET, host: Buffer.from(host.split('.').map(Number)), port }
}

/** struct inet_diag_req_v2, exact: family, protocol, ext, padding, states, ports, addresses, interface, cookie. */
export function tcpCounts(local: string, remote: string): TcpCounts | undefined {
  const [here, there] = [endpoint(local), endpoint(remote)]
  const request = Buffer.alloc(56)
  request.writeUInt8(here.family, 0)
  request.writeUInt8(IPPROTO_TCP, 1)
  request.writeUInt8(1 << (INET_DIAG_INFO - 1), 2)
  request.writeUInt32LE(0xffff_ffff, 4)
  request.writeUInt16BE(here.port, 8)
  request.writeUInt16BE(there.port, 10)
  here.host.copy(request, 12)
  there.host.copy(request, 28)
  request.writeUInt32LE(noCookie, 48)
  request.writeUInt32LE(noCookie, 52)
  const answer = ask(request)
  const info = answer && attribute(answer, headerLength + inetMessageLength, INET_DIAG_INFO)
  // struct tcp_info: tcpi_bytes_sent, its field at 200, came with Linux 4.19.
  if (!info || info.length < 208) return undefined
  return {
    sinceSent: info.readUInt32LE(44),
    sinceReceived: info.readUInt32LE(52),
    received: Number(info.readBigUInt64LE(128)),
    sent: Number(info.readBigUInt64LE(200)),
  }
}
