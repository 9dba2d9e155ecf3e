/**
 * `lull host stdio`: the API for one client, over stdin and stdout, for as long as that is connected. Whoever may run it is this user,
 * so that it asks for no token. It asks the host, if one runs; else this process searches for itself.
 */
import type { Readable, Writable } from 'node:stream'
import { connect } from '../../connect/connect.ts'
import { stdioGreeting } from '../../fleet/box-greeting.ts'
import { protocol } from '../../host/messages.ts'
import { bothWays } from '../../os/both-ways.ts'
import { placesOf } from '../../os/file/places.ts'
import { realClock } from '../../track/clock.ts'
import { pipeServer } from './pipe-server.ts'

/** Resolves once the client has gone. */
export async function serveStdio(version: string, input: Readable, output: Writable): Promise<void> {
  const clock = realClock(true)
  const lull = await connect()
  const startedAt = new Date(clock.wall()).toISOString()
  const server = await pipeServer({
    ...{ places: placesOf(), clock, version, lull },
    changes: async () => lull.changes(),
    status: async () => ({
      ...{ pid: process.pid, version, protocol, startedAt, sessions: (await lull.sessions()).length },
      hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
    }),
    // Hooks come to a host.
    receive: () => undefined,
    complain: () => undefined,
  })
  const gone = new Promise<void>(resolve => {
    // At its end an HTTP/2 session that waits for requests does not end by itself.
    input
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve())
    output.on('close', resolve).on('error', () => resolve())
  })
  output.write(stdioGreeting(server.greeting()))
  await Promise.race([gone, server.serve(bothWays(input, output), 'act', 'ssh')])
  await server.close()
}
