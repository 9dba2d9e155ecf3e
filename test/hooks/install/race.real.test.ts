/** Other programs edit a settings file while lull does: nothing of theirs is lost, and lull's hooks are there in the end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { agents } from '../../../src/agents/registry.ts'
import { editFile, type FileKind } from '../../../src/hooks/install/edit-file.ts'
import { installHooks, mergeEdit, type Request, uninstallHooks } from '../../../src/hooks/install/install.ts'
import { entriesIn } from '../../../src/hooks/install/settings-entries.ts'
import { placesOf } from '../../../src/os/file/places.ts'
import { temporaryFile, temporaryFolder } from '../../support/lull.ts'

type Json = Record<string, unknown>

const read = (file: string): Json => JSON.parse(readFileSync(file, 'utf8')) as Json
const others = (file: string): string[] =>
  readdirSync(path.dirname(file)).filter(name => name !== 'settings.json')

/** What another program does at a moment of lull's edit. */
type Deed = (file: string) => void

const inPlace =
  (change: Json): Deed =>
  file =>
    writeFileSync(file, JSON.stringify({ ...read(file), ...change }))

const byRename =
  (change: Json): Deed =>
  file => {
    writeFileSync(`${file}.theirs`, JSON.stringify({ ...read(file), ...change }))
    renameSync(`${file}.theirs`, file)
  }

const overwrite =
  (text: string): Deed =>
  file =>
    writeFileSync(file, text)

type Deeds = {
  /** Between lull's n-th reading and its swap. */
  readonly whileEditing?: readonly Deed[]
  /** When lull waits for the n-th time. */
  readonly whileWaiting?: readonly Deed[]
}

/** Adds `ours: true` to a settings file, as lull adds its hooks, amid the deeds of others. */
async function addOurs(text: string, { whileEditing = [], whileWaiting = [] }: Deeds): Promise<string> {
  const file = temporaryFile('settings.json', text)
  const edits = [...whileEditing]
  const waits = [...whileWaiting]
  const kind: FileKind = {
    mode: 0o600,
    merge: (base, theirs, now) => mergeEdit(base, theirs, now, file),
    isWhole: candidate => {
      try {
        return JSON.parse(candidate) !== null
      } catch {
        return false
      }
    },
    edit(now = '{}') {
      const next = JSON.stringify({ ...(JSON.parse(now) as Json), ours: true })
      edits.shift()?.(file)
      return next
    },
  }
  await editFile(file, kind, async ms => {
    waits.shift()?.(file)
    await pause(Math.min(ms, 5))
  })
  return file
}

describe('another program writes', () => {
  const cases: readonly (readonly [string, Deeds, Json])[] = [
    ['in place, between reading and swapping', { whileEditing: [inPlace({ b: 1 })] }, { b: 1 }],
    ['a new file, between reading and swapping', { whileEditing: [byRename({ b: 1 })] }, { b: 1 }],
    [
      'each time that lull reads',
      { whileEditing: [inPlace({ b: 1 }), byRename({ c: 1 }), inPlace({ d: 1 })] },
      { b: 1, c: 1, d: 1 },
    ],
    ['an older version over ours', { whileWaiting: [overwrite('{"a":1,"b":1}')] }, { b: 1 }],
    [
      'from a version of ours that lacked what was just written',
      { whileEditing: [inPlace({ b: 1, list: [1, 2] })], whileWaiting: [byRename({ c: 1 })] },
      { b: 1, c: 1, list: [1, 2] },
    ],
    [
      'from such a version, and takes a member away',
      { whileEditing: [overwrite('{"b":1}')], whileWaiting: [byRename({ c: 1 })] },
      { a: undefined, b: 1, c: 1 },
    ],
  ]
  test.each(cases)('%s: theirs and ours are there', async (_, deeds, theirs) => {
    const file = await addOurs('{"a":1}', deeds)
    expect(read(file)).toEqual(JSON.parse(JSON.stringify({ a: 1, ...theirs, ours: true })))
    expect(others(file)).toEqual([])
  })

  test('into the file that lull has put aside, which it still has open', async () => {
    const openNowWriteLater: Deed = file => {
      const fd = openSync(file, 'r+')
      setTimeout(() => {
        writeSync(fd, '{"a":2}')
        closeSync(fd)
      }, 30)
    }
    const file = await addOurs('{"a":1}', { whileEditing: [openNowWriteLater] })
    expect(read(file)).toEqual({ a: 2, ours: true })
    expect(others(file)).toEqual([])
  })

  test('something torn: that is what stands there in the end, and lull refuses', async () => {
    const file = temporaryFile('settings.json', '{"a":1}')
    const edit = (text = '') => {
      const next = JSON.stringify({ ...(JSON.parse(text) as Json), ours: true })
      writeFileSync(file, '{"a":1, "b')
      return next
    }
    const isWhole = (text: string) => text.endsWith('}')
    const kind = { edit, isWhole, merge: () => '', mode: 0o600 }
    await expect(editFile(file, kind, async () => {})).rejects.toThrow('JSON')
    expect(readFileSync(file, 'utf8')).toBe('{"a":1, "b')
    expect(others(file)).toEqual([])
  })

  test('without an end: lull gives up with a sentence, and theirs is there', async () => {
    const forever = Array.from({ length: 100 }, (_, i) => byRename({ [`key${i}`]: i }))
    await expect(addOurs('{"a":1}', { whileEditing: forever })).rejects.toThrow(
      'is being rewritten all the time by another program',
    )
  })
})

const writer = fileURLToPath(new URL('../../support/settings-writer.ts', import.meta.url))
const rounds = 100

function home(): { request: Request; settings: string } {
  const folder = temporaryFolder()
  const env = { HOME: folder, LULL_RUNTIME_DIR: path.join(folder, 'run') }
  const where = { places: placesOf(env), env, cwd: folder }
  return {
    request: { agent: agents.claude, scope: 'user', where, isDry: false },
    settings: path.join(folder, '.claude', 'settings.json'),
  }
}

describe('a hundred edits by another process while hooks are installed and uninstalled', () => {
  test.each(['in-place', 'rename'])('%s: none of its keys is lost', async style => {
    const { request, settings } = home()
    await installHooks(request)
    writeFileSync(settings, '{\n  "theirs": true\n}\n')
    const other = spawn(process.execPath, [writer, settings, style, String(rounds)], { stdio: 'inherit' })
    const ended = once(other, 'exit')
    let turns = 0
    while (other.exitCode === null) {
      await (turns++ % 2 === 0 ? installHooks : uninstallHooks)(request)
    }
    expect(await ended).toEqual([0, null])

    await installHooks(request)
    const { hooks, ...theirs } = read(settings)
    expect(theirs).toEqual({ theirs: true, ...Object.fromEntries(keys()) })
    expect(Object.keys(hooks as Json)).toHaveLength(
      entriesIn(readFileSync(settings, 'utf8'), settings).length,
    )
    expect(others(settings)).toEqual([])
  })
})

function* keys(): Generator<[string, unknown]> {
  for (let round = 0; round < rounds; round++) yield [`key${round}`, { round, list: [round] }]
}
