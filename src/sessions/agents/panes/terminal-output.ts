/** Streams what an agent writes to its terminal: a lull terminal, or a tmux pane with `--answer-7501`. */
import { StringDecoder } from 'node:string_decoder'
import { statusAnswer, statusQuestions } from '../../../agents/kit/status-protocol.ts'
import { recognise } from '../../../agents/recognise-agent.ts'
import { placesOf } from '../../../os/file/places.ts'
import { readArguments } from '../../../os/proc/command-line.ts'
import { readStat } from '../../../os/proc/stat.ts'
import { askTmux, sendBytes } from '../../../os/tmux/ask-tmux.ts'
import type { PanePipe } from '../../../os/tmux/pane-pipe.ts'
import { joinPanePipe } from '../../../os/tmux/pane-pipe.ts'
import { receiveOutput } from '../../../owned/receive-output.ts'
import { terminalRequests } from '../../../owned/terminal-requests.ts'
import type { Surroundings } from '../../discover/surroundings.ts'

/** Retry delay if another process has the pipe, or lull could not keep up, ms. */
const againMs = 2000

/**
 * Streams an agent's pane and answers its status question.
 * @param onText called with what it prints
 * @returns the way to stop
 */
function listenToAgent(socket: string, pane: string, onText: (text: string) => void): () => Promise<void> {
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

/** @param pid the agent's @returns the way to stop */
function listenToOwned(terminal: string, pid: number, onText: (text: string) => void): () => Promise<void> {
  const decoder = new StringDecoder('utf8')
  const output = receiveOutput(terminalRequests(placesOf().terminals), terminal, {
    onBegin: () => undefined,
    onBytes(bytes) {
      const text = decoder.write(bytes)
      if (hasTerminal(pid)) onText(text)
    },
    onLost: () => undefined,
  })
  void output.start()
  return output.stop
}

/** What a shell prints in front of an agent that was stopped is not the agent's. */
function hasTerminal(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== undefined && stat.foreground === stat.group
}

/**
 * @param answers7501 in each tmux server, or in the one with this socket alone
 * @returns the way to stop; undefined if the terminal is not streamed
 */
export function listenToTerminal(
  pid: number,
  { tmux, pane, terminal }: Surroundings,
  answers7501: boolean | string,
  onText: (data: string) => void,
): (() => Promise<void>) | undefined {
  if (terminal !== undefined) return listenToOwned(terminal, pid, onText)
  const isAsked = answers7501 === true || answers7501 === tmux
  return tmux === undefined || pane === undefined || !isAsked ? undefined : listenToAgent(tmux, pane, onText)
}
