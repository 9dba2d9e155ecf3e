/** `lull record SESSION -o FILE`: a live session as a trace, until Ctrl+C or its end. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { LullError } from '../../core.ts'
import { connect, realClock } from '../../index.ts'
import { record } from '../../sessions/record-session.ts'
import { onNotice } from '../notice.ts'

export type RecordFlags = {
  readonly output?: string
  readonly force?: boolean
  readonly redact: boolean
  /** The name of a CLI that is run and recorded. */
  readonly agent?: string
  readonly watch?: readonly string[]
}

export async function recordCommand(words: readonly string[], flags: RecordFlags): Promise<void> {
  const { output, watch } = flags
  const [address] = words
  if (output === undefined)
    throw new LullError('USAGE', "required option '-o, --output <file>' not specified")
  if (address === undefined) throw new LullError('USAGE', "missing required argument 'session'")
  if (words.length > 1)
    throw new LullError(
      'USAGE',
      `too many arguments for 'record'. Expected 1 argument but got ${words.length}: ${words.join(', ')}.`,
    )
  if (watch) throw new LullError('USAGE', '--watch goes with --agent NAME: lull knows the files of a session')
  await using lull = await connect({ startsHost: true, onNotice })
  const session = await lull.find(address)
  const file = openNew(output, flags.force === true)
  const lines = record(lull, session, { clock: realClock(), keepsSecrets: !flags.redact })
  // What waits for the next event is ended by ending its source.
  const stop = () => void lull.close()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  let count = 0
  try {
    for await (const line of lines) {
      writeSync(file, `${line}\n`)
      if (count++ === 0)
        process.stderr.write(`recording ${session.agent} ${session.id} to ${output}; Ctrl+C ends it\n`)
    }
  } finally {
    closeSync(file)
  }
  process.stderr.write(`${count - 1} events recorded: lull replay ${output}\n`)
}

/** A recording is somebody's evidence: none is written over by accident. */
export function openNew(path: string, force: boolean): number {
  try {
    return openSync(path, force ? 'w' : 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new LullError('USAGE', `${path} exists: choose another name, or --force`)
    throw new LullError('USAGE', `${path} can't be written: ${(error as Error).message}`)
  }
}
