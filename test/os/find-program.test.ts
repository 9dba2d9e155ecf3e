/** Which file a command means. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesOfProgram, isProgram, programOnPath } from '../../src/os/spawn/find-program.ts'
import { temporaryFolder } from '../support/lull.ts'

function folderWith(...programs: readonly string[]): string {
  const folder = temporaryFolder()
  for (const name of programs) {
    writeFileSync(path.join(folder, name), '')
    chmodSync(path.join(folder, name), 0o755)
  }
  return folder
}

test('a program is a file that may be executed: no folder, and nothing that is not there', () => {
  const folder = folderWith('tool')
  writeFileSync(path.join(folder, 'text'), '')
  mkdirSync(path.join(folder, 'folder'))
  const found = ['tool', 'text', 'folder', 'none'].filter(name => isProgram(path.join(folder, name)))
  expect(found).toEqual(['tool'])
})

test('a word is looked for on the path, folder by folder; one with a slash stands for itself', () => {
  expect(filesOfProgram('tool', '/work', '/usr/bin:bin:')).toEqual([
    '/usr/bin/tool',
    '/work/bin/tool',
    '/work/tool',
  ])
  expect(filesOfProgram('./tool', '/work', '/usr/bin')).toEqual(['/work/tool'])
  expect(filesOfProgram('/opt/tool', '/work')).toEqual(['/opt/tool'])
})

test('of several names the first folder decides, and relative folders are passed over', () => {
  const [first, second] = [folderWith('new'), folderWith('old', 'new')]
  expect(programOnPath(['old', 'new'], `.:${first}:${second}`)).toBe(path.join(first, 'new'))
  expect(programOnPath(['old', 'new'], second)).toBe(path.join(second, 'old'))
  expect(programOnPath(['old'], first)).toBeUndefined()
  expect(programOnPath(['old'])).toBeUndefined()
})
