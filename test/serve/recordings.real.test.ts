/** Recordings are judged in a process of its own, and no name leads out of their folder. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { judgeLimits, judgeRecording, keptFilm } from '../../src/serve/recordings/judge-recording.ts'
import { openRecordings } from '../../src/serve/recordings/recordings.ts'
import { newPlaces } from '../support/history.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'
import { servedForAll } from '../support/served.ts'

const demo = path.resolve(import.meta.dirname, '../../demo/claude-bash20.cast.gz')
const header =
  '{"version":2,"width":20,"height":2,"timestamp":1700000000,"lull":{"trace":1,"agent":"claude"}}\n'
const never = new AbortController().signal

// As Node itself loads it: Vitest takes ten times as long.
const { filmOf } = createRequire(import.meta.url)(
  '../../src/connect/make-film.ts',
) as typeof import('../../src/connect/make-film.ts')

/** As `lull film` judges, without a process of its own: for what a recording shows. */
const judgeHere: typeof judgeRecording = async fd => {
  const { film, pieces } = await filmOf(`/proc/self/fd/${fd}`)
  const lines = [JSON.stringify({ pieces: film.pieces }), JSON.stringify(film), ...pieces]
  return keptFilm(Buffer.from(`${lines.join('\n')}\n`))
}

function opened(folder = temporaryFolder(), judge?: typeof judgeRecording) {
  const recordings = openRecordings(newPlaces().places, { recordings: folder }, judge)
  onTestFinished(recordings.close)
  const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text, { mode: 0o600 })
  const film = async (name: string) => JSON.parse((await recordings.film(name, never)).toString('utf8'))
  const piece = async (name: string, from: number, id?: string) => {
    const bytes = await recordings.piece(name, id, from, never)
    return bytes && JSON.parse(bytes.toString('utf8'))
  }
  return { folder, recordings, put, film, piece }
}

