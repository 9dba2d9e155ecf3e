/**
 * Who is attached to a terminal: what it prints goes to each of them, and what they type goes to its program. Whose window
 * was opened or changed last sets the size.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLullError } from '../core/lull-error.ts'
import type { HeldTerminal } from './held-terminal.ts'
import type { HeldTerminals } from './held-terminals.ts'
import { viewerOutput } from './viewer-output.ts'

/** Who reads slower than the program prints gets the screen as it is, once he has read what he was sent. */
const mostUnread = 512 * 1024

const clear = '\u001b[!p\u001b[?1049l\u001b[0m\u001b[H\u001b[2J\u001b[3J'

export function acceptViewers(server: Server, terminals: HeldTerminals): void {
  server.on('upgrade', (request, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    const url = new URL(request.url ?? '', 'http://lull')
    const name = /^\/v1\/terminals\/([^/]+)\/attach$/.exec(url.pathname)?.[1]
    try {
      const terminal = terminals.get(decodeURIComponent(name ?? ''))
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lull\r\n\r\n')
      void show(terminal, socket, url.searchParams)
    } catch (error) {
      const { code, message, facts } = isLullError(error)
        ? error
        : { code: 'NO_SESSION', message: '', facts: {} }
      const body = JSON.stringify({ code, message, facts })
      socket.end(
        `HTTP/1.1 422 Unprocessable\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    }
  })
}

async function show(terminal: HeldTerminal, socket: Socket, asked: URLSearchParams): Promise<void> {
  const [columns, rows] = [Number(asked.get('columns')), Number(asked.get('rows'))]
  const isReadOnly = asked.get('readOnly') === 'true'
  if (columns > 0 && rows > 0 && !isReadOnly) terminal.resize({ columns, rows })
  let held = ''
  let isBehind = true

  async function renew(): Promise<void> {
    const snapshot = await terminal.snapshot()
    held = ''
    isBehind = false
    socket.write(`${clear}${snapshot}`)
  }
  const leave = terminal.listen(piece => {
    if (isBehind) return
    if (socket.writableLength > mostUnread) {
      isBehind = true
      return
    }
    const output = viewerOutput(piece.toString('latin1'), held)
    held = output.held
    socket.write(output.shown, 'latin1')
  })
  socket.on('drain', () => {
    if (isBehind) void renew()
  })
  socket.on('data', keys => {
    if (!isReadOnly) terminal.write(keys)
  })
  socket.on('close', leave)
  await renew()
  await terminal.ended
  socket.end()
}
