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
