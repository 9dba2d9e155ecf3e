import { writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { controlRespawn, listRespawns } from '../../src/respawn/control/respawn-requests.ts'
import { respawnSocket, serveRespawn, takeLease } from '../../src/respawn/control/respawn-server.ts'
import type { RespawnStatus } from '../../src/respawn/status.ts'
import { temporaryFolder } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'

test('a runtime folder whose path leaves no room for its socket is told', () => {
  const folder = temporaryFolder()
  const runtime = path.join(folder, 'r'.repeat(90 - folder.length))
  const places = placesOf({ HOME: folder, LULL_RUNTIME_DIR: runtime })
  expect(() => takeLease(places, 'aaaaaaaa')).toThrow(/aaaaaaaa\.sock is too long for a socket/)
})

const status = {
  ...{ session: 'bbbbbbbb', agent: 'claude', plan: 'night', pid: 1, phase: 'watching' },
  ...{ since: 0, cycle: 1, step: 1, steps: 1 },
  tally: { sent: 0, turns: 0 },
  detection: { statusText: 'watching' },
} as RespawnStatus

test.each(['not JSON', 'null', '[]', '{"session":"aaaaaaaa"}', JSON.stringify({ ...status, since: 1e300 })])(
  'what answers %s is left out with a sentence, and the others are listed',
  async garbage => {
    const places = placesOf(ownPlaces())
    const lease = takeLease(places, 'aaaaaaaa')
    const server = http.createServer((_, response) => response.end(garbage))
    await new Promise<void>(resolve => server.listen(respawnSocket(places, 'aaaaaaaa'), resolve))
    const good = await serveRespawn(places, 'bbbbbbbb', {
      status: () => status,
      control: async () => undefined,
    })
    onTestFinished(async () => {
      server.close()
      await good.close()
      lease.release()
    })
    const said: string[] = []
    expect(await listRespawns(places, sentence => said.push(sentence))).toEqual([status])
    expect(said).toEqual(['the respawn of aaaaaaaa answers what is no status: it is left out'])
    await expect(controlRespawn(places, 'aaaaaaaa', 'pause')).rejects.toMatchObject({ code: 'RESPAWN_GONE' })
  },
)

test('a socket file that nobody listens at is nobody', async () => {
  const places = placesOf(ownPlaces())
  takeLease(places, 'aaaaaaaa').release()
  writeFileSync(respawnSocket(places, 'aaaaaaaa'), '')
  expect(await listRespawns(places)).toEqual([])
})

test('a stop is answered once what was typed has settled, though it is closed in the meantime', async () => {
  const places = placesOf(ownPlaces())
  takeLease(places, 'bbbbbbbb').release()
  const [asked, settled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSettled = false
  const server = await serveRespawn(places, 'bbbbbbbb', {
    status: () => ({ ...status, phase: isSettled ? 'stopped' : 'sending' }),
    async control() {
      asked.resolve()
      await settled.promise
    },
  })
  const answer = controlRespawn(places, 'bbbbbbbb', 'stop')
  await asked.promise
  const closed = server.close()
  isSettled = true
  settled.resolve()
  expect(await answer).toMatchObject({ phase: 'stopped' })
  await closed
})
