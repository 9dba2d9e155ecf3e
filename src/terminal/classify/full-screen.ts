/** Full-screen programs by what they wait for. */
import type { WaitingFor } from '../../core/state.ts'
import type { TerminalProcess } from '../probe/probed.ts'
import { programName } from './shells.ts'

/** Programs that fill the screen or read keys by what they wait for. */
const kinds: readonly (readonly [WaitingFor, readonly string[]])[] = [
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
export function screenKind(process: TerminalProcess): WaitingFor | undefined {
  const names = [programName(process), process.name].map(stem)
  return kinds.find(([, programs]) => names.some(name => programs.includes(name)))?.[0]
}
