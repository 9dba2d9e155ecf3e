/** Keeps what tells why a verdict was wrong: the screen that each was given on, the truth, all rows. */
import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Row, SessionRow } from '../day/watcher.ts'
import { now } from '../lab/truth.ts'
import type { Member } from './cast.ts'
import type { Outcome } from './report.ts'

const run = promisify(execFile)

/** @param folder nothing is kept where there is none */
export function keeper(folder: string | undefined) {
  if (folder) mkdirSync(folder, { recursive: true })
  const line = (file: string, value: object): void => {
    if (folder) appendFileSync(path.join(folder, file), `${JSON.stringify(value)}\n`)
  }
  return {
    note: (value: object): void => line('broken-off.jsonl', value),
    see({ agent, tmux, pane, state, rule, because }: SessionRow): void {
      if (!folder || !tmux?.includes('lull-lab-') || !pane) return
      const at = now()
      run('tmux', ['-S', tmux, 'capture-pane', '-p', '-t', pane]).then(
        ({ stdout }) =>
          line('screens.jsonl', { at, agent, tmux, state, rule, because, screen: stdout.trimEnd() }),
        () => undefined,
      )
    },
    keep(outcomes: readonly Outcome[], rows: readonly Row[], members: readonly Member[]): void {
      if (!folder) return
      for (const { name, ...outcome } of outcomes)
        writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(outcome, null, 1))
      writeFileSync(path.join(folder, 'watch.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
      for (const { name, player } of members) {
        const events = player.actor.events.map(({ at, type, request, ...rest }) => {
          const { kind, directive, step } = request
          return { at, type, kind, directive, step, ...rest }
        })
        const { marks } = player.actor
        writeFileSync(path.join(folder, `${name}-truth.json`), JSON.stringify({ marks, events }, null, 1))
      }
    },
  }
}
