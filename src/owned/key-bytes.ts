/**
 * What a key sends to a program, as xterm does it (ctlseqs, "PC-Style Function Keys"). Pure.
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
import { LullError } from '../core/lull-error.ts'
import type { InputModes } from './emulator/emulator.ts'

/** Cursor keys: `CSI A`, `SS3 A` where the program asked for application keys, `CSI 1;2A` with modifiers. */
const cursorKeys: Readonly<Record<string, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  Home: 'H',
  End: 'F',
}
/** `SS3 P`, `CSI 1;2P` with modifiers. */
const firstFunctionKeys: Readonly<Record<string, string>> = { F1: 'P', F2: 'Q', F3: 'R', F4: 'S' }
/** `CSI 5~`, `CSI 5;2~` with modifiers. */
const numberedKeys: Readonly<Record<string, number>> = {
  ...{ IC: 2, Insert: 2, DC: 3, Delete: 3, PPage: 5, PageUp: 5, PgUp: 5, NPage: 6, PageDown: 6, PgDn: 6 },
  ...{ F5: 15, F6: 17, F7: 18, F8: 19, F9: 20, F10: 21, F11: 23, F12: 24 },
}
const plainKeys: Readonly<Record<string, string>> = {
  Enter: '\r',
  Escape: '\u001b',
  Tab: '\t',
  BTab: '\u001b[Z',
  Space: ' ',
  BSpace: '\u007f',
}

/**
 * @param key as tmux calls it (`readKey`): `C-c`, `M-x`, `S-Up`, `Enter`, a character
 * @throws {LullError} BAD_KEY where no terminal sends such a key
 */
export function keyBytes(key: string, { isApplicationCursor }: InputModes): string {
  const [, modifiers = '', name = ''] = /^((?:[CMS]-)*)(.+)$/su.exec(key) ?? []
  const [control, meta, shift] = ['C-', 'M-', 'S-'].map(one => modifiers.includes(one))
  const modified = 1 + (shift ? 1 : 0) + (meta ? 2 : 0) + (control ? 4 : 0)
  const cursor = cursorKeys[name]
  if (cursor !== undefined)
    return modified > 1
      ? `\u001b[1;${modified}${cursor}`
      : `\u001b${isApplicationCursor ? 'O' : '['}${cursor}`
  const first = firstFunctionKeys[name]
  if (first !== undefined) return modified > 1 ? `\u001b[1;${modified}${first}` : `\u001bO${first}`
  const number = numberedKeys[name]
  if (number !== undefined) return modified > 1 ? `\u001b[${number};${modified}~` : `\u001b[${number}~`
  if (shift && name === 'Tab') return meta ? '\u001b\u001b[Z' : '\u001b[Z'
  const plain = plainKeys[name] ?? name
  const typed = control ? controlOf(plain, key) : shift ? plain.toUpperCase() : plain
  return meta ? `\u001b${typed}` : typed
}

/** `C-a` is 1, `C-[` 27, `C-Space` 0, `C-?` 127. */
function controlOf(character: string, key: string): string {
  if (character === ' ' || character === '@') return '\u0000'
  if (character === '?') return '\u007f'
  if (/^[a-z[\\\]^_]$/i.test(character))
    return String.fromCharCode(character.toUpperCase().charCodeAt(0) & 31)
  if (['\r', '\t', '\u001b', '\u007f'].includes(character)) return character
  throw new LullError(
    'BAD_KEY',
    `"${key}" is no key that a terminal sends: C- goes with letters and @ [ \\ ] ^ _ ?`,
  )
}
