/** A program's output as it comes: whole lines, or the parts of it that are kept. Any length takes bounded memory. */
import { StringDecoder } from 'node:string_decoder'
import { tailOf } from '../../core/text/code-fence.ts'
import { longestLine } from '../../core/trace/trace.ts'

/** Decodes what comes in pieces. */
export type Sink = { write(chunk: Buffer): void; end(): void }

export function textSink(take: (text: string) => void): Sink {
  const decoder = new StringDecoder('utf8')
  return {
    write: chunk => take(decoder.write(chunk)),
    end: () => take(decoder.end()),
  }
}

export type Lines = { take(text: string): void; end(): void }

/** Calls back with each line, without its end. One over the limit is cut one character past it. */
export function lineSplitter(onLine: (line: string) => void): Lines {
  let rest = ''
  const keep = (more: string): void => {
    if (rest.length <= longestLine) rest += more.slice(0, longestLine + 1 - rest.length)
  }
  const emit = (): void => {
    const line = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    rest = ''
    onLine(line)
  }
  return {
    take(text) {
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        keep(text.slice(from, at))
        emit()
        from = at + 1
      }
      if (from < text.length) keep(from === 0 ? text : text.slice(from))
    },
    end() {
      if (rest !== '') emit()
    },
  }
}

export type Kept = { take(text: string): void; text(): string }

/** Keeps the end, with its fences (`tailOf`). */
export function keepEnd(most: number): Kept {
  let kept = ''
  return {
    take(text) {
      kept += text
      // Not at every piece: what is cut off is read once.
      if (kept.length > 2 * most + text.length) kept = tailOf(kept, most)
    },
    text: () => tailOf(kept, most),
  }
}

/** Keeps the beginning and the end, and notes how much is missing between. */
export function keepEnds(most: number): Kept {
  const half = Math.floor(most / 2)
  let first = ''
  let last = ''
  let length = 0
  return {
    take(text) {
      length += text.length
      const room = half - first.length
      if (room > 0) first += text.slice(0, room)
      if (text.length > room) last += room > 0 ? text.slice(room) : text
      if (last.length > 2 * half) last = last.slice(-half)
    },
    text() {
      const end = last.slice(-half)
      const missing = length - first.length - end.length
      return missing > 0 ? `${first}\n[… ${missing} characters left out …]\n${end}` : first + end
    },
  }
}
