/** `lull accept test PLAN RECORDING…`: what the rules would do at each dialog of a recording. Nothing is answered. */
import path from 'node:path'
import { agentOfTrace, openTrace } from '../../../connect/open-recording.ts'
import { usageOf } from '../../../core/error-sentence.ts'
import { formatDuration } from '../../../core/text/duration.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { type AskedDialog, acceptedBy } from '../../../respawn/accept/accept-fields.ts'
import { readPlanFile } from '../../../respawn/plan/read-plan.ts'
import { jsonLine, lines, newComplaints, print } from '../../ui/print.ts'

export function acceptTestCommand(
  file: string,
  recordings: readonly string[],
  { json }: { readonly json?: boolean },
): void {
  const { rules } = readPlanFile(file)
  let [accepted, all] = [0, 0]
  for (const recording of recordings)
    for (const { at, ...asked } of dialogsOf(recording)) {
      const result = acceptedBy(rules, asked, {}, 0, 0)
      all++
      if ('rule' in result) accepted++
      if (json) print(jsonLine({ recording, at, ...asked, ...result }))
      else {
        const choice = 'rule' in result ? `rule ${result.rule + 1}: ${result.choose}` : 'left to you'
        const where = `${path.basename(recording)} at ${formatDuration(at)}`
        const what = [asked.tool ?? '', asked.about === undefined ? '(unknown)' : oneLine(asked.about, 120)]
        print(lines(`${choice.padEnd(18)} ${asked.for.padEnd(11)} ${where}: ${what.join(' ').trim()}`))
      }
    }
  if (!json) print(lines(`${accepted} of ${all} dialogs would be answered`))
}

/** `at`: ms from its beginning. */
function* dialogsOf(file: string): Generator<AskedDialog & { readonly at: number }> {
  const complaints = newComplaints()
  try {
    const agent = agentOfTrace(file)
    const { changes } = openTrace(file, { complain: complaints.complain })
    let asking: string | undefined
    for (const { at, verdict, session } of changes) {
      const { state } = verdict
      const { question, tool, cwd } = session.facts
      const now = state.kind === 'waiting' ? `${state.for} ${question}` : undefined
      if (state.kind === 'waiting' && now !== asking)
        yield {
          at,
          agent,
          for: state.for,
          ...(tool === undefined ? {} : { tool }),
          ...(question === undefined ? {} : { about: question }),
          ...(cwd === undefined ? {} : { folder: cwd }),
        }
      asking = now
    }
  } catch (error) {
    throw usageOf(error, file)
  }
}
