/** Lines of a file, read in pieces. A line of any length takes bounded memory; torn UTF-8 becomes U+FFFD. */
import { closeSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { constants, gunzipSync } from 'node:zlib'
import { longestLine } from '../../core/trace/trace.ts'
import { openPlain, readPlain } from './plain-file.ts'

/** Lines of a stream, one at a time as they come: whoever asks for the next one is waited for. */

/** `text` is missing where the line is too long: what it holds is passed over. */
export type StreamLine = { readonly number: number; readonly text?: string }

const lineFeed = 10

/** @param most the bytes that a line may have; no more are kept */
export async function* streamLines(
  chunks: AsyncIterable<Buffer | string>,
  most: number,
): AsyncGenerator<StreamLine> {
  let parts: Buffer[] = []
  let length = 0
  let number = 1
  const add = (part: Buffer): void => {
    length += part.length
    if (length > most) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const take = (): StreamLine => {
    const line =
      length > most ? { number } : { number, text: Buffer.concat(parts).toString('utf8').replace(/\r$/, '') }
    ;[parts, length] = [[], 0]
    number++
    return line
  }
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
      add(bytes.subarray(from, at))
      yield take()
      from = at + 1
    }
    // A copy: a line that is left open would keep all of its chunk.
    add(Buffer.from(bytes.subarray(from)))
  }
  if (length > 0) yield take()
}

const pieceSize = 256 * 1024
/** A packed file is unpacked whole: the largest recorded one is 20 MB. One that is cut off is read as far as it goes. */
const largestUnpacked = 64 * 1024 * 1024
/** Days of a terminal's output; a hole of terabytes would be read for as long. */
const largestPlain = 4 * 1024 * 1024 * 1024

/** A line with the byte offset of its end. */
export type Line = { readonly text: string; readonly end: number }

/** The lines of a file, plain or packed (`.gz`). A line over the limit is cut one character past it. */
export function* readLines(path: string, most = largestPlain): Generator<Line> {
  yield* splitLines(
    path.endsWith('.gz')
      ? [
          gunzipSync(readPlain(path, { most: largestUnpacked }), {
            maxOutputLength: largestUnpacked,
            finishFlush: constants.Z_SYNC_FLUSH,
          }),
        ]
      : pieces(path, most),
  )
}

function* pieces(path: string, most: number): Generator<Buffer> {
  const file = openPlain(path, { most })
  try {
    const buffer = Buffer.alloc(pieceSize)
    for (;;) {
      const size = readSync(file, buffer)
      if (size === 0) return
      yield buffer.subarray(0, size)
    }
  } finally {
    closeSync(file)
  }
}

export function* splitLines(chunks: Iterable<Buffer>): Generator<Line> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let offset = 0
  for (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      text = keep(text, decoder.write(chunk.subarray(from, at)))
      yield { text, end: offset + at + 1 }
      text = ''
      from = at + 1
    }
    text = keep(text, decoder.write(chunk.subarray(from)))
    offset += chunk.length
  }
  text = keep(text, decoder.end())
  if (text !== '') yield { text, end: offset }
}

const keep = (text: string, more: string): string =>
  text.length > longestLine ? text : (text + more).slice(0, longestLine + 1)
