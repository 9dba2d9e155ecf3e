/** Compiled code is run as it lies there: whoever may write it, runs code in every later `lull`. */
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ownProgram } from '../../src/os/spawn/own-program.ts'
import { lullFrom, type Run, temporaryFolder } from '../support/lull.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'

type Place = {
  readonly env: Readonly<Record<'HOME' | 'XDG_CACHE_HOME' | 'TMPDIR' | 'NODE_COMPILE_CACHE', string>>
  /** Where lull keeps its compiled code. */
  readonly cache: string
  /** Is there once forged code has run. */
  readonly marker: string
}

function place(): Place {
  const home = temporaryFolder()
  const env = {
    HOME: home,
    XDG_CACHE_HOME: path.join(home, 'cache'),
    TMPDIR: path.join(home, 'tmp'),
    NODE_COMPILE_CACHE: '',
  }
  mkdirSync(env.TMPDIR)
  return { env, cache: path.join(env.XDG_CACHE_HOME, 'lull/compile'), marker: path.join(home, 'marker') }
}

const version = (env: object): Promise<Run> => lullFrom(ownProgram, ['--version'], [], env)

/** Node's compiled code of this checkout, in which the command line first writes the marker. */
async function forge(into: string, { env, marker }: Place): Promise<void> {
  const real = path.join(temporaryFolder(), 'real')
  await version({ ...env, NODE_COMPILE_CACHE: real })
  const evil = Buffer.from(`import{writeFileSync as w}from'node:fs';w(${JSON.stringify(marker)},'');`)
  let forged = 0
  for (const file of globSync('*/*', { cwd: real })) {
    const [header, body] = [
      readFileSync(path.join(real, file)).subarray(0, 20),
      readFileSync(path.join(real, file)).subarray(20),
    ]
    // A module of TypeScript is kept as its text without types, behind five numbers: the 3rd its size, the 5th its sum.
    if (!body.toString().startsWith('/** The command line.')) continue
    const text = Buffer.concat([evil, body])
    header.writeUInt32LE(text.length, 8)
    header.writeUInt32LE(crc32(text), 16)
    writeFileSync(path.join(real, file), Buffer.concat([header, text]))
    forged++
  }
  expect(forged).toBe(1)
  mkdirSync(into, { recursive: true, mode: 0o700 })
  cpSync(real, into, { recursive: true })
}

async function hasRunForgedCode({ env, marker }: Place): Promise<boolean> {
  expect(await version(env)).toEqual({ code: 0, stdout: expect.any(String), stderr: '' })
  return existsSync(marker)
}

describe('compiled code', () => {
  test('is kept in a folder of lull’s own, closed to others, and read from there', async () => {
    const there = place()
    await version(there.env)
    expect(statSync(there.cache).mode & 0o777).toBe(0o700)
    expect(globSync('*/*', { cwd: there.cache }).length).toBeGreaterThan(0)
    // What this user has put there is run: so the forged code of the other tests would be.
    await forge(there.cache, there)
    expect(await hasRunForgedCode(there)).toBe(true)
  })

  test('is not read from the folder that anybody may have made first', async () => {
    const there = place()
    await forge(path.join(there.env.TMPDIR, 'node-compile-cache'), there)
    expect(await hasRunForgedCode(there)).toBe(false)
  })

  test('is not read from a folder that others may write, also further up', async () => {
    for (const open of [(there: Place) => there.cache, (there: Place) => there.env.XDG_CACHE_HOME]) {
      const there = place()
      await forge(there.cache, there)
      chmodSync(open(there), 0o777)
      expect(await hasRunForgedCode(there)).toBe(false)
    }
  })

  test('is not read through a link in its place', async () => {
    const there = place()
    const elsewhere = temporaryFolder()
    await forge(elsewhere, there)
    mkdirSync(path.dirname(there.cache), { recursive: true })
    symlinkSync(elsewhere, there.cache)
    expect(await hasRunForgedCode(there)).toBe(false)
  })

  test.for([
    ['the folder', ''],
    ['the folder above', '..'],
    ['a folder of one version in it', 'VERSION'],
  ] as const)('is not read where %s is another user’s', async ([, which], context) => {
    needsOtherUser(context)
    const there = place()
    await forge(there.cache, there)
    const [version = ''] = globSync('*', { cwd: there.cache })
    giveAway(path.join(there.cache, which.replace('VERSION', version)))
    expect(await hasRunForgedCode(there)).toBe(false)
  })

  test('that the person keeps elsewhere stays there', async () => {
    const there = place()
    const chosen = path.join(temporaryFolder(), 'chosen')
    await version({ ...there.env, NODE_COMPILE_CACHE: chosen })
    expect(globSync('*/*', { cwd: chosen }).length).toBeGreaterThan(0)
    expect(existsSync(there.cache)).toBe(false)
  })
})
