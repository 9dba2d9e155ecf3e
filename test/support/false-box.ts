/** A program in the place of `lull host stdio` on a box, which does what its first argument says. Run by ssh, in a process of its own. */
import http2 from 'node:http2'
import { Duplex } from 'node:stream'
import { stdioGreeting } from '../../src/fleet/box-greeting.ts'
import { protocol } from '../../src/host/messages.ts'
import type { LiveChange } from '../../src/sessions/session-source.ts'
import { finished, liveSession, news, prompt, sessionOf } from './live.ts'
import { changeLine, greeting } from './scripted-host.ts'

const [, , what] = process.argv

const idle = liveSession(sessionOf([prompt(1), news(2, finished)]))
const evil = '\u001b]0;evil\u0007\u001b[2J\u202e<b>&evil;</b>\r\nlull ps'
const sessions = [
  { ...idle, id: 'evil0000', name: evil, title: evil.repeat(10_000), cwd: `/srv/${evil}`, note: evil },
  { ...idle, id: 'spoofed0@box1', host: 'box1', name: 'spoofed' },
  { ...idle, id: '@box1', host: 'box1', name: 'spoofed' },
  ...Array.from({ length: 1000 }, (_, n) => ({ ...idle, id: `id${n}` })),
]
const snapshot: LiveChange = { type: 'snapshot', sessions: what === 'hostile' ? sessions : [idle] }

/** As fast as it is read. */
function flood(stream: http2.ServerHttp2Stream): void {
  let n = 0
  const pour = (): void => {
    while (!stream.destroyed) {
      const session = { ...idle, title: `${n++} ${evil}` }
      if (!stream.write(changeLine({ type: 'changed', session }))) {
        stream.once('drain', pour)
        return
      }
    }
  }
  pour()
}

if (what === 'old') process.stdout.write(stdioGreeting({ protocol: 4, version: '0.0.9', now: 1, wall: 1 }))
else if (what === 'noise') {
  // Whoever read it may have gone.
  process.stdout.on('error', () => process.exit())
  const more = (): void =>
    void process.stdout.write('no lull here\n'.repeat(1000), error =>
      error ? process.exit() : setImmediate(more),
    )
  more()
} else {
  process.stdout.write(stdioGreeting({ protocol, version: '0', now: 1, wall: Date.now() }))
  const server = http2.createServer()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    const path = headers[':path'] ?? ''
    // An action is taken, and not answered, or not to the end.
    if (headers[':method'] === 'POST') {
      if (what === 'swallow') process.exit(1)
      stream.respond({ ':status': 200 })
      const isStaged = headers.accept === 'application/x-ndjson'
      stream.write(isStaged ? '{"stage":"received"}\n{"stage":"given"}\n' : '{"action":"1","confirmed":')
      setTimeout(() => process.exit(1), 50)
      return
    }
    stream.respond({ ':status': 200 })
    if (path.includes('/terminal')) {
      stream.end(JSON.stringify({ pane: { id: '%1', pid: 1, socket: 's', tty: 't' } }))
      return
    }
    stream.write(greeting() + changeLine(snapshot))
    if (!path.includes('follow=true')) stream.end()
    else if (what === 'flood') flood(stream)
  })
  server.emit('connection', Duplex.from({ readable: process.stdin, writable: process.stdout }))
}
