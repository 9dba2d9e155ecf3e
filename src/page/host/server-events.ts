/**
 * Server-Sent Events of a response. Not `EventSource`: that tells neither the status of a refusal, nor when it has lost its connection
 * and sleeps.
 */
export type ServerEvent = { readonly id?: string; readonly kind: string; readonly data: unknown }

/** The events of each piece that arrives, together. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    if (blocks.length > 0) yield blocks.map(eventOf)
  }
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

/** Lines of JSON, as they arrive. */
export async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}
