/** Open files on macOS, from `lsof -F`. Not tested on a Mac: written from lsof(8), "OUTPUT FOR OTHER PROGRAMS". */
import type { Holders, Target, TcpState } from '../snapshot.ts'

/** No names of hosts and ports looked up; process, fd, access, type, device, protocol, TCP's state and queues, name. */
export const lsofArguments = (pids: readonly number[]): readonly string[] => [
  '-nP',
  '-F',
  'pfatdPTn',
  '-p',
  pids.join(','),
]

type OpenFile = {
  readonly pid: number
  /** NaN for `cwd`, `txt` and their kin. */
  readonly fd: number
  readonly access: string
  readonly type: string
  readonly device: string
  readonly protocol: string
  readonly name: string
  readonly state: string
  readonly sendQueue: number
  readonly receiveQueue: number
}

/** Files with a number. */
export const parseLsof = (text: string): readonly OpenFile[] =>
  parseFiles(text)
    .map(([, file]) => file)
    .filter(({ fd }) => Number.isInteger(fd))

/** The folder of a process, where lsof was asked about it alone. */
export const folderOf = (text: string): string | undefined =>
  parseFiles(text).find(([name, file]) => name === 'cwd' && file.name.startsWith('/'))?.[1].name

/** A line is a field; its first letter is the field's name. `p` begins a process, `f` a file of it. */
function parseFiles(text: string): readonly (readonly [name: string, file: OpenFile])[] {
  const files: [name: string, file: OpenFile][] = []
  let pid = 0
  for (const line of text.split('\n')) {
    const value = line.slice(1)
    const last = files.at(-1)
    if (line[0] === 'p') pid = Number(value)
    else if (line[0] === 'f')
      files.push([value, { ...nothing, pid, fd: value === '' ? Number.NaN : Number(value) }])
    else if (last) last[1] = withField(last[1], line.charAt(0), value)
  }
  return files
}

const nothing = {
  access: '',
  type: '',
  device: '',
  protocol: '',
  name: '',
  state: '',
  sendQueue: 0,
  receiveQueue: 0,
}

function withField(file: OpenFile, letter: string, value: string): OpenFile {
  switch (letter) {
    case 'a':
      return { ...file, access: value }
    case 't':
      return { ...file, type: value }
    case 'd':
      return { ...file, device: value }
    case 'P':
      return { ...file, protocol: value }
    case 'n':
      return { ...file, name: value }
    case 'T':
      if (value.startsWith('ST=')) return { ...file, state: value.slice(3) }
      if (value.startsWith('QS=')) return { ...file, sendQueue: Number(value.slice(3)) }
      if (value.startsWith('QR=')) return { ...file, receiveQueue: Number(value.slice(3)) }
      return file
    default:
      return file
  }
}

const tcpStates: Readonly<Record<string, TcpState>> = {
  ESTABLISHED: 'established',
  SYN_SENT: 'syn-sent',
  SYN_RCDV: 'syn-received',
  SYN_RECEIVED: 'syn-received',
  FIN_WAIT_1: 'fin-wait-1',
  FIN_WAIT_2: 'fin-wait-2',
  TIME_WAIT: 'time-wait',
  CLOSED: 'close',
  CLOSE_WAIT: 'close-wait',
  LAST_ACK: 'last-ack',
  LISTEN: 'listen',
  CLOSING: 'closing',
}

const devices = new Set(['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'])

/** Targets of one process's files; the other ends among all files that were listed. */
export function targetsOf(pid: number, files: readonly OpenFile[]): Readonly<Record<number, Target>> {
  return Object.fromEntries(
    files.filter(file => file.pid === pid).map(file => [file.fd, target(file, files)]),
  )
}

/** What lsof may see is this user's: never whole. */
const holders = (files: readonly OpenFile[], accepts: (file: OpenFile) => boolean): Holders => ({
  pids: [...new Set(files.filter(accepts).map(({ pid }) => pid))],
  isWhole: false,
})

/** A pipe's and a unix socket's name is an arrow and the address of its other end. */
const otherEnd = ({ name }: OpenFile): string => (name.startsWith('->') ? name.slice(2) : '')

function target(file: OpenFile, files: readonly OpenFile[]): Target {
  const { type, device, name } = file
  const hasDevice = (address: string) => (other: OpenFile) => address !== '' && other.device === address
  switch (type) {
    case 'PIPE': {
      const here = holders(files, hasDevice(device))
      const there = holders(files, hasDevice(otherEnd(file)))
      return file.access === 'w'
        ? { type: 'pipe', inode: device, readers: there, writers: here }
        : { type: 'pipe', inode: device, readers: here, writers: there }
    }
    case 'unix': {
      const peer = otherEnd(file)
      return {
        type: 'unix',
        inode: device,
        isListening: false,
        ...(peer && { peer: holders(files, hasDevice(peer)) }),
      }
    }
    case 'IPv4':
    case 'IPv6':
      return file.protocol === 'TCP' ? connection(file, files) : { type: 'udp', inode: device || name }
    case 'CHR':
      if (devices.has(name)) return { type: 'device', path: name }
      return /^\/dev\/(?:tty|console)/.test(name)
        ? { type: 'tty', path: name }
        : { type: 'other', link: name }
    case 'REG':
    case 'DIR':
      return { type: 'file', path: name }
    case 'KQUEUE':
      return { type: 'other', link: 'kqueue' }
    default:
      return { type: 'other', link: name || type }
  }
}

function connection(file: OpenFile, files: readonly OpenFile[]): Target {
  const [local = '', remote = ''] = file.name.split('->')
  const peer = holders(files, other => remote !== '' && other.name === `${remote}->${local}`)
  return {
    type: 'tcp',
    inode: file.device || file.name,
    state: tcpStates[file.state] ?? 'close',
    local,
    remote,
    timer: 'none',
    attempts: 0,
    sendQueue: file.sendQueue,
    receiveQueue: file.receiveQueue,
    ...(peer.pids.length > 0 && { peer }),
  }
}
