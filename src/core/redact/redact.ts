/**
 * Takes secrets out of text that leaves the machine. It knows what common secrets look like; one that looks like any
 * other word it can't know, so a recording is still worth a look before it is published.
 */
import { findSecrets } from './find-secrets.ts'
import type { Span } from './span.ts'

const redacted = '[redacted]'

/** The text with `[redacted]` in the place of every secret that it knows. JSON stays JSON, in strings of JSON too. */
export const redact = (text: string): string => redactAll([text])[0] as string

/** Redacts texts that follow each other: a secret that is cut between them is taken out of each. */
export function redactAll(texts: readonly string[]): string[] {
  const spans = merged(findSecrets(texts.join('')))
  let begin = 0
  let next = 0
  return texts.map(text => {
    const end = begin + text.length
    let clean = ''
    let from = begin
    for (let span = spans[next]; span && span.start < end; span = spans[next]) {
      if (span.start >= from) clean += text.slice(from - begin, span.start - begin)
      if (span.start >= begin) clean += span.isNumber ? '0' : redacted
      from = Math.min(span.end, end)
      if (span.end > end) break
      next++
    }
    clean += text.slice(from - begin)
    begin = end
    return clean
  })
}

function merged(spans: Span[]): Span[] {
  const out: Span[] = []
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (!last || span.start >= last.end) out.push(span)
    else if (span.end > last.end) out[out.length - 1] = { start: last.start, end: span.end }
  }
  return out
}
