/**
 * Operating system commands in a terminal stream, found across chunk borders. Only the sequences that tell a state are
 * returned; text never is, so nothing that a model prints can be taken for one unless it reaches the terminal raw.
 */

/** `code` 0 and 2 titles, 7501 program status, 9 progress or notice, 777 notice; 7 is a BEL. */
export type Osc = { readonly code: 0 | 2 | 7 | 9 | 777 | 7501; readonly text: string }

export const isTitle = ({ code }: Osc): boolean => code === 0 || code === 2

/** Whether an OSC 9;4 shows or clears a progress bar; undefined for any other command. */
export function progressOf({ code, text }: Osc): 'shown' | 'cleared' | undefined {
  if (code !== 9 || !text.startsWith('4;')) return undefined
  return /^4;[13]/.test(text) ? 'shown' : 'cleared'
}

const wanted: ReadonlySet<number> = new Set([0, 2, 9, 777, 7501])
/** A longer command is no title and no status. */
const longest = 4096

const ESC = 0x1b
const BEL = 0x07
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d

/** The part of a stream that may still become a command. Bounded. */
export type OscRest = string

/** Finds the commands of a chunk. Commands inside tmux's passthrough (`ESC P tmux;`) are found like bare ones. */
export function scanOsc(
  rest: OscRest,
  chunk: string,
): { readonly found: readonly Osc[]; readonly rest: OscRest } {
  const stream = rest + chunk
  const found: Osc[] = []
  let at = 0
  for (;;) {
    const start = nextOf(stream, at)
    if (start < 0) return { found, rest: stream.endsWith('\u001b') ? '\u001b' : '' }
    if (stream.charCodeAt(start) === BEL) {
      found.push({ code: 7, text: '' })
      at = start + 1
      continue
    }
    const end = endOf(stream, start + 2)
    if (end < 0) {
      const open = stream.slice(start)
      return { found, rest: open.length > longest ? '' : open }
    }
    const command = readCommand(stream.slice(start + 2, end))
    if (command) found.push(command)
    at = skipTerminator(stream, end)
  }
}

/** The next `ESC ]` or lone BEL. */
function nextOf(stream: string, from: number): number {
  for (let i = from; i < stream.length; i++) {
    const c = stream.charCodeAt(i)
    if (c === BEL) return i
    if (c === ESC && stream.charCodeAt(i + 1) === CLOSE_BRACKET) return i
  }
  return -1
}

function endOf(stream: string, from: number): number {
  for (let i = from; i < stream.length; i++) {
    const c = stream.charCodeAt(i)
    if (c === BEL || c === ESC) return c === ESC && i + 1 >= stream.length ? -1 : i
  }
  return -1
}

function skipTerminator(stream: string, end: number): number {
  if (stream.charCodeAt(end) === BEL) return end + 1
  return stream.charCodeAt(end + 1) === BACKSLASH ? end + 2 : end
}

function readCommand(body: string): Osc | undefined {
  if (body.length > longest) return undefined
  const semicolon = body.indexOf(';')
  const code = Number(semicolon < 0 ? body : body.slice(0, semicolon))
  if (semicolon < 0 || !wanted.has(code)) return undefined
  return { code: code as Osc['code'], text: body.slice(semicolon + 1) }
}
