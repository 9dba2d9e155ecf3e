/** What changes in files while a CLI is recorded. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { watchFiles } from '../../src/run/watched-files.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

function watched(...roots: readonly string[]) {
  const seen: string[] = []
  const close = watchFiles(roots, {
    onLine: (file, line) => seen.push(`${path.basename(file)}: ${line}`),
    onContent: (file, content) => seen.push(`${path.basename(file)} = ${content}`),
    onNotice: sentence => seen.push(sentence.replace(/.*\//, '')),
  })
  const shows = (what: string) =>
    until(
      () => seen,
      all => all.includes(what),
      `"${what}"`,
    )
  return { seen, shows, close }
}

test('lines that are appended, whole ones only, and none that stood there before', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'a.log')
  writeFileSync(file, 'old\nbegun ')
  const { seen, shows, close } = watched(folder)
  appendFileSync(file, 'before\none\ntw')
  await shows('a.log: one')
  appendFileSync(file, 'o\nthree')
  await shows('a.log: two')
  close()
  expect(seen).toEqual(['a.log: one', 'a.log: two'])
})

test('files and folders that come', async () => {
  const folder = temporaryFolder()
  const { seen, close } = watched(folder)
  mkdirSync(path.join(folder, 'deep/er'), { recursive: true })
  writeFileSync(path.join(folder, 'deep/er/b.jsonl'), '{}\n')
  // What nobody told of is read at the end.
  close()
  expect(seen).toEqual(['b.jsonl: {}'])
})

test('small JSON files as they are now, replaced or removed', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'status.json')
  writeFileSync(file, '1')
  const { seen, close } = watched(file)
  writeFileSync(`${file}.new`, '2')
  renameSync(`${file}.new`, file)
  close()
  const again = watched(folder)
  writeFileSync(file, '3')
  await again.shows('status.json = 3')
  rmSync(file)
  await again.shows('status.json = null')
  again.close()
  expect(seen).toEqual(['status.json = 2'])
})

test('what is large or no text is named once, and left out', async () => {
  const folder = temporaryFolder()
  const { seen, shows, close } = watched(folder)
  writeFileSync(path.join(folder, 'big.json'), `"${'x'.repeat(70_000)}"`)
  await shows('big.json is larger than 64 kB and no lines: it is not recorded')
  writeFileSync(path.join(folder, 'data.db'), 'SQLite\0\n')
  await shows('data.db holds bytes that are no text: it is not recorded')
  appendFileSync(path.join(folder, 'data.db'), 'more\n')
  close()
  expect(seen).toHaveLength(2)
})

test('a path that is not there is a sentence', () => {
  expect(() => watched('/no/such')).toThrow('--watch /no/such: no such file or folder')
})
