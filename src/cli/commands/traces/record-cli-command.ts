/** `lull record --agent NEW -- CMD…`: a CLI that lull need not know, run in a terminal of its own and recorded. */

import { rmSync } from 'node:fs'
import { commandName } from '../../../agents.ts'
import { LullError } from '../../../core/lull-error.ts'
import { passSignals } from '../../../run/child/pass-signals.ts'
import { runInto } from '../../../run/run.ts'
import { lines, note, own } from '../../ui/print.ts'
import { openNew, type RecordFlags } from './record-command.ts'

export async function recordCliCommand(words: readonly string[], flags: RecordFlags): Promise<void> {
  const { agent: name = '', output = `${name}.cast`, watch = [], force = false, redact } = flags
  // A name of what a session without an agent is called.
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name) || name === commandName || name === 'terminal')
    throw new LullError(
      'USAGE',
      `--agent ${name}: must be lower-case letters, digits and dashes, like my-agent`,
    )
  if (words.length === 0)
    throw new LullError('USAGE', 'no command given; usage: lull record --agent NAME -- CMD…')
  const file = openNew(output, force)
  const notice = (sentence: string): void => void note(lines(`lull: ${sentence}`), own('\r'))
  const running = runInto({ record: file }, words, {
    pty: true,
    recordAs: { name, watch, keepsSecrets: !redact },
    adopts: true,
    onNotice: notice,
  })
  const release = passSignals(running.kill, () => undefined)
  try {
    await running.started
    note(lines(`recording ${name} to ${output}; it ends with the command`), own('\r'))
    await running.ended
  } catch (error) {
    // It never ran: what was begun is no recording.
    rmSync(output, { force: true })
    throw error
  } finally {
    release()
  }
  note(lines(`recorded: lull replay ${output}`))
}
