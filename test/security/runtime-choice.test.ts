/** Which runtime folder is chosen: one that nobody else can be first in, and the same for every shell of a user. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { temporaryFolder } from '../support/lull.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'

describe('the runtime folder', () => {
  test('is never in /tmp by itself: XDG_RUNTIME_DIR if it is this user’s alone, else below the state', () => {
    const home = temporaryFolder()
    const own = temporaryFolder()
    const env = { HOME: home, XDG_RUNTIME_DIR: own }
    expect(placesOf(env).runtime).toBe(path.join(own, 'lull'))
    chmodSync(own, 0o777)
    const usual = [`/run/user/${process.getuid?.()}/lull`, path.join(home, '.local/state/lull/run')]
    expect(usual).toContain(placesOf(env).runtime)
    expect(usual).toContain(placesOf({ HOME: home }).runtime)
    expect(usual).toContain(placesOf({ HOME: home, XDG_RUNTIME_DIR: '/no/such' }).runtime)
  })

  test.each(['.local/state/lull/run', 'tmp/lull-1000'])('was %s: only while a host is in it', was => {
    const home = temporaryFolder()
    const runtime = path.join(home, was)
    const state = path.join(home, '.local/state/lull')
    for (const folder of [state, runtime]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (was.startsWith('tmp')) chmodSync(path.dirname(runtime), 0o1777)
    writeFileSync(path.join(state, 'runtime'), `${runtime}\n`)
    const own = temporaryFolder()
    const env = { HOME: home, XDG_RUNTIME_DIR: own }
    expect(placesOf(env).runtime).toBe(path.join(own, 'lull'))
    writeFileSync(path.join(runtime, 'host.sock'), '')
    expect(placesOf(env).runtime).toBe(runtime)
  })

  test('that another user notes is not believed', context => {
    needsOtherUser(context)
    const home = temporaryFolder()
    const state = path.join(home, '.local/state/lull')
    const theirs = temporaryFolder()
    giveAway(theirs)
    mkdirSync(state, { recursive: true, mode: 0o700 })
    writeFileSync(path.join(state, 'runtime'), `${theirs}\n`)
    expect(placesOf({ HOME: home, XDG_RUNTIME_DIR: '' }).runtime).not.toBe(theirs)
  })
})
