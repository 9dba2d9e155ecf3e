/** What stands in the store's place, and what the system refuses: a sentence, and never a wait. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { makeOwnFolder } from '../../src/os/file/places.ts'
import { entryAt, newPlaces, scriptIn } from '../support/history.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'
import { hasProgram } from '../support/tmux-server.ts'

const now = Date.now()

const inTheWay: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': file => execFileSync('mkfifo', [file]),
  'a folder': file => mkdirSync(file),
  'a link to a file': file => symlinkSync(temporaryFile('precious', 'precious'), file),
  'a link to nothing': file => symlinkSync('/nowhere/at/all', file),
}

describe.each(Object.entries(inTheWay))('%s', (_, make) => {
  test.each(['', '-wal', '-shm'])('in the place of history.sqlite%s is refused in a sentence', end => {
    const { places, file } = newPlaces()
    makeOwnFolder(places.state)
    make(`${file}${end}`)
    for (const readOnly of [true, false]) {
      const open = () => openHistory(places, { readOnly })
      expect(open).toThrow(expect.objectContaining({ name: 'LullError', code: 'BAD_PLACE' }))
      expect(open).toThrow(`${file}${end} is in the way of the history, and is no file: remove it`)
    }
  })
})

test('a file of another user is not believed', context => {
  needsOtherUser(context)
  const { places, file } = newPlaces()
  openHistory(places).close()
  giveAway(file)
  expect(() => openHistory(places)).not.toThrow(TypeError)
  expect(() => openHistory(places)).toThrow(`${file} belongs to another user`)
})

test('a folder in which others may write is refused', () => {
  const { places } = newPlaces()
  makeOwnFolder(places.state)
  chmodSync(places.state, 0o777)
  for (const readOnly of [true, false])
    expect(() => openHistory(places, { readOnly })).toThrow(expect.objectContaining({ code: 'BAD_PLACE' }))
})

test('a store that others may read is closed to them', () => {
  const { places, file } = newPlaces()
  openHistory(places).close()
  chmodSync(file, 0o644)
  openHistory(places).add(entryAt(now))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file where its folder should be is refused', () => {
  const { places } = newPlaces()
  mkdirSync(path.dirname(places.state), { recursive: true })
  writeFileSync(places.state, '')
  expect(() => openHistory(places)).toThrow(expect.objectContaining({ code: 'BAD_PLACE' }))
  expect(readFileSync(places.state, 'utf8')).toBe('')
})

test.skipIf(process.getuid?.() === 0)('a folder that this user may not write in is refused, and read', () => {
  const { places, file } = newPlaces()
  openHistory(places).close()
  const history = openHistory(places)
  history.add(entryAt(now))
  history.close()
  chmodSync(file, 0o400)
  chmodSync(places.state, 0o500)
  expect(() => openHistory(places)).toThrow(
    expect.objectContaining({
      code: 'REFUSED_FILE',
      message: `${file} can't be written: this user has no right to it`,
    }),
  )
  expect(openHistory(places, { readOnly: true }).entries()).toHaveLength(1)
  chmodSync(places.state, 0o700)
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && hasProgram('unshare')
if (!canMount) console.warn('skipped: only root can mount a file system to fill it')

/** Runs `body` where the state folder is a small file system of its own; `fault` is a line of shell run in the midst of it. */
function onSmallDisk(body: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const folder = temporaryFolder()
  const script = temporaryFile(
    'script.ts',
    scriptIn(
      folder,
      `import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
const shell = line => execFileSync('sh', ['-c', line], { cwd: places.state })
const told = act => { try { return act() } catch (error) { return [error.name, error.code, error.message] } }
const say = value => console.log(JSON.stringify(value))
${body}`,
    ),
  )
  const line = `mkdir -m 700 lull && mount -t tmpfs -o size=1m,mode=700 none lull && exec "$NODE" "${script}"`
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE: process.execPath }
    execFile(
      'unshare',
      ['--mount', 'sh', '-c', line],
      { cwd: folder, env, timeout: 50_000 },
      (error, stdout, stderr) => (error ? reject(error) : resolve({ stdout, stderr })),
    )
  })
}

const linesOf = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

describe.skipIf(!canMount)('a disk', () => {
  const refused = [
    'LullError',
    'REFUSED_FILE',
    expect.stringMatching(/history\.sqlite(\.lock)? can't be written: no space is left on its file system$/),
  ]

  test('that is full already: it can’t be opened, which a sentence says', async () => {
    const { stdout, stderr } = await onSmallDisk(`
try { shell('dd if=/dev/zero of=fill bs=4k 2>/dev/null') } catch {}
say(told(() => openHistory(places)))`)
    expect(linesOf(stdout)).toEqual([refused])
    expect(stderr).toBe('')
  })

  test('that fills up: the entry is refused, those before stay, and it goes on once there is room', async () => {
    const { stdout, stderr } = await onSmallDisk(`
const history = openHistory(places)
let added = 0
const add = () => history.add({ at: Date.now(), kind: 'typed', data: { text: 'x'.repeat(3000) } })
shell('dd if=/dev/zero of=fill bs=4k count=100 2>/dev/null')
const why = told(() => { for (;;) { add(); added++ } })
say(why)
say(history.tryAdd({ at: Date.now(), kind: 'typed', data: { text: 'x'.repeat(30000) } }))
say(history.entries({ most: Infinity }).length === added && added > 10)
shell('rm fill')
add()
say(history.entries({ most: Infinity }).length === added + 1)
const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
history.close()
say(new DatabaseSync(places.state + '/history.sqlite').prepare('PRAGMA integrity_check').get())`)
    expect(linesOf(stdout)).toEqual([refused, refused[2], true, true, { integrity_check: 'ok' }])
    expect(stderr).toBe('')
  })

  test('that is read-only from the beginning', async () => {
    const { stdout } = await onSmallDisk(`
shell('mount -o remount,ro .')
say(told(() => openHistory(places)))
say(told(() => openHistory(places, { readOnly: true }).entries()))`)
    expect(linesOf(stdout)).toEqual([
      ['LullError', 'REFUSED_FILE', expect.stringMatching(/can't be written: its file system is read-only$/)],
      [],
    ])
  })

  test('that is read-only by now: it is read, and not written', async () => {
    const { stdout } = await onSmallDisk(`
const history = openHistory(places)
history.add({ at: Date.now(), kind: 'typed' })
history.close()
shell('mount -o remount,ro .')
say(told(() => openHistory(places)))
say(told(() => openHistory(places, { readOnly: true }).entries().map(({ kind }) => kind)))`)
    expect(linesOf(stdout)).toEqual([
      [
        'LullError',
        'REFUSED_FILE',
        expect.stringMatching(/history\.sqlite can't be written: its file system is read-only$/),
      ],
      ['typed'],
    ])
  })
})
