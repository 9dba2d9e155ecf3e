/** A program in a pane of a tmux server of the test's own, and what lull says of it: the kernel, the screen, no control client. */
import { execFileSync } from 'node:child_process'
import { afterAll } from 'vitest'
import type { Grid } from '../../src/core/text/grid.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { type Learned, nothingLearned } from '../../src/terminal/classify/learned.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import { innerTmux } from '../../src/terminal/probe/inner-tmux.ts'
import { probeTerminal } from '../../src/terminal/probe/probe.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import { withReference } from '../../src/terminal/probe/shell-reference.ts'
import { word } from './probes.ts'
import { until } from './until.ts'

const server = `lull-probe-${process.pid}`

const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...args], { encoding: 'utf8' })

/** A server that ends with its last pane may be met while it ends. */
const staying = ['start-server', ';', 'set-option', '-s', 'exit-empty', 'off']

export const has = (program: string): boolean => {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }) !== ''
  } catch {
    return false
  }
}

export type TestPane = {
  readonly pid: number
  readonly tty: string
  type(text: string): void
  keys(...names: readonly string[]): void
  probe(quiet?: number): Promise<Probe>
  /** A look of somebody who has seen nothing before. */
  cold(): Promise<TerminalVerdict>
  /** Looks until the word is right, and returns that verdict. */
  says(expected: string): Promise<TerminalVerdict>
}

let panes = 0
afterAll(() => {
  if (panes > 0) tmux('kill-server')
})

export function openPane(command: readonly string[], env: readonly string[] = []): TestPane {
  const name = `p${panes++}`
  const path = `PATH=${process.env.PATH}`
  const around = ['env', '-i', path, 'HOME=/', 'LANG=C.UTF-8', 'TERM=screen-256color', ...env, ...command]
  tmux(...staying, ';', 'new-session', '-d', '-s', name, '-x', '100', '-y', '30', ...around)
  const facts = (): string[] =>
    tmux(
      'display-message',
      '-p',
      '-t',
      name,
      '#{pane_pid} #{pane_tty} #{cursor_x} #{cursor_y} #{alternate_on}',
    )
      .trim()
      .split(' ')
  const [pid, tty] = facts() as [string, string]
  let learned: Learned = nothingLearned

  function screen(): Grid {
    const [, , column, row, alternate] = facts()
    const rows = tmux('capture-pane', '-p', '-t', name).replace(/\n$/, '').split('\n')
    const cursor = { row: Number(row), column: Number(column) }
    return { rows, columns: 100, cursor, alternate: alternate === '1' }
  }

  async function probe(quiet = 0): Promise<Probe> {
    const first = probeTerminal(tty, Number(pid), { screen: screen(), quiet })
    const inner = await innerTmux(first)
    return inner ? probeTerminal(tty, Number(pid), { quiet, inner }) : first
  }

  async function look(): Promise<TerminalVerdict> {
    const seen = await probe(1000)
    learned = await withReference(learned, seen)
    const verdict = classify(seen, learned)
    learned = learn(learned, seen)
    return verdict
  }

  return {
    pid: Number(pid),
    tty,
    type: text => tmux('send-keys', '-t', name, '-l', '--', text),
    keys: (...names) => tmux('send-keys', '-t', name, ...names),
    probe,
    async cold() {
      const seen = await probe(1000)
      return classify(seen, await withReference(nothingLearned, seen))
    },
    says: expected =>
      until(
        look,
        verdict => word(verdict) === expected && verdict.observeAgainIn === undefined,
        `${expected} of ${command.join(' ')}`,
      ),
  }
}
