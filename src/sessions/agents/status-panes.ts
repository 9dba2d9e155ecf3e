/**
 * What agents print in tmux, read where the person asked for it (`--answer-7501`): their program status, titles and
 * paint. One that tells its status only to a terminal that answers its question is answered in the terminal's place,
 * after looking that it is an agent that asks.
 */
import { StringDecoder } from 'node:string_decoder'
import { statusAnswer, statusQuestions } from '../../agents/kit/status-protocol.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { readStat } from '../../os/proc/stat.ts'
import { askTmux, sendBytes, tmuxSessions } from '../../os/tmux/ask-tmux.ts'
import { type ControlClient, controlClient } from '../../os/tmux/control-client.ts'
import type { ControlLine } from '../../os/tmux/control-lines.ts'
import { recognise } from '../discover/recognise-agent.ts'

export type Panes = {
  /** Reads all sessions of a tmux server, from now on. */
  watch(socket: string): void
  close(): void
}

/**
 * tmux 3.3a may crash where a client attaches in the very moment in which sessions come or go (attach-gate.ts), and scripts
 * make several at once: ms without such news before anyone attaches. Agents ask their question later than that.
 */
const settleMs = 100

/** @param printed called with what a pane prints */
export function watchPanes(printed: (socket: string, pane: string, text: string) => void): Panes {
  const clients = new Map<string, ControlClient>()
  const decoders = new Map<string, StringDecoder>()
  const servers = new Set<string>()
  const settling = new Map<string, NodeJS.Timeout>()
  let isClosed = false

  function attachSoon(socket: string): void {
    clearTimeout(settling.get(socket))
    settling.set(
      socket,
      setTimeout(() => void attachAll(socket), settleMs),
    )
  }

  async function attachAll(socket: string): Promise<void> {
    for (const session of await tmuxSessions(socket)) {
      const key = `${socket} ${session}`
      if (isClosed || clients.has(key)) continue
      clients.set(
        key,
        controlClient(socket, session, line => onLine(socket, key, line)),
      )
    }
    if (![...clients.keys()].some(key => key.startsWith(`${socket} `))) servers.delete(socket)
  }

  function onLine(socket: string, key: string, line: ControlLine): void {
    switch (line.type) {
      case 'sessions-changed':
        attachSoon(socket)
        return
      case 'exit':
        clients.delete(key)
        if (!isClosed) attachSoon(socket)
        return
      case 'output': {
        const pane = `${socket} ${line.pane}`
        const decoder = decoders.get(pane) ?? new StringDecoder('utf8')
        decoders.set(pane, decoder)
        const text = decoder.write(line.bytes)
        if (statusQuestions.some(asked => text.includes(asked))) void reply(socket, line.pane)
        printed(socket, line.pane, text)
      }
    }
  }

  /** Anything may print the question; only an agent in the foreground is answered. */
  async function reply(socket: string, pane: string): Promise<void> {
    const shell = Number(
      await askTmux(socket, 'display-message', '-p', '-t', pane, '#{pane_pid}').catch(() => ''),
    )
    if (isAgentInForeground(shell)) await sendBytes(socket, pane, statusAnswer).catch(() => undefined)
  }

  return {
    watch(socket) {
      if (servers.has(socket) || isClosed) return
      servers.add(socket)
      void attachAll(socket)
    },
    close() {
      isClosed = true
      for (const timer of settling.values()) clearTimeout(timer)
      for (const client of clients.values()) client.close()
      clients.clear()
    },
  }
}

function isAgentInForeground(shell: number): boolean {
  const leader = readStat(shell)?.foreground
  return leader !== undefined && recognise(readArguments(leader)) !== undefined
}
