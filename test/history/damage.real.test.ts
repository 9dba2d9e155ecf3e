/** A store that is no store, or not whole: it lies aside, a person is told, and the history goes on. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { makeOwnFolder, type Places } from '../../src/os/file/places.ts'
import { ask, entryAt, integrityOf, newPlaces, startWriter } from '../support/history.ts'

const now = Date.now()
const notice =
  /^the history was damaged \(.+\): it lies in (history\.sqlite\.damaged-\d{8}T\d{6}Z) now, and a new one is begun$/

const namesIn = ({ state }: Places): readonly string[] => readdirSync(state).sort()
const asides = (places: Places): readonly string[] =>
  namesIn(places).filter(name => /damaged-\d+T\d+Z(-\d+)?$/.test(name))

let whole: Places | undefined

/** A store with 2000 entries, closed: a copy of one that is written once. */
function filled(): ReturnType<typeof newPlaces> {
  whole ??= written()
  const made = newPlaces()
  cpSync(whole.state, made.places.state, { recursive: true })
  return made
}

function written(): Places {
  const { places } = newPlaces()
  const history = openHistory(places)
  for (let n = 0; n < 2000; n++) history.add(entryAt(now + n, { session: `s${n % 7}`, data: { n } }))
  history.close()
  return places
}

function overwrite(file: string, from: number, bytes: Buffer): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.length, from)
  closeSync(fd)
}

const garbage = (bytes: number): Buffer => Buffer.alloc(bytes, 'no store of anything. ')

const faults: Readonly<Record<string, (file: string) => void>> = {
  'a text': file => writeFileSync(file, 'not a database'),
  'many bytes of anything': file => writeFileSync(file, garbage(100_000)),
  'a store whose first page is gone': file => overwrite(file, 0, Buffer.alloc(4096)),
  'a store cut after its first page': file => truncateSync(file, 4096),
  'a store cut after half a page': file => truncateSync(file, 2000),
  'a store of another program': file => {
    rmSync(file)
    ask(file, 'CREATE TABLE bookmarks (id INTEGER)')
  },
  'a store whose table is gone': file => {
    ask(file, 'DROP TABLE entries')
  },
}

describe.each(Object.entries(faults))('%s', (_, damage) => {
  test('lies aside as it was, a notice says where, and a new history is begun', () => {
    const { places, file } = filled()
    damage(file)
    const before = readFileSync(file)
    const history = openHistory(places)
    // Damage that does not show in the first pages shows when it is used.
    history.add(entryAt(now, { kind: 'after' }))
    expect(history.notices).toEqual([expect.stringMatching(notice)])
    const [name = ''] = asides(places)
    expect(history.notices[0]).toContain(name)
    expect(readFileSync(path.join(places.state, name)).equals(before)).toBe(true)
    expect(history.entries()).toMatchObject([{ kind: 'after' }])
    history.close()
    expect(integrityOf(file)).toBe('ok')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(openHistory(places).notices).toEqual([])
  })

  test('a reader says so, and touches nothing', () => {
    const { places, file } = filled()
    damage(file)
    const [before, names] = [readFileSync(file), namesIn(places)]
    const read = () => openHistory(places, { readOnly: true }).entries()
    expect(read).toThrow(expect.objectContaining({ name: 'LullError', code: 'BAD_HISTORY' }))
    expect(read).toThrow(file)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(asides(places)).toEqual([])
    expect(namesIn(places)).toEqual(expect.arrayContaining([...names]))
  })
})

test('damage in the midst of it is found by who comes upon it, and mended then', () => {
  const { places, file } = filled()
  overwrite(file, 4096, Buffer.alloc(statSync(file).size - 4096, 0xff))
  const history = openHistory(places)
  expect(history.entries()).toEqual([])
  history.add(entryAt(now))
  expect(history.entries()).toHaveLength(1)
  expect(history.notices).toHaveLength(1)
  expect(asides(places)).toHaveLength(1)
})

test('damage while it is open is mended without a new opening', () => {
  const { places, file } = filled()
  const history = openHistory(places)
  history.add(entryAt(now))
  // By another process: to close a file of SQLite's gives back all locks that this one has on it.
  execFileSync('dd', ['if=/dev/urandom', `of=${file}`, 'bs=4096', 'seek=1', 'count=100'], { stdio: 'ignore' })
  expect(history.entries()).toEqual([])
  expect(history.tryAdd(entryAt(now))).toBeUndefined()
  expect(history.entries()).toHaveLength(1)
  expect(history.notices).toEqual([expect.stringMatching(notice)])
  expect(asides(places)).toHaveLength(1)
})

