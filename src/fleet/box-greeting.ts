/**
 * The line with which `lull host stdio` begins, so that whoever reads it knows where a shell's own words end and the protocol
 * (HTTP/2) begins.
 */
import { LullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { protocol } from '../host/messages.ts'

export type BoxGreeting = {
  readonly protocol: number
  readonly version: string
  /** Entries of its history that it has not published in its fleet yet. */
  readonly unpublished?: number
  /** Of the sender's clocks, as it wrote the line: the monotonic one, and ms since the epoch. */
  readonly now: Instant
  readonly wall: number
}

/** Of an action: the instant, on the monotonic clock of the box, from which on it must not be begun any more. */
export const beforeHeader = 'lull-before'
/** Of the answer: it came too late, or one of both machines has slept; another connection knows the clocks again. */
export const lateMark = 'late'

const word = 'lull host stdio '

/** Bytes. What a `.bashrc` prints comes before it. */
const mostNoise = 64 * 1024

/** A line of its own, even after a text without an end of line. */
export const stdioGreeting = (greeting: BoxGreeting): string => `\n${word}${JSON.stringify(greeting)}\n`

/**
 * Takes what a box prints, until its greeting is whole: `rest` is what came after it.
 * `take` throws where too much came before it.
 */
export function greetingReader() {
  let held: Buffer = Buffer.alloc(0)
  let taken = 0
  return {
    take(piece: Buffer): { readonly greeting: BoxGreeting; readonly rest: Buffer } | undefined {
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

function readGreetingLine(line: string): BoxGreeting | undefined {
  return line.startsWith(word) ? readGreeting(parseJson(line.slice(word.length))) : undefined
}

export function readGreeting(sent: unknown): BoxGreeting | undefined {
  if (!isRecord(sent)) return undefined
  const { protocol, version, now, wall } = sent
  const areNumbers = [protocol, now, wall].every(Number.isFinite)
  return areNumbers && typeof version === 'string' ? (sent as BoxGreeting) : undefined
}

/** @throws {LullError} HOST_GONE where it is of a lull that this one does not understand */
export function checkGreeting(name: string, greeting: BoxGreeting): BoxGreeting {
  if (greeting.protocol === protocol) return greeting
  const version = oneLine(greeting.version, 40)
  throw new LullError(
    'HOST_GONE',
    `${name} has lull ${version}, which speaks protocol ${greeting.protocol}; this lull speaks ${protocol}: update the older one`,
  )
}
