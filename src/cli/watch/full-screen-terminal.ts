/** A terminal taken for a while: full screen, keys one by one, the mouse. Given back whatever ends the program. */

import { writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { coloured } from '../../core/text/printable.ts'
import { own, print } from '../ui/print.ts'
import { flushInput, readInput, type TerminalInput } from './terminal-input-step.ts'
import type { Size } from './watch-scene.ts'

/** Alternate screen, no cursor, no wrapping; the mouse's buttons; pastes marked as such. */
const taken = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[?2004h\u001b[2J'
const givenBack = '\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[?7h\u001b[?25h\u001b[?1049l'
const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** So long after Escape alone nothing more of a sequence comes, also over a slow line; a paste takes its time: ms. */
const escapeMs = 60
const pasteMs = 2000

export function takeTerminal(on: { input: (input: TerminalInput) => void; resize: () => void }) {
  const { stdin, stdout } = process
  let drawn: readonly string[] = []
  let isTaken = false

  const enter = () => {
    isTaken = true
    drawn = []
    stdin.setRawMode(true)
    stdin.resume()
    print(own(taken))
  }
  const leave = () => {
    if (!isTaken) return
    isTaken = false
    // A terminal that is gone is given back all the same.
    try {
      stdin.setRawMode(false)
      writeSync(stdout.fd, givenBack)
    } catch {}
    stdin.pause()
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

  const stopReading = readTerminal(input => isTaken && on.input(input))
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
        // Behind a line as wide as the terminal there is nothing to clear but its last cell.
        line === drawn[n] ? [] : [own(`\u001b[${n + 1};1H\u001b[2K`), coloured(line)],
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
      stopReading()
      stdout.removeListener('resize', resized)
      for (const signal of signals) process.removeListener(signal, ended)
      process.removeListener('uncaughtExceptionMonitor', leave)
      process.removeListener('exit', leave)
    },
  }
}

/** Reads all that the terminal sends. @returns what ends that */
function readTerminal(onInput: (input: TerminalInput) => void): () => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let flush: NodeJS.Timeout | undefined
  const read = (bytes: Buffer) => {
    clearTimeout(flush)
    const found = readInput(rest, decoder.write(bytes))
    rest = found.rest
    for (const input of found.inputs) onInput(input)
    if (rest === '') return
    flush = setTimeout(
      () => {
        const left = rest
        rest = ''
        for (const input of flushInput(left)) onInput(input)
      },
      rest.startsWith('\u001b[200~') ? pasteMs : escapeMs,
    )
  }
  process.stdin.on('data', read)
  return () => {
    clearTimeout(flush)
    process.stdin.removeListener('data', read)
  }
}
