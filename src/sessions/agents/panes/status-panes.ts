/**
 * What agents print in tmux, heard where the person asked for it (`--answer-7501`): their program status, titles and
 * paint. One that tells its status only to a terminal that answers its question is answered in the terminal's place,
 * after looking that it is an agent that asks. Nobody attaches: no other byte reaches any pane.
 */
import { StringDecoder } from 'node:string_decoder'
import { statusAnswer, statusQuestions } from '../../../agents/kit/status-protocol.ts'
import { recognise } from '../../../agents/recognise-agent.ts'
import { readArguments } from '../../../os/proc/command-line.ts'
import { readStat } from '../../../os/proc/stat.ts'
import { askTmux, sendBytes } from '../../../os/tmux/ask-tmux.ts'
import type { PanePipe } from '../../../os/tmux/pane-pipe.ts'
import { joinPanePipe } from '../../../os/tmux/pane-pipe.ts'

/** Another one hears the pane, or lull could not keep up: tried again so much later, ms. */
const againMs = 2000

/**
 * Hears an agent's pane, and answers its question.
 * @param onText called with what it prints
 * @returns the way to stop
 */
export function listenToAgent(
  socket: string,
  pane: string,
  onText: (text: string) => void,
): () => Promise<void> {
  let decoder = new StringDecoder('utf8')
  let isClosed = false
  let again: NodeJS.Timeout | undefined
  let pipe = open()

  function open(): PanePipe {
    decoder = new StringDecoder('utf8')
    return joinPanePipe(socket, pane, { onBytes, onLost })
  }
  function onBytes(bytes: Buffer): void {
    const text = decoder.write(bytes)
    if (statusQuestions.some(asked => text.includes(asked))) void reply(socket, pane)
    onText(text)
  }
  function onLost(): void {
    if (isClosed) return
    again = setTimeout(() => {
      pipe = open()
    }, againMs)
  }

  return async () => {
    isClosed = true
    clearTimeout(again)
    await pipe.close()
  }
}

/** Anything may print the question; only an agent in the foreground is answered. */
async function reply(socket: string, pane: string): Promise<void> {
  const shell = await askTmux(socket, 'display-message', '-p', '-t', pane, '#{pane_pid}').catch(() => '')
  if (isAgentInForeground(Number(shell))) await sendBytes(socket, pane, statusAnswer).catch(() => undefined)
}

function isAgentInForeground(shell: number): boolean {
  const leader = readStat(shell)?.foreground
  return leader !== undefined && recognise(readArguments(leader)) !== undefined
}
