/** A command of lull that runs on a box: what needs the machine itself, as its terminals, its processes and its history do. */
import { spawn } from 'node:child_process'
import { defined } from '../core/defined.ts'
import { lineSplitter, type Sink, textSink } from '../os/spawn/bounded-text.ts'
import { quoteWord } from '../os/spawn/shell-words.ts'
import type { Box } from './read-hosts.ts'
import { boxGone, sshWords, whyEnded } from './ssh-words.ts'

type Output = {
  /** Called with each line: a box is not trusted with this terminal. */
  readonly onLine: (text: string) => void
  readonly onNotice: (text: string) => void
}

/**
 * @param output undefined: the box has this terminal while the command runs, as with ssh itself
 * @returns its exit code
 * @throws {LullError} HOST_GONE where the box is not reached, or has no lull
 */
export async function runOnBox(box: Box, words: readonly string[], output?: Output): Promise<number> {
  const [file = '', ...args] = sshWords(box, words.map(quoteWord).join(' '), output === undefined)
  const child = spawn(file, args, { stdio: output ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
  let stderr = ''
  const keep = (text: string): void => {
    stderr = `${stderr}${text}\n`.slice(-4000)
    output?.onNotice(text)
  }
  const read = [
    { stream: child.stdout, sink: lineSink(text => output?.onLine(text)) },
    { stream: child.stderr, sink: lineSink(keep) },
  ].map(async ({ stream, sink }) => {
    if (!stream) return
    for await (const piece of stream) sink.write(piece as Buffer)
    sink.end()
  })
  const { code, error } = await new Promise<{ code: number | null; error?: Error }>(resolve => {
    child.on('error', error => resolve({ code: null, error }))
    child.on('exit', code => resolve({ code }))
  })
  await Promise.all(read)
  if (code === null || code >= 126)
    throw boxGone(whyEnded(box, { code, stderr, ...defined({ error }) }, false))
  return code
}

function lineSink(onLine: (line: string) => void): Sink {
  const lines = lineSplitter(onLine)
  const text = textSink(lines.take)
  return {
    write: text.write,
    end() {
      text.end()
      lines.end()
    },
  }
}
