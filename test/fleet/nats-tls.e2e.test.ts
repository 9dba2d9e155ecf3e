/** A fleet over TLS with a private CA: the server is known by its name, and what is no such server is refused, with the reason. */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lull, type Run, temporaryFolder } from '../support/lull.ts'
import { natsHub, natsServer } from '../support/nats-hub.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

const isHere = natsServer.file !== undefined && existsSync('/usr/bin/openssl')

describe.runIf(process.platform === 'linux' && isHere)(`a fleet over TLS${natsServer.skipped}`, () => {
  const folder = temporaryFolder()
  const file = (name: string): string => path.join(folder, name)
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']

  function makeAuthority(name: string): string {
    const files = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
    openssl('req', '-x509', ...newKey, '-subj', `/CN=${name}`, ...files)
    return file(`${name}.pem`)
  }
  /** @returns configuration of a server whose certificate has these names */
  function certified(name: string, names: string, authority: string): string {
    const by = ['-CA', authority, '-CAkey', authority.replace(/pem$/, 'key')]
    const made = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-subj',
      '/CN=hub',
      '-addext',
      `subjectAltName=${names}`,
      ...by,
      ...made,
    )
    const config = file(`${name}.conf`)
    writeFileSync(config, `tls { cert_file: "${file(`${name}.pem`)}", key_file: "${file(`${name}.key`)}" }\n`)
    return config
  }

  const authority = makeAuthority('authority')
  const trusting = { NODE_EXTRA_CA_CERTS: authority }
  const [host, viewer] = [
    { ...ownPlaces(), ...trusting },
    { ...ownPlaces(), ...trusting },
  ]
  const at = (url: string, scheme: string, name: string): string =>
    url.replace('nats://127.0.0.1', `${scheme}://${name}`)
  const look = (url: string, env: object = { ...ownPlaces(), ...trusting }): Promise<Run> =>
    lull(['fleet', 'join', url, '--view'], [], env)
  let hub: Awaited<ReturnType<typeof natsHub>>

  beforeAll(async () => {
    hub = await natsHub(certified('hub', 'DNS:localhost', authority))
  })
  afterAll(async () => {
    await lull(['terminals', 'stop', '--force'], [], host)
    await lull(['host', 'stop'], [], host)
    await hub.kill()
  })

  test('a host joins, and is listed and acted on', async () => {
    const url = at(hub.url, 'tls', 'localhost')
    await lull(['open', 'work', '--', 'bash', '--norc'], [], host)
    const join = ['fleet', 'join', url, '--name', 'red', '--without-keys']
    expect(await lull(join, [], host)).toMatchObject({ code: 0, stderr: '' })
    expect(await look(url, viewer)).toMatchObject({ code: 0, stderr: '' })
    await until(
      () => lull(['ps', '--fleet'], [], viewer),
      ({ stdout }) => /idle.*@red/.test(stdout),
      'its session',
    )
    expect(await lull(['send', 'work@red', 'echo over-$((40+2))', '--wait'], [], viewer)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('over-42'),
    })
  })

  test('a server of an authority that is not trusted is refused', async () => {
    expect(await look(at(hub.url, 'tls', 'localhost'), ownPlaces())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/certificate.*for a private CA, set NODE_EXTRA_CA_CERTS=FILE/),
    })
  })

  test('a server of another name is refused, also where it is reached by an address', async () => {
    const other = await natsHub(certified('other', 'DNS:elsewhere,IP:127.0.0.1', authority))
    try {
      expect(await look(at(other.url, 'tls', 'localhost'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/localhost.*elsewhere/),
      })
      expect(await look(at(hub.url, 'tls', '127.0.0.1'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/127\.0\.0\.1/),
      })
      expect(await look(at(other.url, 'tls', '127.0.0.1'))).toMatchObject({ code: 0 })
    } finally {
      await other.kill()
    }
  })

  test('a server without TLS is refused where TLS is asked for', async () => {
    const plain = await natsHub()
    try {
      expect(await look(at(plain.url, 'tls', 'localhost'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/tls/i),
      })
    } finally {
      await plain.kill()
    }
  })
})
