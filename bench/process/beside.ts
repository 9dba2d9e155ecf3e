/** A program that runs beside a scenario, outside of its tree: a server, the holder of a lock, a hog. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { kill } from './subject.ts'
import { treeOf } from './tree.ts'

export type Beside = {
  readonly value: string
  /** Resolves when it has ended. */
  readonly gone: Promise<unknown>
  close(): void
}

/** Resolves once it has said `ready VALUE`. */
export async function startBeside(words: readonly string[], cwd: string): Promise<Beside> {
  const [command = '', ...rest] = words
  const child = spawn(command, rest, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', piece => {
    complaint += piece
  })
  const gone = once(child, 'exit')
  const ended = gone.then(() => {
    throw new Error(`${words.join(' ')} ended: ${complaint}`)
  })
  ended.catch(() => undefined)
  const lines = createInterface({ input: child.stdout })
  const ready = (async () => {
    for await (const line of lines) {
      const said = line.match(/^ready ?(.*)$/)
      if (said) return said[1] as string
    }
    return ended
  })()
  const value = await Promise.race([ready, ended])
  child.stdout.resume()
  return {
    value,
    gone,
    close: () => {
      for (const pid of treeOf(child.pid as number)) kill(pid)
    },
  }
}
