/** What a program wants that reads the terminal with echo and lines both on or both off: the kernel knows that it reads, its prompt says why. Pure. */
import type { State, WaitingFor } from '../../core/state.ts'
import {
  type Probe,
  readingOf,
  type TerminalProcess,
  type TerminalRead,
  type Termios,
} from '../probe/probed.ts'
import type { Learned } from './learned.ts'
import {
  command,
  input,
  isAlternate,
  missingQuiet,
  type PartialVerdict,
  partialBy,
} from './partial-verdict.ts'
import { asksFor } from './prompts.ts'
import { isNamedPrompt, replOf } from './repls.ts'
import { beforeCursor, isFreshLine } from './screen-text.ts'
import { shellVerdict } from './shell-classify.ts'
import { programName, readsAsAtPrompt, shellOf } from './shells.ts'

/** A program that waits for more than keys draws while it works; one that asks is quiet. */
const manyQuietMs = 300

export function readerVerdict(
  probe: Probe,
  learned: Learned,
  reader: TerminalProcess,
  termios: Termios,
): PartialVerdict {
  const call = readingOf(reader) as TerminalRead
  const shell = shellOf(reader)
  if (shell?.isInteractive && readsAsAtPrompt(shell.name, termios, call)) {
    return shellVerdict(probe, learned, reader, shell.name, call)
  }
  if (!termios.canonical) {
    const kind = screenKind(reader)
    if (kind)
      return partialBy(reader, { kind: 'waiting', for: kind }, 'proven', `is a ${kind} and reads keys`)
    if (isAlternate(probe)) {
      return partialBy(
        reader,
        { kind: 'waiting', for: 'keypress' },
        'proven',
        'fills the screen and reads keys',
      )
    }
  }
  const text = probe.screen && beforeCursor(probe.screen)
  if (shell === undefined) {
    const claim = replClaim(probe, learned, reader, call, text)
    if (claim) return claim
  }
  const reads = termios.canonical ? 'reads a line' : 'reads keys'
  // Its event loop watches the terminal beside other things: that alone is no question.
  const isMany = !termios.canonical && (call.others > 0 || call.isTimed || call.name.startsWith('epoll'))
  if (isMany) {
    const busy = busyClaim(probe, reader)
    if (busy) return busy
  }
  return partialBy(reader, { kind: 'waiting', for: asksFor(text) }, isMany ? 'seen' : 'proven', reads)
}

/** Undefined where it is no REPL, or not at its prompt. */
function replClaim(
  probe: Probe,
  learned: Learned,
  reader: TerminalProcess,
  call: TerminalRead,
  text: string | undefined,
): PartialVerdict | undefined {
  const repl = replOf(reader)
  const known = learned.idle.find(({ pid }) => pid === reader.pid)
  const idle: State = { kind: 'idle', at: 'repl' }
  if (text === undefined) return undefined
  if (known?.prompt !== undefined && known.prompt.trim() !== '' && text.startsWith(known.prompt)) {
    return partialBy(reader, idle, 'seen', 'reads at the prompt that it was idle at before')
  }
  if (repl?.prompt.test(text)) return partialBy(reader, idle, 'seen', 'reads at its prompt')
  if (repl?.continuation?.test(text)) {
    return { ...partialBy(reader, input, 'seen', 'wants the rest of what was begun'), isContinuation: true }
  }
  if (repl || !isNamedPrompt(text, reader)) return undefined
  const quiet = missingQuiet(probe, manyQuietMs)
  // Nobody knows this program; that it is quiet at something like a prompt is all there is.
  if (quiet !== undefined) return { ...running(reader, 'may be at its prompt'), observeAgainIn: quiet }
  return partialBy(reader, idle, 'inferred', `reads at a prompt (${call.name})`)
}

/** It draws still, or shows nothing that somebody could answer. */
function busyClaim(probe: Probe, reader: TerminalProcess): PartialVerdict | undefined {
  if (probe.screen && isFreshLine(probe.screen)) {
    return { ...running(reader, 'watches the keys beside its work, and asks nothing'), tier: 'seen' }
  }
  const quiet = missingQuiet(probe, manyQuietMs)
  if (quiet === undefined) return undefined
  return { ...running(reader, 'watches the keys beside its work'), observeAgainIn: quiet }
}

const running = (reader: TerminalProcess, why: string): PartialVerdict =>
  partialBy(reader, command, 'inferred', why)

/** Programs that fill the screen or read keys by what they wait for. */
const screenKinds: readonly (readonly [WaitingFor, readonly string[]])[] = [
  [
    'pager',
    ['less', 'more', 'most', 'man', 'pager', 'pg', 'lv', 'w3m', 'bat', 'delta', 'info', 'moar', 'ov'],
  ],
  [
    'editor',
    [
      'vim',
      'vi',
      'nvim',
      'view',
      'vimdiff',
      'nano',
      'pico',
      'emacs',
      'emacsclient',
      'micro',
      'helix',
      'hx',
      'joe',
      'mcedit',
      'ne',
      'kak',
      'mg',
      'jed',
      'zile',
    ],
  ],
  // Monitors draw by themselves, and take single keys.
  ['keypress', ['top', 'htop', 'btop', 'atop', 'iotop', 'iftop', 'nvtop', 'glances', 'ncdu', 'tig', 'mc']],
  ['dialog', ['dialog', 'whiptail', 'gum', 'fzf', 'sk', 'debconf', 'nmtui', 'raspi-config']],
]

/** Debian's names of a program's builds: `vim.basic`, `vim.tiny`, `nvim-qt`. */
const stem = (name: string): string => name.replace(/[.-](?:basic|tiny|nox|gtk\d?|qt)$/, '')

/** Undefined for programs that are none of these. */
function screenKind(reader: TerminalProcess): WaitingFor | undefined {
  const names = [programName(reader), reader.name].map(stem)
  return screenKinds.find(([, programs]) => names.some(name => programs.includes(name)))?.[0]
}
