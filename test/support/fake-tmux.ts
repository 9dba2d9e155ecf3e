/** What stands where a tmux server should: it takes connections, and says what a test wants. */
import net from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { encode } from '../../src/os/tmux/client-messages.ts'
import { temporaryFolder } from './lull.ts'

/**
 * @param messages told to each client once it has asked: type and data
 * @returns its socket, and all that clients have sent
 */
export async function fakeServer(
  ...messages: readonly (readonly [type: number, data?: Buffer])[]
): Promise<{ readonly socket: string; readonly received: () => Buffer }> {
  const socket = path.join(temporaryFolder(), 'fake')
  const received: Buffer[] = []
  const server = net.createServer(client => {
    client.on('error', () => undefined)
    client.on('data', bytes => received.push(bytes))
    client.once('data', () => {
      for (const [type, data] of messages) client.write(encode(type, data))
      if (messages.length === 0) client.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  return { socket, received: () => Buffer.concat(received) }
}
