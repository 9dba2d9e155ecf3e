/** `lull tmux`: the segment of a status line, once; `lull tmux install|uninstall`: the lines of tmux.conf by which the host keeps it. */
import { oneLine } from '../../../core/text/printable.ts'
import { findHost } from '../../../host/find-host.ts'
import { connect, placesOf } from '../../../index.ts'
import { confFile, installSegment, uninstallSegment } from '../../../segment/install/install-segment.ts'
import { segmentText, tallyOf } from '../../../segment/step/tally-step.ts'
import { diffOf } from '../../ui/file-diff.ts'
import { asItIs, jsonLine, lines, note, onNotice, print } from '../../ui/print.ts'

export async function segmentCommand({ plain, json }: { readonly plain?: boolean; readonly json?: boolean }) {
  await using lull = await connect({ onNotice })
  const tally = tallyOf(await lull.sessions())
  // At a terminal nobody reads tmux' words for colours.
  const isStyled = !plain && !process.env.NO_COLOR && process.stdout.isTTY !== true
  if (json) print(jsonLine({ ...tally, text: segmentText(tally, false) }))
  else print(lines(segmentText(tally, isStyled)))
}

export type SegmentInstallFlags = {
  readonly dryRun?: boolean
  readonly bind?: string
  readonly json?: boolean
}

export async function segmentInstallCommand(
  verb: 'install' | 'uninstall',
  flags: SegmentInstallFlags,
): Promise<void> {
  const { dryRun = false, json = false, bind } = flags
  const where = { places: placesOf(), env: process.env, cwd: process.cwd() }
  const request = { where, isDry: dryRun }
  const file = confFile(where)
  const changes = verb === 'install' ? await installSegment(request, bind) : await uninstallSegment(request)
  const diff = dryRun ? changes.map(diffOf).join('') : ''
  const next = dryRun || changes.length === 0 ? [] : await nextOf(verb, file)
  if (json) {
    const changed = changes.map(change => change.file)
    print(jsonLine({ action: verb, file, dryRun, changed, next, ...(dryRun ? { diff } : {}) }))
    return
  }
  // A diff goes to stdout alone, so that it can be used as one.
  const say = (line: string) => (dryRun ? note : print)(lines(oneLine(line, 1000)))
  if (dryRun) print(asItIs(diff))
  say(`${doneOf(verb, dryRun, changes.length > 0)} ${file}`)
  for (const line of next) say(line)
}

function doneOf(verb: 'install' | 'uninstall', isDry: boolean, hasChanged: boolean): string {
  const isIn = verb === 'install'
  if (!hasChanged)
    return isIn ? "nothing to do, lull's lines are already in" : "nothing to do, none of lull's lines are in"
  if (isIn) return `${isDry ? 'would add' : 'added'} lull's lines to`
  return `${isDry ? 'would remove' : 'removed'} lull's lines from`
}

/** What is left to the person: tmux reads its file when its server starts. */
async function nextOf(verb: 'install' | 'uninstall', file: string): Promise<readonly string[]> {
  if (verb === 'uninstall')
    return [
      'in a running tmux: tmux set -gu @lull-push \\; set -gu @lull-until; its status-right changes back when the server restarts',
    ]
  const host = await findHost(placesOf())
  return [
    `to load it in a running tmux: tmux source-file ${file}`,
    ...(host.is === 'running' ? [] : ['no host updates it; start one with lull host start']),
  ]
}
