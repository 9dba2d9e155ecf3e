/** The unit that starts the host: it is lull's own file, and another one of that name is left alone. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { unitFor, writeUnit } from '../../src/serve/install-unit.ts'
import { newPlaces } from '../support/history.ts'

function somewhere() {
  const { places } = newPlaces()
  const folder = path.dirname(places.state)
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'my config'),
    LULL_RUNTIME_DIR: '/run/50%/$x "q"',
  }
  const unit = unitFor(env, 'linux', ['/usr/bin/node', '/opt/lull.js'])
  mkdirSync(path.dirname(unit.file), { recursive: true })
  return { unit, file: unit.file, folder, write: () => writeUnit(unit, { places, env, cwd: folder }) }
}

describe('a unit', () => {
  test('keeps the variables by which lull finds its folders', () => {
    const { unit, folder } = somewhere()
    expect(unit.text).toContain(`Environment="XDG_CONFIG_HOME=${folder}/my config"\n`)
    expect(unit.text).toContain('Environment="LULL_RUNTIME_DIR=/run/50%%/$x \\"q\\""\n')
    expect(unit.text).not.toContain('XDG_STATE_HOME')
  })

  test('is written, and replaces the one of an older lull', async () => {
    const { unit, file, write } = somewhere()
    await write()
    expect(readFileSync(file, 'utf8')).toBe(unit.text)
    writeFileSync(file, unit.text.replace('/opt/lull.js', '/old/lull.js'))
    await write()
    expect(readFileSync(file, 'utf8')).toBe(unit.text)
  })

  test('leaves what is not lull’s as it is, also behind a link', async () => {
    const { file, write, folder } = somewhere()
    writeFileSync(file, '# mine\n')
    await expect(write()).rejects.toThrow(/is not lull's; nothing was changed/)
    expect(readFileSync(file, 'utf8')).toBe('# mine\n')
    const other = somewhere()
    writeFileSync(path.join(folder, 'precious'), 'precious\n')
    symlinkSync(path.join(folder, 'precious'), other.file)
    await expect(other.write()).rejects.toThrow(/is not lull's/)
    expect(readFileSync(path.join(folder, 'precious'), 'utf8')).toBe('precious\n')
  })

  test('does not wait at a pipe', async () => {
    const { file, write } = somewhere()
    spawnSync('mkfifo', [file])
    await expect(write()).rejects.toThrow(/is no regular file/)
  })
})
