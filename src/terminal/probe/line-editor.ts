/**
 * The text of the line that a program edits, and whether a key would be inserted there: readline (bash, gdb, psql, sqlite3,
 * Python up to 3.12) and zsh keep both in variables with public names (readline.h; zle_main.c). No prompt misleads that.
 */
import type { TerminalProcess } from './probed.ts'
import { isOwn, type Variables, variablesOf } from './variables.ts'

export type LineEditor = {
  /** The whole line, text right of the cursor included. */
  readonly line: string
  /** What it takes the next key for, where it does not insert it. */
  readonly busy?: string
}

/** Undefined where nothing is edited now, or that is not known. */
export function lineEditor(process: TerminalProcess): LineEditor | undefined {
  if (!isOwn(process)) return undefined
  for (const { file, read } of editors) {
    const found = read(variablesOf(process, file))
    if (found) return found
  }
  return undefined
}

/** A longer line was not typed. */
const longestLine = 4 * 1024 * 1024

/** RL_STATE_TERMPREPPED (readline.h): it has the terminal as it wants it while it edits. */
const prepared = 0x4

/** RL_STATE_READCMD: it reads a key at its top. What bash was interrupted in (Ctrl-C) leaves its bits behind then. */
const readsCommand = 0x8
/** RL_STATE_CALLBACK: gdb and Python pass keys one by one, and no bit shows that a key is read. */
const isFed = 0x80000

/** The bits RL_STATE_… of readline.h that are set while a key is something else than text. */
const busyStates: readonly (readonly [bits: number, what: string])[] = [
  [0x80 | 0x100 | 0x200, 'a history search'],
  [0x400, 'a numeric argument'],
  // METANEXT, MOREINPUT, VIMOTION, MULTIKEY, CHARSEARCH
  [0x10 | 0x40 | 0x100000 | 0x200000 | 0x800000, 'the rest of a key sequence'],
  // DISPATCHING, MACROINPUT, COMPLETING, and READSTR of 8.3
  [0x20 | 0x800 | 0x4000 | 0x10000000, 'a command of its own'],
]

function readline({ int, pointer, address, bytes }: Variables): LineEditor | undefined {
  const [length, state] = [int('rl_end'), int('rl_readline_state')]
  if (length === undefined || state === undefined || (state & prepared) === 0) return undefined
  const text = pointer('rl_line_buffer')
  if (length < 0 || length > longestLine || text === undefined) return undefined
  const line = bytes(text, length)?.toString()
  if (line === undefined) return undefined
  // rl_editing_mode 0 is vi.
  const keymap = int('rl_editing_mode') === 0 ? pointer('_rl_keymap') : undefined
  const isAtTop = (state & readsCommand) !== 0
  const below = busyStates.find(([bits]) => (state & bits) !== 0)?.[1]
  const busy =
    (isAtTop ? undefined : (below ?? ((state & isFed) === 0 ? 'a command of its own' : undefined))) ??
    // What waits for another key is a function then.
    (pointer('_rl_callback_func') ? 'the rest of a key sequence' : undefined) ??
    (int('rl_num_chars_to_read') ? 'an answer of so many keys' : undefined) ??
    (keymap !== undefined && keymap === address('vi_movement_keymap') ? "vi's commands" : undefined)
  return { line, ...(busy === undefined ? {} : { busy }) }
}

/** zle_keymap.c: the keymaps in which letters are inserted. */
const inserts: ReadonlySet<string> = new Set(['main', 'emacs', 'viins', '.safe'])
const longestName = 64

function zle({ int, pointer, address, bytes }: Variables): LineEditor | undefined {
  const [length, active] = [int('zlell'), int('zleactive')]
  if (length === undefined || !active) return undefined
  const text = pointer('zleline')
  if (length < 0 || length > longestLine || text === undefined) return undefined
  // A wchar_t each.
  const characters = bytes(text, length * 4)
  if (characters === undefined) return undefined
  const line = Array.from({ length }, (_, n) => toCharacter(characters.readUInt32LE(n * 4))).join('')
  const name = pointer('curkeymapname')
  const keymap = name && bytes(name, longestName)?.toString('latin1').split('\0')[0]
  const modifiers = address('zmod')
  const busy =
    (pointer('statusline') || int('isearch_active') ? 'a search, or a name below its line' : undefined) ??
    (int('keybuflen') || pointer('localkeymap') ? 'the rest of a key sequence' : undefined) ??
    ((modifiers && bytes(modifiers, 4)?.readInt32LE(0)) || int('prefixflag')
      ? 'a numeric argument'
      : undefined) ??
    (keymap !== undefined && !inserts.has(String(keymap)) ? `the keys of ${keymap}` : undefined)
  return { line, ...(busy === undefined ? {} : { busy }) }
}

const toCharacter = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

const editors = [
  { file: /^zle\.so$/, read: zle },
  { file: /^libreadline\.so/, read: readline },
] as const