describe('a file that is no recording of this folder', () => {
  test.each([
    ['a link that leads out', (file: string) => symlinkSync(demo, file)],
    ['a pipe', (file: string) => void spawnSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
    ['a file of more than 64 MB', (file: string) => writeFileSync(file, header.padEnd(70e6))],
  ])('%s: is listed with a reason, and never opened', async (_, make) => {
    const { folder, recordings, film } = opened()
    make(path.join(folder, 'a.cast'))
    expect(recordings.list().recordings).toEqual([{ name: 'a.cast', bytes: 0, problem: expect.any(String) }])
    await expect(film('a.cast')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  })

  test('one of another user is not read', async context => {
    needsOtherUser(context)
    const { folder, put, film } = opened()
    put('a.cast', header)
    giveAway(path.join(folder, 'a.cast'))
    await expect(film('a.cast')).rejects.toThrow('belongs to another user')
  })

  test.each(['../a.cast', '/etc/a.cast', '..', 'sub/a.cast', 'a.cast\u0000', '.a.cast', 'a.txt', 'b.cast'])(
    'the name %j leads nowhere',
    async name => {
      const { folder, put, film } = opened()
      mkdirSync(path.join(folder, 'sub'))
      for (const file of ['a.cast', 'sub/a.cast', '.a.cast', 'a.txt']) put(file, header)
      writeFileSync(path.join(path.dirname(folder), 'a.cast'), header)
      await expect(film(name)).rejects.toMatchObject({ code: 'NO_RECORDING' })
    },
  )

  test('none is shown of a folder into which others may write', async () => {
    const { folder, put, film, recordings } = opened()
    put('a.cast', header)
    chmodSync(folder, 0o777)
    expect(() => recordings.list()).toThrow(
      expect.objectContaining({ code: 'BAD_PLACE', message: expect.stringContaining('chmod go-w') }),
    )
    await expect(film('a.cast')).rejects.toMatchObject({ code: 'BAD_PLACE' })
  })

  test('no sentence names a path outside of the folder', async () => {
    const { folder, recordings } = opened()
    symlinkSync('/etc/passwd', path.join(folder, 'a.cast'))
    expect(JSON.stringify(recordings.list())).not.toContain('/etc')
  })

  test('what is called so and holds something else is told', async () => {
    const { put, film, recordings } = opened()
    put('a.cast', 'no trace\n')
    await expect(film('a.cast')).rejects.toMatchObject({ code: 'NOT_A_TRACE' })
    expect(recordings.list().recordings[0]?.problem).toContain('no recording')
  })

  test('a packed file that unpacks to gigabytes is refused', async () => {
    const { folder, film, recordings } = opened()
    writeFileSync(path.join(folder, 'a.cast.gz'), gzipSync(Buffer.alloc(200e6)))
    expect(recordings.list().recordings[0]?.problem).toBeDefined()
    await expect(film('a.cast.gz')).rejects.toThrow('64 MB')
  })
})

describe('a recording', () => {
  test('is listed with its agent, its beginning and its length', () => {
    const { put, recordings } = opened()
    put('a.cast', `${header}[1.5,"o","x"]\n[7.25,"o","y"]\n[9,"o",`)
    expect(recordings.list().recordings).toMatchObject([
      { name: 'a.cast', agent: 'claude', startedAt: '2023-11-14T22:13:20.000Z', length: 7.25 },
    ])
  })

  test('stands before those that began earlier, whichever was written to last; a small packed one tells its length', () => {
    const { folder, put, recordings } = opened()
    put('newer.cast', `${header.replace('1700000000', '1800000000')}[1,"o","x"]\n`)
    copyFileSync(demo, path.join(folder, 'demo.cast.gz'))
    put('older.cast', `${header}[1,"o","x"]\n`)
    expect(recordings.list().recordings).toMatchObject([
      { name: 'newer.cast', length: 1 },
      { name: 'demo.cast.gz', length: 30.087 },
      { name: 'older.cast', length: 1 },
    ])
  })

  test('has the verdicts of lull replay', async () => {
    const { folder, film } = opened()
    copyFileSync(demo, path.join(folder, 'a.cast.gz'))
    const { changes } = await film('a.cast.gz')
    const { stdout } = await lullHere(['replay', demo, '--json'], {})
    const rows = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { t: number; state: string })
    expect(changes.map(({ at, state }: { at: number; state: string }) => [at, state])).toEqual(
      rows.filter(({ t }, n) => rows[n + 1]?.t !== t).map(({ t, state }) => [t, state]),
    )
  })

  test('shows its screen picture after picture, text of the program as text', async () => {
    const { put, film, piece } = opened(temporaryFolder(), judgeHere)
    put(
      'a.cast',
      `${header}[1,"o","\\u001b[31mred"]\n[2,"o","\\r\\n<b>\\u202e"]\n[3,"r","10x3"]\n[4,"m","here"]\n`,
    )
    expect(await film('a.cast')).toMatchObject({ pieces: [1], marks: [{ at: 4, text: 'here' }] })
    expect(await piece('a.cast', 0.5)).toBeUndefined()
    expect(await piece('a.cast', 9)).toMatchObject({
      pictures: [
        { at: 1, height: 2, rows: [{ row: 0, runs: [{ text: 'red', front: 1 }] }] },
        { at: 2, height: 2, rows: [{ row: 1 }] },
        { at: 3, height: 3 },
      ],
    })
  })

  test('of looks at a screen shows what was seen', async () => {
    const { put, piece } = opened(temporaryFolder(), judgeHere)
    const rows = JSON.stringify(JSON.stringify({ rows: ['one', '', '\u001b[31mtwo'] }))
    put('a.cast', `${header.replace('"agent"', '"attached":true,"agent"')}[1,"f",${rows}]\n`)
    expect(await piece('a.cast', 1)).toMatchObject({
      pictures: [{ at: 1, height: 3, rows: [{ row: 0 }, { row: 2, runs: [{ text: '\u001b[31mtwo' }] }] }],
    })
  })

  test('that grows, or that another one took the place of, is never shown beside the verdicts of before', async () => {
    const { folder, put, film, piece } = opened(temporaryFolder(), judgeHere)
    put('a.cast', `${header}[1,"o","a"]\n`)
    const first = await film('a.cast')
    expect(first.length).toBe(1)
    appendFileSync(path.join(folder, 'a.cast'), '[5,"o","b"]\n')
    const second = await film('a.cast')
    expect(second.length).toBe(5)
    expect((await piece('a.cast', 9, first.id)).pictures).toHaveLength(1)
    expect((await piece('a.cast', 9, second.id)).pictures).toHaveLength(2)
    const later = opened(folder, judgeHere)
    expect((await later.piece('a.cast', 9, second.id)).pictures).toHaveLength(2)
    await expect(later.piece('a.cast', 9, first.id)).rejects.toMatchObject({ code: 'RECORDING_CHANGED' })
  })
})

describe('what was judged', () => {
  test('is kept while somebody looks at it; of many the last few, one judged at a time', async () => {
    const folder = temporaryFolder()
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(path.join(folder, `${name}.cast`), header + name)
    const judged: string[] = []
    let running = 0
    const judge = async (fd: number) => {
      expect(++running).toBe(1)
      judged.push(readFileSync(fd, 'utf8').slice(header.length))
      await new Promise(setImmediate)
      running--
      return { film: Buffer.from('{"agent":""}'), pieces: [], size: 20e6 }
    }
    const recordings = openRecordings(newPlaces().places, { recordings: folder }, judge)
    onTestFinished(recordings.close)
    const open = (...names: string[]) =>
      Promise.all(names.map(name => recordings.film(`${name}.cast`, never)))
    await open('a', 'a', 'b')
    await open('a')
    expect(judged).toEqual(['a', 'b'])
    for (const name of ['c', 'a', 'b']) await open(name)
    expect(judged).toEqual(['a', 'b', 'c', 'b'])
  })

  test('ends with the last that waits for it, and the next one is judged', async () => {
    const folder = temporaryFolder()
    for (const name of ['slow', 'quick']) writeFileSync(path.join(folder, `${name}.cast`), header + name)
    let ends = 0
    const judge = (fd: number, signal: AbortSignal) =>
      readFileSync(fd, 'utf8').endsWith('quick')
        ? Promise.resolve({ film: Buffer.from('{"agent":""}'), pieces: [], size: 2 })
        : new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => {
              ends++
              reject(new Error('over'))
            }),
          )
    const recordings = openRecordings(newPlaces().places, { recordings: folder }, judge)
    onTestFinished(recordings.close)
    const clients = [new AbortController(), new AbortController()]
    const waits = clients.map(({ signal }) => recordings.film('slow.cast', signal).catch(() => 'left'))
    const quick = recordings.film('quick.cast', never)
    clients[0]?.abort()
    expect([await waits[0], ends]).toEqual(['left', 0])
    clients[1]?.abort()
    await quick
    expect([await waits[1], ends]).toEqual(['left', 1])
  })

  test('is tried again where it failed', async () => {
    const folder = temporaryFolder()
    writeFileSync(path.join(folder, 'a.cast'), header)
    let times = 0
    const recordings = openRecordings(newPlaces().places, { recordings: folder }, async () => {
      if (++times === 1) throw new Error('no process')
      return { film: Buffer.from('{"agent":""}'), pieces: [], size: 2 }
    })
    onTestFinished(recordings.close)
    await expect(recordings.film('a.cast', never)).rejects.toThrow('no process')
    expect((await recordings.film('a.cast', never)).toString()).toMatch(/^\{"id":/)
  })
})

