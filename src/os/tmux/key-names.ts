/** Names of keys as tmux knows them. tmux types a word that it does not know letter by letter; here it is an error. */
import { LullError } from '../../core/lull-error.ts'

const named: readonly string[] = [
  ...['Enter', 'Escape', 'Tab', 'BTab', 'Space', 'BSpace', 'Up', 'Down', 'Left', 'Right', 'Home', 'End'],
  ...['PPage', 'PageUp', 'PgUp', 'NPage', 'PageDown', 'PgDn', 'IC', 'Insert', 'DC', 'Delete'],
  ...Array.from({ length: 12 }, (_, n) => `F${n + 1}`),
]

/** As people write them. */
const alsoCalled: ReadonlyMap<string, string> = new Map([
  ['return', 'Enter'],
  ['esc', 'Escape'],
  ['backspace', 'BSpace'],
  ['del', 'DC'],
  ['ins', 'IC'],
])

/**
 * @param word `C-c`, `M-x`, `S-Up`, `Ctrl-C`, `^C`, a name, or one character
 * @returns what tmux calls it
 * @throws {LullError} BAD_KEY
 */
export function readKey(word: string): string {
  const [, modifiers = '', key = ''] =
    /^((?:(?:C|M|S|Ctrl|Alt|Shift)-)*)(.+)$/su.exec(word.replace(/^\^(?=.$)/su, 'C-')) ?? []
  const short = modifiers.replaceAll('Ctrl', 'C').replaceAll('Alt', 'M').replaceAll('Shift', 'S')
  // tmux takes C-C for C-c with Shift, which most programs can't tell apart.
  if ([...key].length === 1) return short + (short.includes('C-') ? key.toLowerCase() : key)
  const name =
    named.find(known => known.toLowerCase() === key.toLowerCase()) ?? alsoCalled.get(key.toLowerCase())
  if (name !== undefined) return short + name
  throw new LullError(
    'BAD_KEY',
    `"${word}" is no key: keys are C-c, M-x, S-Up, a character, or one of ${named.slice(0, 12).join(', ')}, PageUp, PageDown, Insert, Delete, F1 to F12; lull send types text`,
  )
}
