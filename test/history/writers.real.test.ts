/** Several processes write at once, and some are killed. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { storeFile } from '../../src/history/store-file.ts'
import { integrityOf, placesIn, startWriter } from '../support/history.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const adds = (run: string, count: number): string => `
const history = openHistory(places)
for (let n = 0; n < ${count}; n++) history.add({ at: Date.now(), kind: 'typed', run: '${run}', data: { n } })
if (history.notices.length > 0) console.log(history.notices)
history.close()`

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('three that begin a history at once, and write thousands, lose nothing', async () => {
  const folder = temporaryFolder()
  const runs = ['a', 'b', 'c']
  const writers = runs.map(run => startWriter(folder, adds(run, 2000)))
  expect(await Promise.all(writers.map(writer => writer.ended()))).toEqual(runs.map(() => ''))
  const history = openHistory(placesIn(folder), { readOnly: true })
  for (const run of runs) {
    const found = history.entries({ run }).map(({ id, data }) => [id, (data as { n: number }).n] as const)
    expect(found.sort(([a], [b]) => a - b).map(([, n]) => n)).toEqual(numbers(2000))
  }
  expect(integrityOf(storeFile(placesIn(folder)))).toBe('ok')
})

test('many that begin at once make one history', async () => {
  const folder = temporaryFolder()
  const writers = numbers(12).map(n => startWriter(folder, adds(`${n}`, 5)))
  expect((await Promise.all(writers.map(writer => writer.ended()))).join('')).toBe('')
  expect(openHistory(placesIn(folder), { readOnly: true }).entries()).toHaveLength(60)
})

describe('a writer that is killed in the midst of thousands', () => {
  // It tells of an entry only once it was added; what it told is there whenever the kill comes.
  const body = `
import { writeSync } from 'node:fs'
const history = openHistory(places)
for (let n = 0; ; n++) {
  const id = history.add({ at: Date.now(), kind: 'typed', data: { n, text: 'x'.repeat(n % 5000) } })
  writeSync(1, id + '\\n')
}`

  test.each([200, 1500, 4000])(
    'after %i or more: each that it told of is there, and the store is whole',
    async count => {
      const folder = temporaryFolder()
      const file = storeFile(placesIn(folder))
      const { child, printed, ended } = startWriter(folder, body)
      await until(
        () => printed().split('\n').length,
        lines => lines > count,
      )
      child.kill('SIGKILL')
      const told = (await ended()).split('\n').slice(0, -1).map(Number)
      expect(told.length).toBeGreaterThanOrEqual(count)
      const history = openHistory(placesIn(folder))
      expect(history.notices).toEqual([])
      const found = new Set(history.entries({ most: Infinity }).map(({ id }) => id))
      expect(told.filter(id => !found.has(id))).toEqual([])
      // One may have been added, and not yet told of.
      expect(found.size - told.length).toBeLessThanOrEqual(1)
      const next = history.add({ at: Date.now(), kind: 'typed' })
      expect(next).toBeGreaterThan(Math.max(...told))
      history.close()
      expect(integrityOf(file)).toBe('ok')
    },
  )
})

test('one that is killed while it prunes leaves a store that is whole, with its newest entries', async () => {
  const folder = temporaryFolder()
  const { child, printed, ended } = startWriter(
    folder,
    `import { writeSync } from 'node:fs'
const history = openHistory(places, { kept: { bytes: 400_000, everyMs: 0, batch: 20 } })
for (;;) writeSync(1, history.add({ at: Date.now(), kind: 'typed', data: 'x'.repeat(3000) }) + '\\n')`,
  )
  await until(
    () => printed().split('\n').length,
    lines => lines > 1000,
  )
  child.kill('SIGKILL')
  const told = (await ended()).split('\n').slice(0, -1).map(Number)
  const history = openHistory(placesIn(folder))
  const found = history.entries().map(({ id }) => id)
  expect(found).toEqual(expect.arrayContaining(told.slice(-50)))
  expect(found.length).toBeLessThan(200)
  history.close()
  expect(integrityOf(storeFile(placesIn(folder)))).toBe('ok')
})

test('one that is stopped while it holds nothing keeps nobody from writing', async () => {
  const folder = temporaryFolder()
  const { child, printed } = startWriter(
    folder,
    `const history = openHistory(places)
history.add({ at: Date.now(), kind: 'typed' })
history.entries()
console.log('there')
setInterval(() => {}, 1000)`,
  )
  await until(printed, said => said.includes('there'))
  child.kill('SIGSTOP')
  const history = openHistory(placesIn(folder))
  history.add({ at: Date.now(), kind: 'answered' })
  expect(history.entries()).toHaveLength(2)
})

test('one that holds the store without end is told of in a sentence', async () => {
  const folder = temporaryFolder()
  openHistory(placesIn(folder)).close()
  const { printed } = startWriter(
    folder,
    `const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const database = new DatabaseSync(${JSON.stringify(storeFile(placesIn(folder)))})
database.exec('BEGIN IMMEDIATE')
console.log('there')
// Named in what lasts, else it would be collected, and let go.
setInterval(() => database.isOpen, 1000)`,
  )
  await until(printed, said => said.includes('there'))
  const history = openHistory(placesIn(folder))
  expect(history.tryAdd({ at: Date.now(), kind: 'typed' })).toMatch(
    /history\.sqlite is in use: another process does not let go of it$/,
  )
  expect(history.entries()).toEqual([])
})

describe('no version of Node says on stderr that its SQLite is experimental', () => {
  const oldest = path.resolve('node_modules/.cache/lull/node-22.18.0/node_modules/node/bin/node')
  const body = `const history = openHistory(places)
history.add({ at: 1e15, kind: 'typed', session: 's', data: ['\\u0000'] })
console.log(JSON.stringify(history.entries({ session: 's' })))
process.emitWarning('a word of another')`

  test.for([process.execPath, oldest])('%s', async (node, { skip }) => {
    skip(!existsSync(node), 'npm run test:package fetches it')
    const said = await startWriter(temporaryFolder(), body, node).ended()
    expect(said).toContain('[{"id":1,"at":1000000000000000,"kind":"typed","session":"s","data":["\\u0000"]}]')
    expect(said).not.toMatch(/SQLite/)
    // Other warnings are nobody's to keep back.
    expect(said).toContain('a word of another')
  })
})