test('two that find the same damage begin one new history, and lose nothing of it', async () => {
  const { places, file } = filled()
  writeFileSync(file, garbage(50_000))
  const body = `const history = openHistory(places)
for (let n = 0; n < 200; n++) history.add({ at: Date.now(), kind: 'after' })
console.log(history.notices.length)`
  const folder = path.dirname(places.state)
  const writers = Array.from({ length: 6 }, () => startWriter(folder, body))
  const notices = await Promise.all(writers.map(writer => writer.ended()))
  expect(notices.map(printed => printed.trim()).sort()).toEqual(['0', '0', '0', '0', '0', '1'])
  expect(asides(places)).toHaveLength(1)
  expect(openHistory(places).entries({ kinds: ['after'] })).toHaveLength(1200)
})

test('who had the damaged one open goes on in the new one, and closing the old one harms nothing', () => {
  const { places, file } = newPlaces()
  const early = openHistory(places)
  early.add(entryAt(now, { kind: 'before' }))
  for (const end of ['', '-wal', '-shm']) renameSync(`${file}${end}`, `${file}.aside${end}`)
  const late = openHistory(places)
  late.add(entryAt(now, { kind: 'new' }))
  early.add(entryAt(now + 1, { kind: 'after' }))
  late.add(entryAt(now + 2, { kind: 'last' }))
  early.close()
  late.add(entryAt(now + 3, { kind: 'very last' }))
  expect(late.entries().map(({ kind }) => kind)).toEqual(['new', 'after', 'last', 'very last'])
  late.close()
  expect(integrityOf(file)).toBe('ok')
  expect(ask(file, 'SELECT count(*) AS n FROM entries')).toEqual([{ n: 4 }])
})

test('a store that a person removes while it is open is begun again', () => {
  const { places, file } = newPlaces()
  const history = openHistory(places)
  history.add(entryAt(now, { kind: 'before' }))
  rmSync(file)
  history.add(entryAt(now, { kind: 'after' }))
  expect(openHistory(places, { readOnly: true }).entries()).toMatchObject([{ kind: 'after' }])
  expect(history.notices).toEqual([])
})

test('an empty file is a history that has not begun', () => {
  const { places, file } = newPlaces()
  makeOwnFolder(places.state)
  writeFileSync(file, '')
  expect(openHistory(places, { readOnly: true }).entries()).toEqual([])
  const history = openHistory(places)
  history.add(entryAt(now))
  expect(history.notices).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a store of a newer lull is left as it is, byte for byte', () => {
  const { places, file } = filled()
  ask(file, 'PRAGMA user_version = 2')
  const before = readFileSync(file)
  for (const readOnly of [true, false]) {
    const open = () => openHistory(places, { readOnly })
    expect(open).toThrow(expect.objectContaining({ name: 'LullError', code: 'BAD_HISTORY' }))
    expect(open).toThrow(`${file} was written by a newer lull, and is left as it is: update this one`)
  }
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(asides(places)).toEqual([])
})

describe('a row that tells no time', () => {
  test.each([
    "'soon'",
    '1e300',
    '-1e300',
    '9000000000000000',
    '9223372036854775807',
    '-9223372036854775808',
    "x'00'",
  ])('%s: is left out, and the others are told', at => {
    const { places, file } = newPlaces()
    const writer = openHistory(places)
    writer.add(entryAt(now, { kind: 'whole', session: 'a' }))
    writer.close()
    ask(file, `INSERT INTO entries (at, kind, session) VALUES (${at}, 'odd', 'b')`)
    const history = openHistory(places, { readOnly: true })
    expect(history.entries()).toMatchObject([{ kind: 'whole' }])
    expect(history.entries({ since: now - 1 })).toMatchObject([{ kind: 'whole' }])
    expect(history.lastOfEach('odd')).toEqual([])
    expect(history.lastOfEach('whole')).toMatchObject([{ session: 'a' }])
    expect(history.begin()).toBe(now)
    history.close()
  })
})
