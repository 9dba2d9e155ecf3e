/**
 * Situations of programs that lull never met, and whose author did not see lull's rules. The labels were written before any
 * verdict was seen.
 */
import type { Says, Scenario, Step } from '../scenario.ts'
import { consoles } from './consoles.ts'
import { homemade, sent } from './homemade.ts'
import { asked } from './kits.ts'
import { languages } from './languages.ts'
import { lisps } from './lisps.ts'
import { moreLanguages } from './more-languages.ts'
import { relayed } from './relays.ts'
import { ready, shows, situationsOf, working } from './repl.ts'
import { shells } from './shells.ts'
import { tempting } from './tempting.ts'

const sleeps: readonly Step[] = ['echo now; sleep 60; echo over', shows(/^now$/m)]
const gone: readonly Says[] = ['exited']

const rows: readonly (Omit<Scenario, 'group' | 'shell' | 'isUnseen' | 'truth'> & {
  readonly truth?: readonly Says[]
})[] = [
  {
    name: 'a pane is respawned mid-wait',
    does: sleeps,
    during: [{ tmux: ['respawn-pane', '-k', '-t', '{pane}', 'sleep 70'] }],
    proof: { seen: [{ runs: 'sleep' }, { hides: /now/ }] },
  },
  {
    name: 'a pane is respawned with a shell mid-wait',
    does: sleeps,
    during: [{ tmux: ['respawn-pane', '-k', '-t', '{pane}', 'bash'] }],
    proof: { seen: [{ runs: 'bash' }, { hides: /now/ }] },
  },
  {
    name: 'its tmux is ended mid-wait',
    does: sleeps,
    during: [{ tmux: ['kill-server'] }],
    proof: { seen: [{ closed: true }] },
  },
  {
    name: 'its window is closed mid-wait',
    does: [...sleeps, { tmux: ['new-window', '-d', 'sleep 70'] }],
    during: [{ tmux: ['kill-pane', '-t', '{pane}'] }],
    proof: { seen: [{ closed: true }] },
  },
  {
    name: 'a dead pane that remains',
    does: [{ tmux: ['set-option', '-g', 'remain-on-exit', 'on'] }, ...sleeps],
    during: [{ kills: 'sleep' }, { keys: ['C-d'] }],
    proof: { seen: [shows(/Pane is dead/)] },
  },
  {
    name: 'the shell is replaced by another mid-wait',
    does: ['exec sh -c "echo now; sleep 2; exec dash"', shows(/^now$/m)],
    during: [shows(/^[#$]\s*$/m)],
    truth: ready,
    proof: { does: ['echo $((71*73))'], seen: [shows(/^5183$/m)] },
  },
  {
    name: 'the pane moves to another window mid-wait',
    does: [...sleeps, { tmux: ['split-window', '-d', 'sleep 70'] }],
    during: [{ tmux: ['break-pane', '-d', '-s', '{pane}'] }],
    truth: working,
    proof: { seen: [{ hides: /^over/m }] },
  },
]

const ended: readonly Scenario[] = rows.map(row => ({
  truth: gone,
  ...row,
  at: [],
  group: 'gone',
  shell: 'bash',
  isUnseen: true,
}))

export const unseen: readonly Scenario[] = [
  ...[...shells, ...languages, ...lisps, ...moreLanguages, ...consoles, ...homemade].flatMap(situationsOf),
  ...sent,
  ...tempting,
  ...asked,
  ...relayed,
  ...ended,
]
