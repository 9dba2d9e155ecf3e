/** What tmux tells a control client, line by line: `%output %3 text`, with bytes that are no plain text in octal. */

export type ControlLine =
  | { readonly type: 'output'; readonly pane: string; readonly bytes: Buffer }
  /** Sessions came or went on this server. */
  | { readonly type: 'sessions-changed' }
  | { readonly type: 'exit' }

/** @param line as latin1, so that each byte is a character; without its line end */
export function readControlLine(line: string): ControlLine | undefined {
  const [, pane, text] = /^%output (%\d+) (.*)$/s.exec(line) ?? []
  if (pane !== undefined && text !== undefined) return { type: 'output', pane, bytes: bytesOf(text) }
  if (line === '%sessions-changed') return { type: 'sessions-changed' }
  return /^%exit\b/.test(line) ? { type: 'exit' } : undefined
}

/** tmux writes bytes below 32 and the backslash as three octal digits. */
function bytesOf(text: string): Buffer {
  const plain = text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8) & 0xff),
  )
  return Buffer.from(plain, 'latin1')
}
