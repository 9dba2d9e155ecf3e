/**
 * What a terminal answers that programs ask it, beside what the emulator answers itself (device attributes, status, position,
 * modes): colours, as one that is dark would, and that it takes the status of programs.
 */
import type { Terminal } from '@xterm/headless'
import { statusAnswer } from '../../agents/kit/status-protocol.ts'

/** Light grey on black: what most terminals have, and what agents choose their colours for. */
const colours: ReadonlyMap<number, string> = new Map([
  [10, 'rgb:d0d0/d0d0/d0d0'],
  [11, 'rgb:0000/0000/0000'],
  [12, 'rgb:d0d0/d0d0/d0d0'],
])

export function answerQuestions({ parser }: Terminal, onReply: (text: string) => void): void {
  for (const [number, colour] of colours)
    parser.registerOscHandler(number, text => {
      if (text === '?') onReply(`\u001b]${number};${colour}\u001b\\`)
      return true
    })
  parser.registerOscHandler(7501, text => {
    if (text === '?') onReply(statusAnswer)
    return true
  })
}
