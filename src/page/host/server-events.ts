/**
 * Server-Sent Events of a response. `EventSource` shows neither the status of a refusal, nor that it lost its connection and waits.
 */
export type ServerEvent = { readonly id?: string; readonly kind: string; readonly data: unknown }

/**
 * A text as it arrives, cut at a separator: what is whole with each piece.
 * @param mayLackEnd the last part counts without its separator, too
 */
async function* partsIn(
  body: ReadableStream<Uint8Array>,
  separator: string,
  mayLackEnd: boolean,
): AsyncGenerator<readonly string[]> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) {
      if (mayLackEnd && rest !== '') yield [rest]
      return
    }
    const parts = (rest + value).split(separator)
    rest = parts.pop() ?? ''
    if (parts.length > 0) yield parts
  }
}

/** The events of each piece that arrives, together. One that is cut off is none. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  for await (const blocks of partsIn(body, '\n\n', false)) yield blocks.map(eventOf)
}

export function eventOf(block: string): ServerEvent {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name, text = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== undefined) fields[name] = text
  }
  const { id, event = 'message', data = 'null' } = fields
  return { ...(id === undefined ? {} : { id }), kind: event, data: JSON.parse(data) }
}

/** Lines of JSON, as they arrive. The last may lack its end. */
export async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const lines of partsIn(body, '\n', true))
    for (const line of lines) if (line !== '') yield JSON.parse(line)
}
