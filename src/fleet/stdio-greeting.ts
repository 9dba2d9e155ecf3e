/**
 * The line with which `lull host stdio` begins, so that whoever reads it knows where a shell's own words end and the protocol
 * (HTTP/2) begins.
 */
import type { Instant } from '../core/state.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'

export type StdioGreeting = {
  readonly protocol: number
  readonly version: string
  /** Of the sender's clocks, as it wrote the line: the monotonic one, and ms since the epoch. */
  readonly now: Instant
  readonly wall: number
}

/** Of an action: the instant, on the monotonic clock of the box, from which on it must not be begun any more. */
export const beforeHeader = 'lull-before'

const word = 'lull host stdio '

/** Bytes. What a `.bashrc` prints comes before it. */
const mostNoise = 64 * 1024

/** A line of its own, even after a text without an end of line. */
export const stdioGreeting = (greeting: StdioGreeting): string => `\n${word}${JSON.stringify(greeting)}\n`

/**
 * Takes what a box prints, until its greeting is whole: `rest` is what came after it.
 * `take` throws where too much came before it.
 */
export function greetingReader() {
  let held: Buffer = Buffer.alloc(0)
  let taken = 0
  return {
    take(piece: Buffer): { readonly greeting: StdioGreeting; readonly rest: Buffer } | undefined {
      held = Buffer.concat([held, piece])
      taken += piece.length
      for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
        const greeting = readGreetingLine(held.subarray(0, end).toString('utf8'))
        held = held.subarray(end + 1)
        if (greeting) return { greeting, rest: held }
      }
      if (taken > mostNoise) throw new Error('it prints much, and no greeting of lull')
      return undefined
    },
  }
}

function readGreetingLine(line: string): StdioGreeting | undefined {
  if (!line.startsWith(word)) return undefined
  const sent = parseJson(line.slice(word.length))
  if (!isRecord(sent)) return undefined
  const { protocol, version, now, wall } = sent
  const areNumbers = [protocol, now, wall].every(Number.isFinite)
  return areNumbers && typeof version === 'string' ? (sent as StdioGreeting) : undefined
}
