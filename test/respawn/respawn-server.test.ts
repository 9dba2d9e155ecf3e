import path from 'node:path'
import { expect, test } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { takeLease } from '../../src/respawn/control/respawn-server.ts'
import { temporaryFolder } from '../support/lull.ts'

test('a runtime folder whose path leaves no room for its socket is told', () => {
  const folder = temporaryFolder()
  const runtime = path.join(folder, 'r'.repeat(90 - folder.length))
  const places = placesOf({ HOME: folder, LULL_RUNTIME_DIR: runtime })
  expect(() => takeLease(places, 'aaaaaaaa')).toThrow(/aaaaaaaa\.sock is too long for a socket/)
})
