/** Real files that are written, replaced and removed while somebody watches. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tailFile } from '../../src/os/file/tail-file.ts'
import { watchFile, watchFolder } from '../../src/os/file/watch-file.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

function watched(file: string) {
  let changes = 0
  const watch = watchFile(file, () => changes++)
  onTestFinished(watch.close)
  return { watch, next: (act: () => void) => noticed(() => changes, act) }
}

async function noticed(count: () => number, act: () => void): Promise<void> {
  const before = count()
  act()
  await until(count, now => now > before, 'a change')
}

test('a change of a file is noticed, also after another took its place, and once it is there at all', async () => {
  const file = path.join(temporaryFolder(), 'file')
  const { watch, next } = watched(file)
  expect(watch.isWatched()).toBe(false)
  await next(() => writeFileSync(file, 'one'))
  expect(watch.isWatched()).toBe(true)
  await next(() => appendFileSync(file, 'two'))
  writeFileSync(`${file}.new`, 'three')
  await next(() => renameSync(`${file}.new`, file))
  await next(() => appendFileSync(file, 'four'))
})

test('a folder that comes later is watched once it is looked for', async () => {
  const folder = path.join(temporaryFolder(), 'folder')
  let changes = 0
  const watch = watchFolder(folder, () => changes++)
  onTestFinished(watch.close)
  mkdirSync(folder)
  watch.renew()
  await noticed(
    () => changes,
    () => writeFileSync(path.join(folder, 'file'), ''),
  )
})

test('lines come by themselves as they are written, each once, across a file that is made anew', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, 'first\n')
  const lines: string[] = []
  const tail = tailFile(file, more => lines.push(...more))
  onTestFinished(tail.close)
  const sees = (...expected: readonly string[]) =>
    until(
      () => lines.join(),
      now => now === expected.join(),
    )
  tail.readOn()
  expect(lines).toEqual(['first'])
  appendFileSync(file, 'second\nthi')
  await sees('first', 'second')
  appendFileSync(file, 'rd\n')
  await sees('first', 'second', 'third')
  rmSync(file)
  tail.readOn()
  writeFileSync(file, 'new\n')
  await sees('first', 'second', 'third', 'new')
})

test('after it was closed nothing is noticed', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const lines: string[] = []
  const tail = tailFile(file, more => lines.push(...more))
  const other = watched(file)
  tail.close()
  await other.next(() => appendFileSync(file, 'line\n'))
  tail.readOn()
  expect(lines).toEqual([])
})
