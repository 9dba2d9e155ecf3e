/** A terminal taken for a while: full screen, keys one by one. Given back whatever ends the program. */

import { writeSync } from 'node:fs'
import readline from 'node:readline'
import { coloured } from '../../core/text/printable.ts'
import { own, print } from './print.ts'
import type { Size } from './watch-screen.ts'

/** Alternate screen, no cursor, no wrapping. */
const take = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J'
const giveBack = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

export function takeTerminal(on: { key: (key: string) => void; resize: () => void }) {
  const { stdin, stdout } = process
  let drawn: readonly string[] = []
  let isTaken = false

  const enter = () => {
    isTaken = true
    drawn = []
    stdin.setRawMode(true)
    stdin.resume()
    print(own(take))
  }
  const leave = () => {
    if (!isTaken) return
    isTaken = false
    // A terminal that is gone is given back all the same.
    try {
      stdin.setRawMode(false)
      writeSync(stdout.fd, giveBack)
    } catch {}
    stdin.pause()
  }
  const pressed = (text: string | undefined, key: readline.Key) => {
    if (isTaken) on.key(nameOf(text, key))
  }
  const resized = () => {
    drawn = []
    if (isTaken) print(own('\u001b[2J'))
    on.resize()
  }
  const ended = (signal: NodeJS.Signals) => {
    leave()
    process.removeListener(signal, ended)
    process.kill(process.pid, signal)
  }

  readline.emitKeypressEvents(stdin)
  stdin.on('keypress', pressed)
  stdout.on('resize', resized)
  for (const signal of signals) process.on(signal, ended)
  // Before the error is printed, or the terminal takes it along.
  process.on('uncaughtExceptionMonitor', leave)
  process.on('exit', leave)
  enter()

  return {
    size: (): Size => ({ width: stdout.columns || 80, height: stdout.rows || 24 }),
    /** Draws what differs from the last picture. */
    draw(lines: readonly string[]): void {
      if (!isTaken) return
      const moved = lines.flatMap((line, n) =>
        line === drawn[n] ? [] : [own(`\u001b[${n + 1};1H`), coloured(line), own('\u001b[K')],
      )
      drawn = lines
      if (moved.length > 0) print(...moved)
    },
    /** Gives the terminal to someone else for as long as `use` takes. */
    async lend<T>(use: () => Promise<T>): Promise<T> {
      leave()
      try {
        return await use()
      } finally {
        enter()
        on.resize()
      }
    },
    close(): void {
      leave()
      stdin.removeListener('keypress', pressed)
      stdout.removeListener('resize', resized)
      for (const signal of signals) process.removeListener(signal, ended)
      process.removeListener('uncaughtExceptionMonitor', leave)
      process.removeListener('exit', leave)
    },
  }
}

const named = /^(enter|backspace|up|down|pageup|pagedown|home|end|escape)$/

/** Keys as `press` knows them: a printed character, or a name. */
function nameOf(text: string | undefined, { name, ctrl, meta }: readline.Key): string {
  if (ctrl) return `ctrl-${name ?? ''}`
  if (name === 'return') return 'enter'
  if (name !== undefined && named.test(name)) return name
  return meta || text === undefined ? '' : text
}
