/**
 * The messages between a tmux server and its clients, as bytes: tmux-protocol.h and OpenBSD's imsg.h. Protocol 8 is that of
 * tmux 2.1 (2015) and of all since; a server looks at the version of each message, and answers `version` to any other.
 */
import { endianness } from 'node:os'

const protocolVersion = 8

/** By tmux's own numbers (`enum msgtype`); what is not here is passed over. */
export const messageType = {
  version: 12,
  identifyTerminal: 101,
  identifyTtyName: 102,
  identifyVariable: 105,
  identifyDone: 106,
  identifyPid: 107,
  identifyFolder: 108,
  identifyFlags: 111,
  command: 200,
  /** The command's exit code, and what it ends with to say, if anything. */
  exit: 203,
  exiting: 205,
  /** How tmux before 3.1 printed. */
  oldStderr: 211,
  oldStdout: 213,
  readOpen: 300,
  read: 301,
  readDone: 302,
  writeOpen: 303,
  write: 304,
  writeReady: 305,
} as const

export type Message = { readonly type: number; readonly data: Buffer }

/** tmux.h, `CLIENT_UTF8`: without it tmux prints `_` for what is not ASCII. */
const utf8 = 0x1_0000

const headerBytes = 16
/** imsg.h, `MAX_IMSGSIZE`: a message with its header. */
const mostBytes = 16_384

const isLittle = endianness() === 'LE'

/** As a C program lays them out, one after the other. */
function integers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries())
    if (isLittle) bytes.writeUInt32LE(value, 4 * index)
    else bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** @returns 0 where there is none at `offset` */
export function integerAt(data: Buffer, offset: number): number {
  if (data.length < offset + 4) return 0
  return isLittle ? data.readUInt32LE(offset) : data.readUInt32BE(offset)
}

export function encode(type: number, data: Buffer = Buffer.alloc(0)): Buffer {
  const size = Buffer.alloc(4)
  if (isLittle) size.writeUInt16LE(headerBytes + data.length)
  else size.writeUInt16BE(headerBytes + data.length)
  return Buffer.concat([integers(type), size, integers(protocolVersion, process.pid), data])
}

/** The whole messages at the beginning of the received bytes, and the rest, which is incomplete. */
export function decode(received: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer } {
  const messages: Message[] = []
  let from = 0
  while (received.length - from >= headerBytes) {
    const size = isLittle ? received.readUInt16LE(from + 4) : received.readUInt16BE(from + 4)
    if (size < headerBytes || received.length - from < size) break
    const data = received.subarray(from + headerBytes, from + size)
    messages.push({ type: integerAt(received, from), data })
    from += size
  }
  return { messages, rest: received.subarray(from) }
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`)

/**
 * Who asks, and what: a client without a terminal, so that it never attaches.
 * @param pane the pane around it, which tmux takes for the one that is meant where none is named
 */
export function request(args: readonly string[], pane: string | undefined): Buffer {
  const flags = integers(...(isLittle ? [utf8, 0] : [0, utf8]))
  return Buffer.concat([
    encode(messageType.identifyFlags, flags),
    encode(messageType.identifyTerminal, text('dumb')),
    encode(messageType.identifyTtyName, text('')),
    encode(messageType.identifyFolder, text('/')),
    encode(messageType.identifyPid, integers(process.pid)),
    ...(pane === undefined ? [] : [encode(messageType.identifyVariable, text(`TMUX_PANE=${pane}`))]),
    encode(messageType.identifyDone),
    encode(messageType.command, Buffer.concat([integers(args.length), ...args.map(text)])),
  ])
}

/** A command of which the server would not take all. */
export const isTooLong = (args: readonly string[]): boolean =>
  args.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 4) > mostBytes - headerBytes

export const exiting = (): Buffer => encode(messageType.exiting)

const badFile = 9 // EBADF, errno.h
const stdin = 0
export const stdout = 1
const stderr = 2

/** What a `readOpen`, `writeOpen` or `write` is about: tmux's number for it, and the descriptor, -1 for a path. */
export const streamOf = (data: Buffer): number => integerAt(data, 0)
export const fileOf = (data: Buffer): number => integerAt(data, 4)

/** tmux may print: it never opens a file here. @param asked the data of a `writeOpen` */
export function writeReady(asked: Buffer): Buffer {
  const isOwn = [stdout, stderr].includes(fileOf(asked))
  return encode(messageType.writeReady, integers(streamOf(asked), isOwn ? 0 : badFile))
}

/** What tmux may read: the input of the command, and no file. @param asked the data of a `readOpen` */
export function answerRead(asked: Buffer, input: Buffer | undefined): Buffer {
  const stream = streamOf(asked)
  const isOwn = fileOf(asked) === stdin && input !== undefined
  const pieces: Buffer[] = []
  const most = mostBytes - headerBytes - 4
  for (let from = 0; isOwn && from < input.length; from += most)
    pieces.push(
      encode(messageType.read, Buffer.concat([integers(stream), input.subarray(from, from + most)])),
    )
  return Buffer.concat([...pieces, encode(messageType.readDone, integers(stream, isOwn ? 0 : badFile))])
}
