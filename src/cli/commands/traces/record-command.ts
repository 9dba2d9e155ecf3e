/** `lull record`: records a live session, until Ctrl+C or its end, or a program that it starts. */
import { closeSync, rmSync, writeSync } from 'node:fs'
import { commandName } from '../../../agents.ts'
import { notWritten } from '../../../core/error-sentence.ts'
import { LullError } from '../../../core/lull-error.ts'
import { connect, placesOf, realClock } from '../../../index.ts'
import { passSignals } from '../../../run/child/pass-signals.ts'
import { openOutput } from '../../../run/output-file.ts'
import { runInto } from '../../../run/run.ts'
import { checkRecordable, newRecording, record } from '../../../sessions/record-session.ts'
import { lines, note, onNotice, own } from '../../ui/print.ts'

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

export type RecordFlags = {
  readonly output?: string
  readonly force?: boolean
  readonly redact: boolean
  /** The name of a CLI that is run and recorded. */
  readonly agent?: string
  readonly watch?: readonly string[]
}

export async function recordCommand(words: readonly string[], flags: RecordFlags): Promise<void> {
  const { watch } = flags
  const [address] = words
  if (address === undefined)
    throw new LullError('USAGE', "missing required argument 'session': lull ps lists them")
  if (words.length > 1)
    throw new LullError(
      'USAGE',
      `too many arguments for 'record'. Expected 1 argument but got ${words.length}: ${words.join(', ')}.`,
    )
  if (watch) throw new LullError('USAGE', '--watch needs --agent NAME; for a session, lull knows the files')
  await using lull = await connect({ startsHost: true, onNotice })
  const session = await lull.find(address)
  checkRecordable(session)
  const clock = realClock()
  const output = flags.output ?? newRecording(placesOf(), session, clock.wall())
  const file = openNew(output, flags.force === true)
  const recorded = record(lull, session, { clock, keepsSecrets: !flags.redact })
  // What waits for the next event is ended by ending its source.
  const stop = () => void lull.close()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  let count = 0
  try {
    for await (const line of recorded) {
      put(file, output, line)
      if (count++ === 0) note(lines(`recording ${session.agent} ${session.id} to ${output}; Ctrl+C ends it`))
    }
  } finally {
    closeSync(file)
  }
  note(lines(`${count - 1} events recorded: lull replay ${output}`))
}

/** A recording is somebody's evidence: none is written over by accident. */
export const openNew = (path: string, force: boolean): number =>
  openOutput(path, force ? 'w' : 'wx', path, 'choose another name, or --force')

function put(file: number, name: string, line: string): void {
  try {
    writeSync(file, `${line}\n`)
  } catch (error) {
    throw notWritten(error, name)
  }
}
