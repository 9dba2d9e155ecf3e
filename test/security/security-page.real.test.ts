/** SECURITY.md says what is written where: all that a day with lull leaves behind stands in it, with its mode. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { nameTerminal } from '../../src/sessions/terminals/named-terminals.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')

/** The table of paths, each with its mode. */
const written = [...page.matchAll(/^\| `([A-Z]+(?:\/[^`]+)?)`\s*\| (\d{4})/gm)].map(
  ([, file = '', mode = '']) => [file, mode] as const,
)

const modeOf = (file: string): string => (lstatSync(file).mode & 0o7777).toString(8).padStart(4, '0')

test('README leads to it, and it names nobody to write to', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain('](SECURITY.md)')
  expect(page).toContain('private report')
  expect(page).not.toMatch(/\S+@\S+\.\w+|mailto:/)
})

describe.runIf(process.platform === 'linux')('what is written', () => {
  test('lies where the page says, with the mode that it says', async () => {
    const home = temporaryFolder()
    const cleared = {
      LULL_RUNTIME_DIR: '',
      XDG_RUNTIME_DIR: '',
      XDG_STATE_HOME: '',
      XDG_DATA_HOME: '',
      XDG_CACHE_HOME: '',
    }
    const env = { HOME: home, ...cleared, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', NODE_COMPILE_CACHE: '' }
    const { runtime, state, data } = placesOf(env)
    const folders: Readonly<Record<string, string>> = {
      RUNTIME: runtime,
      STATE: state,
      DATA: data,
      CACHE: path.join(home, '.cache/lull'),
    }
    const places = written.map(([file, mode]) => {
      const [base = '', ...rest] = file.split('/')
      return { file: path.join(folders[base] ?? base, ...rest), mode }
    })
    expect(places.length).toBeGreaterThan(10)

    expect((await lull(['host', 'start'], [], env)).code).toBe(0)
    try {
      for (const args of [['hooks', 'install', 'claude'], ['ps'], ['run', '--', 'true'], ['seen', '--all']])
        expect((await lull(args, [], env)).code).toBe(0)
      const entry = { name: 'one', socket: '/x', pane: '%1', tty: '/dev/pts/0', pid: process.pid, start: '1' }
      await nameTerminal(state, entry)

      // Beside a file that the host changes at that moment lies its lock.
      const found = await until(
        () => Object.values(folders).flatMap(folder => [folder, ...below(folder)]),
        files => !files.some(file => file.endsWith('.json.lock')),
      )
      const unknown = found.filter(
        file => !places.some(place => place.file === file) && !isInside(file, places),
      )
      // The cache is Node's, and what is above it is the person's.
      expect(unknown.filter(file => file !== folders.CACHE)).toEqual([])
      for (const { file, mode } of places)
        if (found.includes(file)) expect({ file, mode: modeOf(file) }).toEqual({ file, mode })
      const named = ['STATE/host.log', 'STATE/token', 'STATE/runtime', 'DATA/hook', 'STATE/terminals.json']
      for (const file of named) expect(found).toContain(file.replace(/^[A-Z]+/, base => folders[base] ?? ''))
    } finally {
      await lull(['host', 'stop'], [], env)
    }
  })
})

/** In a folder that the page names as a whole: what Node compiles, what is published, where hosts are. */
const isInside = (file: string, places: readonly { file: string }[]): boolean =>
  places.some(place => /\/(compile|runs|hosts)$/.test(place.file) && file.startsWith(`${place.file}/`))

function below(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => path.join(folder, name))
  } catch {
    return []
  }
}
