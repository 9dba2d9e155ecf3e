/** Agents of a machine without /proc: found in what `ps` and `lsof` print, and what lull reports it can't find there. */
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOf } from '../../src/sessions/discover/agent-file-search.ts'
import { createSearch } from '../../src/sessions/discover/agent-search.ts'
import { psTable } from '../../src/sessions/discover/ps-table.ts'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { systemTable } from '../../src/sessions/discover/system-table.ts'
import { lull, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { hasProgram } from '../support/tmux-server.ts'

const me = process.getuid?.() ?? 501
const started = 'Sun Nov 22 06:01:00 2026'

/** No process of this machine has such a number. A row of `ps` as ps(1) of macOS 14 describes it. */
const row = (pid: number, parent: number, command: string, { uid = me, state = 'S+', group = pid } = {}) =>
  `${pid} ${parent} ${group} ${group} ${uid} ${state} 51200 0:03.20 - Sun Nov 22 06:01:00 2026     ${command}`

const gemini = '/opt/homebrew/lib/node_modules/@google/gemini-cli/bundle/gemini.js'
const table = [
  row(1, 0, '/sbin/launchd', { uid: 0, state: 'Ss' }),
  row(9_000_812, 1, '-zsh'),
  row(9_000_901, 9_000_812, '/Users/me/.local/bin/claude --resume'),
  row(9_000_902, 9_000_901, '/Users/me/.local/bin/claude --resume', { group: 9_000_901 }),
  row(9_000_910, 9_000_812, `node ${gemini} -i hello`),
  row(9_000_911, 9_000_910, `/opt/homebrew/bin/node --max-old-space-size=8192 ${gemini} -i hello`, {
    group: 9_000_910,
  }),
  row(9_000_920, 9_000_812, 'codex', { uid: me + 1 }),
  row(9_000_930, 9_000_812, 'claude', { state: 'Z' }),
  row(9_000_940, 9_000_812, 'vim claude.md'),
  'not a row',
]

/** As lsof(8) describes it. */
const lsof = (folder: string) => `p901\nfcwd\ntDIR\nn${folder}\nftxt\ntREG\nn/Users/me/.local/bin/claude\n`

const tableOf = (rows: () => readonly string[]) =>
  psTable('darwin', program => (program === 'ps' ? rows().join('\n') : lsof('/Users/me/shop')))

describe('agents in the process table of a Mac', () => {
  test('are found by their command lines; a copy, a launcher and a zombie are no sessions', () => {
    const found = createSearch(
      () => 0,
      undefined,
      tableOf(() => table),
    )()
    expect(found.map(({ pid, agent, isLauncher }) => [pid, agent.name, isLauncher])).toEqual([
      [9_000_901, 'claude', undefined],
      [9_000_910, 'gemini', true],
      [9_000_911, 'gemini', undefined],
      [9_000_920, 'codex', undefined],
    ])
    expect(found[0]).toMatchObject({ parent: 9_000_812, start: started })
  })

  test('are identified by pid and start', () => {
    let rows = table
    const search = createSearch(
      () => 0,
      undefined,
      tableOf(() => rows),
    )
    const idOf = (pid: number) => search().find(one => one.pid === pid)?.id
    const before = idOf(9_000_901)
    expect(idOf(9_000_901)).toBe(before)
    rows = table.map(one => one.replace('06:01:00', '07:00:00'))
    expect(idOf(9_000_901)).not.toBe(before)
    rows = table.filter(one => !one.startsWith('9000901 '))
    expect(idOf(9_000_901)).toBeUndefined()
  })

  test('have a folder and a time of start; files of another user are not read', () => {
    const mac = tableOf(() => table)
    const [claude] = createSearch(() => 0, undefined, mac)()
    expect(readSurroundings(9_000_901, mac)).toEqual({
      env: { HOME: process.env.HOME },
      cwd: '/Users/me/shop',
    })
    expect(claude && startOf(claude, Date.now(), mac)).toBe(new Date(2026, 10, 22, 6, 1).getTime())
    expect(readSurroundings(9_000_920, mac)).toMatchObject({ note: expect.stringContaining('another user') })
  })

  test('have not ended where ps fails', () => {
    const isMissing = psTable('darwin', () => {
      throw new Error('ENOENT')
    })
    expect(createSearch(() => 0, undefined, isMissing)).toThrow('ps prints no table')
  })

  test.runIf(hasProgram('ps') && hasProgram('lsof'))('are found by the programs themselves', async () => {
    const agent = await startStandIn()
    const here = psTable(process.platform)
    const found = createSearch(() => 0, undefined, here)().find(({ pid }) => pid === agent.pid)
    expect(found).toMatchObject({ agent: { name: 'claude' }, parent: process.pid })
    expect(readSurroundings(agent.pid, here).cwd).toBe(agent.cwd)
  })

  test.runIf(process.platform === 'linux')('are all found on Linux', () => {
    expect(systemTable().unsupportedReason()).toBeUndefined()
  })
})

describe('a machine without /proc', () => {
  /** Where Node reports another platform, and `ps` and `lsof` print a table, or are missing. */
  async function on(platform: string, rows: readonly string[] | undefined, ...words: readonly string[]) {
    const [bin, home] = [temporaryFolder(), temporaryFolder()]
    const prints = { ps: rows?.join('\n'), lsof: rows && lsof(home) }
    for (const [name, text] of Object.entries(prints)) {
      if (text === undefined) continue
      writeFileSync(path.join(bin, name), `#!/bin/sh\n/bin/cat <<'END'\n${text}\nEND\n`)
      chmodSync(path.join(bin, name), 0o755)
    }
    const other = `Object.defineProperty(process, 'platform', { value: '${platform}' })`
    const env = { ...ownPlaces(), PATH: bin }
    const run = await lull(words, ['--import', temporaryFile('other.mjs', other)], env)
    if (words[0] === 'host') await lull(['host', 'stop'], [], env)
    return { home, ...run }
  }

  test('that is a Mac: lull ps lists its agents, and reports what is missing', async () => {
    const { home, code, stdout, stderr } = await on('darwin', table, 'ps', '--json')
    const { sessions, unsupportedReason } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(sessions).toContainEqual(expect.objectContaining({ pid: 9_000_901, agent: 'claude', cwd: home }))
    expect(unsupportedReason).toContain('lull on macOS is experimental')
    expect(stderr).toContain(`lull: ${unsupportedReason}\n`)
  })

  test.each([
    ['ps', 'no coding agent found'],
    ['doctor', '✗ agents: lull can'],
    ['host start', 'the host runs'],
  ])('that has no ps either: lull %s reports that no agent can be found', async (words, text) => {
    const { code, stdout, stderr } = await on('sunos', undefined, ...words.split(' '))
    expect(code).toBe(0)
    expect(stdout).toContain(text)
    expect(stdout + stderr).toContain("lull can't find agents on sunos: it has no /proc")
  })
})
