/** Judges a recording in a process of its own (`lull film`): neither the time nor the memory of the host is spent on it. */
import { spawn } from 'node:child_process'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import { ownProgram } from '../../os/spawn/own-program.ts'

/** As bytes of JSON, which are sent as they are. */
export type KeptFilm = {
  readonly film: Buffer<ArrayBuffer>
  readonly pieces: readonly { readonly from: number; readonly bytes: Buffer<ArrayBuffer> }[]
  readonly size: number
}

type JudgeLimits = {
  /** ms */
  readonly time: number
  /** MB of JavaScript */
  readonly memory: number
  /** Bytes of what it prints */
  readonly output: number
}
export const judgeLimits: JudgeLimits = { time: 60_000, memory: 384, output: 16 * 1024 * 1024 }

/**
 * @param fd of the recording
 * @throws {LullError} of the recording, or NOT_PLAYED
 */
export function judgeRecording(
  fd: number,
  signal: AbortSignal,
  limits: JudgeLimits = judgeLimits,
): Promise<KeptFilm> {
  const words = [`--max-old-space-size=${limits.memory}`, ownProgram, 'film']
  const child = spawn(process.execPath, words, { stdio: [fd, 'pipe', 'ignore'], cwd: '/' })
  const printed: Buffer[] = []
  let size = 0
  let why: string | undefined
  const end = (reason: string): void => {
    why ??= reason
    child.kill('SIGKILL')
  }
  const late = setTimeout(() => end(`it takes more than ${limits.time / 1000} s to judge it`), limits.time)
  const leave = (): void => end('the API is closed')
  signal.addEventListener('abort', leave)
  child.stdout?.on('data', (bytes: Buffer) => {
    size += bytes.length
    if (size > limits.output) end('its screen is too large to be shown')
    else printed.push(bytes)
  })
  return new Promise<KeptFilm>((resolve, reject) => {
    const notPlayed = (sentence: string) => reject(new LullError('NOT_PLAYED', sentence))
    child.once('error', () => notPlayed('no process can be started that judges it'))
    child.once('close', (code, signal) => {
      if (why !== undefined) return notPlayed(why)
      try {
        resolve(keptFilm(Buffer.concat(printed), whyNone(code, signal)))
      } catch (error) {
        reject(error)
      }
    })
  }).finally(() => {
    clearTimeout(late)
    signal.removeEventListener('abort', leave)
  })
}

const lineFeed = 10

/** What ends by another signal than those that are sent ended itself: so V8 does where its heap is full. */
const whyNone = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal !== null && !/^SIG(KILL|TERM|HUP|INT)$/.test(signal)
    ? 'it takes too much memory to judge it'
    : `the process that judged it ended: ${signal ?? `code ${code}`}`

/**
 * @param bytes of `lull film`
 * @param otherwise why, where these are none
 */
export function keptFilm(bytes: Buffer<ArrayBuffer>, otherwise = 'it printed no film'): KeptFilm {
  const lines: Buffer<ArrayBuffer>[] = []
  for (let from = 0, at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
    lines.push(bytes.subarray(from, at))
    from = at + 1
  }
  const [index, film, ...pieces] = lines
  const read = parseJson(index?.toString('utf8') ?? '')
  if (isRecord(read) && isRecord(read.error)) {
    const { code, message } = read.error
    throw new LullError(codeOf(code), oneLine(String(message), 300))
  }
  const begins = isRecord(read) && Array.isArray(read.pieces) ? read.pieces : undefined
  if (!film || begins?.length !== pieces.length) throw new LullError('NOT_PLAYED', otherwise)
  return { film, size: bytes.length, pieces: pieces.map((bytes, n) => ({ from: Number(begins[n]), bytes })) }
}

const codes = ['NOT_A_TRACE', 'FUTURE_VERSION', 'UNKNOWN_AGENT', 'NOT_A_FILE'] as const
const codeOf = (text: unknown) => codes.find(code => code === text) ?? 'NOT_A_TRACE'
