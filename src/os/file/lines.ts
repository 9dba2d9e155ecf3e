/** Lines of a file, read in pieces. A line of any length takes bounded memory; torn UTF-8 becomes U+FFFD. */
import { closeSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { constants, gunzipSync } from 'node:zlib'
import { longestLine } from '../../core/trace/trace.ts'
import { openPlain, readPlain } from './plain-file.ts'

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