describe('judging', () => {
  const fd = () => openSync(demo, 'r')

  test('ends where it takes too long, too much memory or too much output, and says which', async () => {
    const judge = (limits: Partial<typeof judgeLimits>) =>
      judgeRecording(fd(), never, { ...judgeLimits, ...limits })
    await expect(judge({ time: 1 })).rejects.toThrow('to judge it')
    await expect(judge({ memory: 4 })).rejects.toThrow('memory')
    await expect(judge({ output: 10 })).rejects.toThrow('too large')
  })

  test('ends with the API', async () => {
    const closing = new AbortController()
    const judged = judgeRecording(fd(), closing.signal)
    closing.abort()
    await expect(judged).rejects.toMatchObject({ code: 'NOT_PLAYED' })
  })
})

test('a folder of one’s own is looked into once it is named, and as long as the API is served so', async () => {
  const api = await servedForAll()
  onTestFinished(async () => void (await api.serveAgain()))
  const folder = temporaryFolder()
  copyFileSync(demo, path.join(folder, 'own.cast.gz'))
  const before = await api.read('/v1/recordings')
  await lullHere(['serve', '--port', String(api.port), '--recordings', folder], api.env)
  const { folder: named, recordings } = await api.read('/v1/recordings')
  expect([before.recordings, named, (recordings as { name: string }[]).map(({ name }) => name)]).toEqual([
    [],
    folder,
    ['own.cast.gz'],
  ])
})

test('the API shows them to a token that may only read, and to no other', async () => {
  const api = await servedForAll()
  const folder = path.join(api.env.XDG_STATE_HOME ?? '', 'lull/recordings')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  copyFileSync(demo, path.join(folder, 'a.cast.gz'))
  const token = await api.newToken('viewer', 'read')
  const get = async (authorization: string) =>
    (await fetch(`${api.url}/v1/recordings/a.cast.gz`, { headers: { authorization } })).status
  expect([await get(`Bearer ${token}`), await get('Bearer no')]).toEqual([200, 401])
})
