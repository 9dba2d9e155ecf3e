/** What has to stand on a pane when a key is pressed is found there by tmux, for every dialog that was recorded. */
import { globSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { rendered } from '../../bench/rendered.ts'
import { readDialog, type ShownDialog, standingRows } from '../../src/drive/dialog/shown-dialog.ts'
import { actIf } from '../../src/os/tmux/ask-tmux.ts'
import { captureLines } from '../../src/os/tmux/capture.ts'
import { rowsShown } from '../../src/os/tmux/control-words.ts'
import { temporaryFolder } from '../support/lull.ts'
import { agentOf, eventsOf } from '../support/recordings.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

type Drawn = { readonly dialog: ShownDialog; readonly rows: readonly string[] }

/** Each dialog of a recording once, and a screen that shows it. */
async function dialogsOf(name: string): Promise<readonly Drawn[]> {
  const events = eventsOf(name).map(([seconds, code, data]) => ({ at: seconds * 1000, code, data, line: 0 }))
  const found = new Map<string, Drawn>()
  for (const { grid } of await rendered(events as Parameters<typeof rendered>[0])) {
    const dialog = await readDialog(grid.rows, agentOf(name))
    if (dialog && !found.has(dialog.id)) found.set(dialog.id, { dialog, rows: grid.rows })
  }
  return [...found.values()]
}

const corpus = path.resolve(import.meta.dirname, '../../corpus')
const names = globSync('*/*.cast.gz', { cwd: corpus })
  .map(file => file.replace('.cast.gz', '').replace('/', '-'))
  .filter(name => /perm|question|plan|trust/.test(name))
  .sort()

describe.runIf(hasProgram('tmux'))('the rows of a dialog', () => {
  const server = tmuxServer()
  test.each(names)('of %s', async name => {
    for (const { dialog, rows } of await dialogsOf(name)) {
      const file = path.join(temporaryFolder(), 'screen')
      writeFileSync(file, rows.join('\r\n'))
      const shows = ['sh', '-c', `stty -opost; cat ${file}; read -r line`]
      const size = ['-x', '120', '-y', String(rows.length)]
      const id = server.tmux('new-session', '-d', ...size, '-P', '-F', '#{pane_id}', ...shows).trim()
      // Where it stands: a row above may be the same.
      const last = rows.findLastIndex(row => row.trim() !== '')
      await until(
        () => captureLines(server.socket, id, rows.length, { screen: true }),
        lines => lines[last] === rows[last]?.trimEnd(),
      )
      const isShown = (wanted: readonly string[]) =>
        actIf(server.socket, id, rowsShown(wanted), 'set-option', '-p', '-t', id, '@seen', 'yes')
      const wanted = standingRows(dialog)
      expect(wanted.length).toBeGreaterThan(0)
      expect([name, dialog.question, await isShown(wanted)]).toEqual([name, dialog.question, true])
      expect(await isShown([...wanted, `not ${dialog.question} at all`])).toBe(false)
    }
  })
})
