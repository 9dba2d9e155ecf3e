/** An API under attack: who has no token, and what breaks its files, must not keep its owner from closing it. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { lullHere } from '../support/lull-here.ts'
import { jsonHere, served } from '../support/served.ts'

const sockets: net.Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** A connection that says nothing. */
async function silent(port: number): Promise<{ readonly closed: Promise<unknown> }> {
  const socket = net.connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return { closed: new Promise(resolve => socket.once('close', resolve)) }
}

describe.runIf(process.platform === 'linux')('an API', () => {
  test('is closed though a client never finishes its TLS handshake', async ({ skip }) => {
    const { env, port } = await served()
    const [cert, key] = ['cert.pem', 'key.pem'].map(name => path.join(env.HOME ?? '', name))
    const made = attempt(() =>
      execFileSync('openssl', [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-keyout', key ?? '', '-out', cert ?? '', '-days', '2', '-subj', '/CN=localhost'],
      ]),
    )
    skip(made === undefined, 'there is no openssl here to make a certificate')
    const words = ['serve', '--port', String(port), '--tls-cert', cert ?? '', '--tls-key', key ?? '']
    expect(await jsonHere(words, env)).toMatchObject({ code: 0, served: true })
    const { closed } = await silent(port)
    expect(await jsonHere(['serve', 'stop'], env)).toMatchObject({ code: 0, stopped: true })
    await closed
  })

  test('is closed, and opened anew, though its settings can’t be read', async () => {
    const { env, port, url, read } = await served()
    const settings = path.join(env.XDG_STATE_HOME ?? '', 'lull/serve/settings.json')
    writeFileSync(settings, '{')
    const status = await lullHere(['serve', 'status'], env)
    expect([status.code, status.stderr]).toEqual([1, expect.stringContaining('lull serve writes it anew')])
    // What is shown as closed is closed.
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
    expect(await jsonHere(['serve', '--port', String(port)], env)).toMatchObject({ code: 0, served: true })
    expect(await read('/v1/status')).toMatchObject({ serve: { readOnly: false } })
    writeFileSync(settings, '{')
    expect(await jsonHere(['serve', 'stop'], env)).toMatchObject({ code: 0, stopped: true })
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })
})
