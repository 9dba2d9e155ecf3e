/** What a program wants that reads the terminal with echo and lines both on or both off: the kernel shows that it reads, its prompt shows why. Pure. */
import type { State, WaitingFor } from '../../core/state.ts'
import {
  type Probe,
  readingOf,
  type TerminalProcess,
  type TerminalRead,
  type Termios,
} from '../probe/probed.ts'
import { asksForLine, drawnQuestion, isQuestionLine } from './drawn-question.ts'
import type { Learned } from './learned.ts'
import { isAlternate, missingQuiet, type PartialVerdict, partialBy } from './partial-verdict.ts'
import { asksFor } from './prompts.ts'
import { hasWorker, isBesideEditor, isBusy, manyQuietMs, replClaim, running } from './repl/repl-classify.ts'
import { beforeCursor, isFreshLine } from './screen-text.ts'
import { shellVerdict } from './shell-classify.ts'
import { programName, readsAsAtPrompt, shellOf } from './shells.ts'

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
      return partialBy(reader, { kind: 'waiting', for: kind }, 'proven', `${screenWhys[kind]} and reads keys`)
    if (isAlternate(probe)) {
      if (probe.screen && drawnQuestion(probe.screen) === 'password')
        return partialBy(reader, { kind: 'waiting', for: 'password' }, 'seen', 'asks for a password')
      const isLine = probe.screen && asksForLine(probe.screen)
      const asks: State = { kind: 'waiting', for: isLine ? 'input' : 'keypress' }
      return partialBy(reader, asks, isLine ? 'seen' : 'proven', 'fills the screen and reads keys')
    }
  }
  const text = probe.screen && beforeCursor(probe.screen)
  if (!shell?.isInteractive) {
    const claim = replClaim(probe, learned, reader, call, text)
    if (claim) return claim
  }
  const isFront = reader.calls.indexOf(call) > 0 || (probe.screen && isFreshLine(probe.screen))
  if (!termios.canonical && isFront && hasWorker(probe, reader))
    return { ...running(reader, 'watches the keys while what it has started works'), tier: 'seen' }
  const reads = termios.canonical ? 'reads a line' : 'reads keys'
  // Its event loop watches the terminal beside other things: that alone is no question.
  const isMany = isBusy(probe, call)
  const drawn = termios.canonical || !probe.screen ? undefined : drawnQuestion(probe.screen)
  if (isMany) {
    const busy = busyClaim(probe, reader, drawn !== undefined)
    if (busy) return busy
  }
  const isOneKey = !termios.canonical && isBesideEditor(reader, call)
  const asked = drawn ?? (isOneKey ? 'keypress' : asksFor(text))
  // "Press any key": where lines are read, it takes Enter, and any text before.
  const asks: State = { kind: 'waiting', for: termios.canonical && asked === 'keypress' ? 'input' : asked }
  return partialBy(reader, asks, isMany ? 'seen' : 'proven', reads)
}

/** It draws still, or shows nothing that somebody could answer. */
function busyClaim(probe: Probe, reader: TerminalProcess, isDrawn: boolean): PartialVerdict | undefined {
  const { screen, still = 0 } = probe
  if (screen && isFreshLine(screen) && !isDrawn) {
    return { ...running(reader, 'watches the keys beside its work, and asks nothing'), tier: 'seen' }
  }
  const quiet = missingQuiet(probe, manyQuietMs)
  if (quiet === undefined) return undefined
  if (screen && still >= manyQuietMs && isQuestionLine(beforeCursor(screen))) return undefined
  return { ...running(reader, 'watches the keys beside its work'), observeAgainIn: quiet }
}

const screenWhys = {
  pager: 'shows pages',
  editor: 'edits text',
  keypress: 'shows what goes on',
  dialog: 'shows a dialog',
} as const satisfies Partial<Record<WaitingFor, string>>

type ScreenKind = keyof typeof screenWhys

/** Programs that fill the screen or read keys by what they wait for. */
const screenKinds: readonly (readonly [ScreenKind, readonly string[]])[] = [
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
export function screenKind(reader: TerminalProcess): ScreenKind | undefined {
  const names = [programName(reader), reader.name].map(stem)
  return screenKinds.find(([, programs]) => names.some(name => programs.includes(name)))?.[0]
}
