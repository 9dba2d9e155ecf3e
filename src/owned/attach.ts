/** A person's own terminal shows one of lull's, until he leaves or its program ends. */
import type { ReadStream, WriteStream } from 'node:tty'
import { LullError } from '../core/lull-error.ts'
import { attempt } from '../os/attempt.ts'
import type { Places } from '../os/file/places.ts'
import { printRaw } from '../os/tty/tty.ts'
import { findOwned } from './find-owned.ts'
import { terminalVariable } from './terminal-name.ts'
import { terminalRequests } from './terminal-requests.ts'

export type AttachOptions = {
  /** A byte that no key of a program is: Ctrl-\ where not given. */
  readonly detachKey?: number
  /** Nothing that is typed goes to the program, and its size stays. */
  readonly isReadOnly?: boolean
}

/** Ctrl-\. */
export const usualDetachKey = 0x1c

/**
 * What a program may have switched on: pastes, mouse, focus, key protocols, the other screen, a hidden cursor, colours. The
 * screen is left as it was last, and the line below it is the person's own again.
 */
const putBack =
  '\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1004l\u001b[?1l\u001b>\u001b[<u\u001b[>4;0m\u001b[?1049l\u001b[?25h\u001b[0m\u001b[r\u001b[9999;1H\r\n'

/**
 * @returns why it is over: the person has left, or the program has ended
 * @throws {LullError} NO_SESSION, TERMINALS_GONE; USAGE where there is no terminal to show it in, or it is shown in itself
 */
export async function attach(
  name: string,
  places: Places,
  { detachKey = usualDetachKey, isReadOnly = false }: AttachOptions = {},
): Promise<'left' | 'ended'> {
  const { stdin, stdout, env } = process
  const found = await findOwned(name, places)
  if (!found || found.end) throw missing(name, found !== undefined)
  if (!stdin.isTTY || !stdout.isTTY)
    throw new LullError(
      'USAGE',
      `lull attach shows ${name} in a terminal, and there is none here: lull read ${name} prints it`,
    )
  if (env[terminalVariable] === name)
    throw new LullError('USAGE', `this is the terminal ${name}: it can't be shown in itself`)
  const requests = terminalRequests(places.terminals)
  const { columns, rows } = stdout
  const asked = { columns: `${columns}`, rows: `${rows}`, readOnly: `${isReadOnly}` }
  const { stream, first } = await requests.attach(name, asked)
  const release = takeKeys(stdin)
  const resize = () => {
    if (!isReadOnly) void requests.resize(name, stdout.columns, stdout.rows).catch(() => undefined)
  }
  stdout.on('resize', resize)
  try {
    return await new Promise<'left' | 'ended'>(resolve => {
      stdin.on('data', (keys: Buffer) => {
        const at = keys.indexOf(detachKey)
        if (!isReadOnly) stream.write(at < 0 ? keys : keys.subarray(0, at))
        if (at >= 0) resolve('left')
      })
      // Its own terminal is put back, whatever ends it.
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('left'))
      stream.on('close', () => resolve('ended'))
      stream.on('error', () => resolve('ended'))
      stdout.write(first)
      // Who prints faster than this terminal shows waits in the socket, and the server skips to the newest screen.
      stream.pipe(stdout as WriteStream, { end: false })
    })
  } finally {
    stdout.off('resize', resize)
    stream.destroy()
    release()
    stdout.write(putBack)
  }
}

function missing(name: string, hasEnded: boolean): LullError {
  const sentence = hasEnded
    ? `the program of ${name} has ended: lull read ${name} shows its last screen, lull open ${name} opens it anew`
    : `no terminal of lull’s own is called "${name}": lull open ${name} opens one`
  return new LullError('NO_SESSION', sentence, { address: name })
}

/** @returns puts our terminal back */
function takeKeys(stdin: ReadStream & { fd: 0 }): () => void {
  const release = () => {
    attempt(() => stdin.setRawMode(false))
    stdin.removeAllListeners('data')
    stdin.pause()
    process.off('exit', release)
  }
  stdin.setRawMode(true)
  printRaw(0)
  process.on('exit', release)
  return release
}
