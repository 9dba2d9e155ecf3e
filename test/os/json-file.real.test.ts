/** Small files of JSON, read and written whole. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readJsonFile, writeJsonFile } from '../../src/os/file/json-file.ts'
import { temporaryFolder } from '../support/lull.ts'

test('what was written is read again; the file is this user’s alone, and nothing stays beside it', () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'one.json')
  writeJsonFile(file, { first: 1 })
  writeJsonFile(file, { second: { third: [2, null] } })
  expect(readJsonFile(file)).toEqual({ second: { third: [2, null] } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['one.json'])
})

test('one line, or indented for people', () => {
  const file = path.join(temporaryFolder(), 'one.json')
  writeJsonFile(file, { first: 1 })
  expect(readFileSync(file, 'utf8')).toBe('{"first":1}\n')
  writeJsonFile(file, { first: 1 }, 2)
  expect(readFileSync(file, 'utf8')).toBe('{\n  "first": 1\n}\n')
})

test.each(['', '{"torn', '[1]', '7', 'null'])('a file that holds no object is as none: %j', text => {
  const file = path.join(temporaryFolder(), 'one.json')
  expect(readJsonFile(file)).toEqual({})
  writeFileSync(file, text)
  expect(readJsonFile(file)).toEqual({})
})

test('where it can’t be put in its place, what was there stays, and nothing beside it', () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'one.json')
  mkdirSync(path.join(file, 'taken'), { recursive: true })
  expect(() => writeJsonFile(file, {})).toThrow()
  expect(readdirSync(folder)).toEqual(['one.json'])
  expect(readdirSync(file)).toEqual(['taken'])
})

test('two hundred who change it at once, of several processes: nothing of theirs is lost', async () => {
  const file = path.join(temporaryFolder(), 'lull', 'many.json')
  const module = fileURLToPath(new URL('../../src/os/file/json-file.ts', import.meta.url))
  const script = `import { changeJsonFile } from ${JSON.stringify(module)}
const change = i => changeJsonFile(${JSON.stringify(file)}, before => ({ ...before, [process.pid + ' ' + i]: i }))
await Promise.all(Array.from({ length: 50 }, (_, i) => change(i)))`
  const node = () => promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script])
  await Promise.all([node(), node(), node(), node()])
  expect(Object.keys(readJsonFile(file))).toHaveLength(200)
  expect(readdirSync(path.dirname(file))).toEqual(['many.json'])
})

test('what killed writers left beside the files of a folder is removed, and nothing else', () => {
  const folder = temporaryFolder()
  const { pid } = spawnSync(process.execPath, ['--version'])
  const old = [
    'one.json',
    `one.json.${pid}`,
    `run.ended.${pid}`,
    `one.json.${process.ppid}`,
    `host.log.${pid}`,
  ]
  for (const name of old) {
    writeFileSync(path.join(folder, name), '{')
    utimesSync(path.join(folder, name), 1_700_000_000, 1_700_000_000)
  }
  // Its writer may live in another container.
  writeFileSync(path.join(folder, `two.json.${pid}`), '{')
  writeJsonFile(path.join(folder, 'one.json'), {})
  expect(new Set(readdirSync(folder))).toEqual(
    new Set(['one.json', `one.json.${process.ppid}`, `host.log.${pid}`, `two.json.${pid}`]),
  )
})
