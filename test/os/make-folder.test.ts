import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../bin/make-folder.js'
import { temporaryFolder } from '../support/lull.ts'

const modeOf = (folder: string): number => statSync(folder).mode & 0o777

test('a folder and those above it are made, and those that are there stay as they are', () => {
  const top = path.join(temporaryFolder(), 'top')
  mkdirSync(top, { mode: 0o750 })
  makeFolder(path.join(top, 'a/b'), 0o700)
  makeFolder(path.join(top, 'a/b'), 0o755)
  expect([top, path.join(top, 'a'), path.join(top, 'a/b')].map(modeOf)).toEqual([0o750, 0o700, 0o700])
})

test('what can’t be made is an error, as soon as that is known', () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(path.join(file, 'a'))).toThrow(file)
  expect(() => makeFolder(file)).toThrow('EEXIST')
  // Node's own recursive mkdir never comes back from this one.
  if (process.platform === 'linux') expect(() => makeFolder('/proc/nowhere/a')).toThrow('ENOENT')
})
