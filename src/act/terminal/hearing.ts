/**
 * What a pane has printed since somebody wanted to know. tmux passes it on to one listener only: where that is another
 * one, the screens that are captured tell what is new, and marks that programs print in passing go by unheard.
 */
import { StringDecoder } from 'node:string_decoder'
import type { Instant } from '../../core/state.ts'
import type { Captured } from '../../sense/terminal/capture.ts'
import type { Ear } from '../../sense/terminal/ear.ts'
import type { StreamMarks } from '../../sense/terminal/probed.ts'
import { hearPane } from '../../sense/terminal/shared-ear.ts'
import { newStream, readStream, type Stream } from '../../sense/terminal/stream.ts'

export type Hearing = {
  /** Resolves once all that is printed from then on is heard, or can't be. */
  open(): Promise<void>
  /** Resolves to true once all that was printed before has been heard; to false where nothing is. */
  flush(): Promise<boolean>
  /** Hears all that the pane prints from now on. @returns the way to stop */
  listen(printed: (text: string) => void): () => void
  /** To be told of each capture. */
  captured(capture: Captured): void
  /** Bytes so far. */
  count(): number
  /** Undefined where nothing is heard. */
  marks(): StreamMarks | undefined
  /** The last output; where nothing is heard, when the screen was first seen as it is. */
  lastStir(): Instant
  close(): Promise<void>
}

/** It is lost where lull can't keep up with a flood, or has no helper: tried again no sooner. ms */
const againMs = 1000

/** @param stirred called when something was heard, or nothing is any more */
export function hearing(socket: string, pane: string, stirred: () => void): Hearing {
  const listeners = new Set<(text: string) => void>()
  let decoder = new StringDecoder('utf8')
  let stream: Stream | undefined
  let ear: Ear | undefined
  let [count, lostAt, isClosed] = [0, -Infinity, false]
  let [shown, changedAt] = ['', performance.now()]
  let known: Set<string> | undefined

  function open(): Promise<boolean> {
    const isNew = ear === undefined
    ear ??= hearPane(socket, pane, { heard, lost })
    if (isNew) {
      decoder = new StringDecoder('utf8')
      stream = newStream(performance.now())
    }
    return ear.opened
  }

  function heard(bytes: Buffer): void {
    if (isClosed || !stream) return
    count += bytes.length
    const text = decoder.write(bytes)
    stream = readStream(stream, text, performance.now())
    for (const printed of listeners) printed(text)
    stirred()
  }

  function lost(): void {
    lostAt = performance.now()
    stream = undefined
    ear = undefined
    stirred()
  }

  return {
    async open() {
      if (!isClosed) await open()
    },
    flush: async () => (await ear?.flush()) === true,
    listen(printed) {
      listeners.add(printed)
      if (!isClosed) void open()
      return () => void listeners.delete(printed)
    },
    captured({ facts, screen, lines }) {
      const text = JSON.stringify(screen)
      if (text !== shown) [shown, changedAt] = [text, performance.now()]
      const fresh = known ? lines.filter(line => !known?.has(line)) : []
      known = new Set([...(known ?? []), ...lines].slice(-mostKnown))
      if (stream) return
      if (fresh.length > 0) for (const printed of listeners) printed(`${fresh.join('\n')}\n`)
      const isDue = performance.now() - lostAt >= againMs
      if (listeners.size > 0 && !facts.isPiped && !isClosed && isDue) void open()
    },
    count: () => count,
    marks: () => stream?.marks,
    lastStir: () => stream?.marks.lastOutput ?? changedAt,
    async close() {
      isClosed = true
      await ear?.close()
    },
  }
}

/** Lines of captures: some screens of them. */
const mostKnown = 1000
