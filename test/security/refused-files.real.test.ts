/**
 * What the system refuses: a full disk, a read-only one, too many open files, a limit of size. Each command × each place
 * that it writes ends with its exit code and a sentence, or goes on without; none with a stack trace.
 */
import { execFile, spawn } from 'node:child_process'
import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, lull, type Run, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'

const isLinux = process.platform === 'linux'
const canMount = isLinux && process.getuid?.() === 0 && hasProgram('unshare')
if (!canMount) console.warn('skipped: only root can mount a file system to fill it')

/** A `claude` for commands that want a session. */
const claude = path.join(temporaryFolder(), 'claude')
copyFileSync('/bin/sleep', claude)
const agent = spawn(claude, ['600'], { argv0: 'claude', cwd: temporaryFolder(), stdio: 'ignore' })
afterAll(() => void agent.kill('SIGKILL'))

const tmux = canMount && hasProgram('tmux') ? tmuxServer() : undefined
const pane = tmux?.start(...bash)
/** Else each of so many homes gets a cache of its own. */
const cache = temporaryFolder()
const ralph = temporaryFile('RALPH.md', '---\nagent: cat\n---\nGo on.\n')
const damaged = temporaryFile('damaged.cast', '{"version":2,"lull":{"trace":1,"agent":"claude"}}\nno JSON\n')

const faults = {
  full: 'dd if=/dev/zero of="$BROKEN/fill" bs=4k 2>/dev/null',
  'read-only': 'mount -o remount,ro "$BROKEN"',
} as const

/** A folder is broken in a view of the file system that the line of shell alone has. */
const breaking = (fault: keyof typeof faults): string =>
  `mount -t tmpfs -o size=64k,mode=700 none "$BROKEN" && { ${faults[fault]}; true; }`
const inView = ['unshare', '--mount']

/** Runs a line of shell, in which `lull` is lull, where the folder $BROKEN is broken. */
const broken = (fault: keyof typeof faults, line: string, env: object): Promise<Run> =>
  shell(`lull() { "$NODE" "$BIN" "$@"; }; ${breaking(fault)} && ${line}`, env, inView)

const where = {
  AGENT: `pid:${agent.pid}`,
  SOCKET: tmux?.socket ?? '',
  PANE: `tmux:${pane}`,
  RALPH: ralph,
  DAMAGED: damaged,
  XDG_CACHE_HOME: cache,
}

function shell(line: string, env: object, before: readonly string[] = []): Promise<Run> {
  const [program = '', ...args] = [...before, 'bash', '-c', line]
  const all = { ...process.env, ...ownPlaces(), NODE: process.execPath, BIN: bin, ...env, ...where }
  return new Promise((resolve, reject) => {
    const options = { timeout: 50_000, cwd: temporaryFolder(), env: all }
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? error.code : 0
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error)
    })
  })
}

const traces = /node:internal|^ {4}at |Node\.js v/m

/** Which variable leads into the broken folder. */
const places = {
  state: 'XDG_STATE_HOME',
  data: 'XDG_DATA_HOME',
  runtime: 'LULL_RUNTIME_DIR',
  home: 'HOME',
  // What a command line names.
  output: 'OUT',
} as const

type Row = readonly [line: string, place: keyof typeof places, full: number, readOnly: number]

/** Each command, each place that it writes to, and its exit codes there: first those whose own process matters. */
const apart: readonly Row[] = [
  ['lull host start && until lull host stop | grep -q "^stopped the host"; do :; done', 'state', 0, 1],
  ['lull host start', 'runtime', 1, 1],
  ['lull run -- sh -c "sleep 0.5; exit 3"', 'runtime', 3, 3],
  ['lull run -- sh -c "sleep 0.5; exit 3"', 'home', 3, 3],
  ['lull run --verdicts "$OUT/verdicts" -- sh -c "exit 3"', 'output', 3, 1],
  ['lull run --record "$OUT/trace.cast" -- sh -c "echo x; exit 3"', 'output', 3, 1],
  ['lull run --pty --record "$OUT/trace.cast" -- sh -c "echo x; exit 3"', 'output', 3, 1],
  ['lull --version', 'home', 0, 0],
]

/** Without a process of their own: words of each are without blanks. */
const others: readonly Row[] = [
  ['lull host status', 'runtime', 1, 1],
  ['lull hooks install claude', 'home', 1, 1],
  ['lull hooks install claude', 'data', 1, 1],
  ['lull hooks install claude', 'runtime', 1, 1],
  ['lull hooks doctor', 'runtime', 0, 0],
  ['lull ps', 'state', 0, 0],
  ['lull ps', 'runtime', 0, 0],
  ['lull doctor', 'state', 0, 0],
  ['lull explain $AGENT', 'state', 0, 0],
  ['lull wait $AGENT --timeout 100ms', 'state', 124, 124],
  ['lull wait $AGENT --timeout 100ms', 'runtime', 124, 124],
  ['lull seen $AGENT', 'state', 1, 1],
  ['lull name $PANE build --socket $SOCKET', 'state', 1, 1],
  ['lull send $PANE --socket $SOCKET true', 'runtime', 1, 1],
  ['lull read $PANE --socket $SOCKET', 'runtime', 0, 0],
  ['lull record $AGENT -o $OUT/trace.cast', 'output', 1, 1],
  ['lull loop init $OUT', 'output', 2, 2],
  ['lull loop $RALPH -n 1 -l $OUT', 'output', 0, 0],
  ['lull loop $RALPH -n 1', 'runtime', 0, 0],
]

const kinds = ['full', 'read-only'] as const

/** Runs those where the folders of all of them are broken: first all in the one way, then in the other. */
async function allBroken(): Promise<readonly Run[]> {
  const calls: (readonly [readonly string[], object])[] = []
  const breaks: string[] = []
  for (const fault of kinds)
    for (const [line, place] of others) {
      const folder = temporaryFolder()
      const env: Record<string, string> = { ...ownPlaces(), ...where, [places[place]]: folder }
      const words = line.split(' ').map(word => word.replace(/\$(\w+)/, (_, name) => env[name] ?? ''))
      calls.push([words.slice(1), env])
      breaks.push(`BROKEN=${folder}; ${breaking(fault)} || exit`)
    }
  const list = fileURLToPath(new URL('../support/lull-list.ts', import.meta.url))
  const line = [...breaks, `"$NODE" ${list} "$CALLS"`].join('\n')
  const { code, stdout, stderr } = await shell(line, { CALLS: JSON.stringify(calls) }, inView)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Run[]
}

describe.runIf(canMount)('a file system that is', () => {
  let ended: readonly Run[] = []
  beforeAll(async () => {
    ended = await allBroken()
  })
  describe.each(kinds)('%s', fault => {
    const codeOf = ([, , full, readOnly]: Row) => (fault === 'full' ? full : readOnly)
    function expectEnd([, place, ...codes]: Row, { code, stderr }: Run): void {
      const wanted = codes[fault === 'full' ? 0 : 1]
      expect({ code, stderr }).toEqual({ code: wanted, stderr: expect.not.stringMatching(traces) })
      if (wanted === 1 && place !== 'runtime')
        expect(stderr).toMatch(fault === 'full' ? /no space is left/ : /read-only/)
    }

    test.concurrent.each(apart.map(row => ({ row, line: row[0], place: row[1], code: codeOf(row) })))(
      '$line (its $place): $code',
      async ({ row, line, place }) => {
        const folder = temporaryFolder()
        expectEnd(row, await broken(fault, line, { BROKEN: folder, [places[place]]: folder }))
      },
    )

    test.each(others.map((row, n) => ({ row, n, line: row[0], place: row[1], code: codeOf(row) })))(
      '$line (its $place): $code',
      ({ row, n }) => expectEnd(row, ended[n + kinds.indexOf(fault) * others.length] as Run),
    )
  })
})

/** The ways to print: test/house/printing.test.ts keeps all commands to these. */
const printing = [
  '--version',
  '--help',
  'ps --json',
  // It prints once it is registered: at its timeout a busy process may be ended before.
  'wait "$AGENT" --next --timeout 15s --json',
  'replay demo/claude-agent.cast.gz',
  'loop "$RALPH" -n 1',
] as const

/** What is said on stderr: a notice, a refusal, a usage error. */
const noticing = [
  ['replay "$DAMAGED"', 0],
  ['replay no-such.cast', 2],
  ['no-such-command', 2],
] as const

describe.runIf(isLinux)('a device that is full', () => {
  const root = path.join(import.meta.dirname, '../..')
  const inRoot = (line: string) => shell(`cd '${root}'; "$NODE" "$BIN" ${line}`, {})

  test.concurrent.each(printing)('as stdout of %s', async line => {
    const { code, stderr } = await inRoot(`${line} >/dev/full`)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/lull: cannot write to stdout: no space is left/),
    })
    expect(stderr).not.toMatch(traces)
  })

  test.concurrent.each(noticing)('as stderr of %s: its exit code stays %i', async (line, wanted) => {
    expect((await inRoot(`${line} 2>/dev/full`)).code).toBe(wanted)
  })

  test.concurrent.each([
    ['run --verdicts /dev/full -- sh -c "sleep 0.5; exit 3"', 3],
    ['run --json -- sh -c "sleep 0.5; exit 3" 2>/dev/full', 3],
    ['run -- sh -c "echo x || exit 7" >/dev/full', 7],
    ['run -- sh -c "exit 3" >&-', 3],
    ['run -- sh -c "exit 3" 2>&-', 3],
    ['run --json -- sh -c "sleep 0.5; exit 3" 2>&1 >/dev/null | true; exit $PIPESTATUS', 3],
  ] as const)('%s: %i is the command’s', async (line, wanted) => {
    const { code, stderr } = await inRoot(line)
    expect({ code, stderr }).toEqual({ code: wanted, stderr: expect.not.stringMatching(traces) })
  })
})

describe.runIf(isLinux)('a limit', () => {
  test.concurrent.each([
    ['run --verdicts v -- sh -c "sleep 0.5; exit 3"', 3],
    ['run --record r -- sh -c "echo x; exit 3"', 3],
    ['run -- sh -c "exit 3" > x', 3],
    ['ps --json > x', 1],
  ] as const)('of size: %s', async (line, wanted) => {
    const { code, stderr } = await shell(`ulimit -f 0; "$NODE" "$BIN" ${line}`, {})
    expect({ code, stderr }).toEqual({ code: wanted, stderr: expect.not.stringMatching(traces) })
  })

  // With fewer Node itself does not begin.
  test.concurrent.each([22, 24, 28])('of %i open files', async most => {
    const { code, stderr } = await shell(
      `ulimit -n ${most}; "$NODE" "$BIN" run -- sh -c "sleep 0.5; exit 3"`,
      {},
    )
    expect(stderr).not.toMatch(traces)
    if (code !== 3)
      expect({ code, stderr }).toEqual({ code: 126, stderr: expect.stringMatching(/too many (open )?files/) })
    const list = await shell(`ulimit -n ${most}; "$NODE" "$BIN" ps`, {})
    expect(list.stderr).not.toMatch(traces)
    if (list.code !== 0) expect(list.stderr).toMatch(/too many (open )?files/)
    expect(list.stderr).not.toContain('/src/')
  })

  test('of open files: a host that can’t be started is a sentence', async () => {
    const { code, stderr } = await shell('ulimit -n 22; "$NODE" "$BIN" host start', ownPlaces())
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^lull: .*too many files are open/),
    })
    expect(stderr).not.toMatch(traces)
  })

  test.runIf(pane)('of open files: a pane that lives is not told to have ended', async () => {
    for (let most = 22; most <= 30; most += 2) {
      const line = `wait tmux:${pane} --socket ${tmux?.socket} --ready --timeout 300ms`
      const { code, stdout, stderr } = await shell(`ulimit -n ${most}; "$NODE" "$BIN" ${line}`, {})
      expect([0, 1, 124]).toContain(code)
      expect(stdout + stderr).not.toMatch(/exited|has ended|no tmux server|\/src\//)
      expect(stderr).not.toMatch(traces)
    }
  })
})

test.runIf(isLinux)(
  'what holds a person’s text is for its user alone, also where a file is written over',
  async () => {
    const folder = temporaryFolder()
    const over = path.join(folder, 'over.cast')
    writeFileSync(over, 'old', { mode: 0o644 })
    const env = ownPlaces()
    await lull(['loop', ralph, '-n', '1', '-l', path.join(folder, 'logs')], [], env)
    await lull(['record', '--force', '--agent', 'some-cli', '-o', over, '--', 'true'], [], env)
    await lull(['host', 'start'], [], env)
    await lull(['host', 'stop'], [], env)
    const open = (await shell(`find '${folder}' '${env.HOME}' -type f -perm /077 ! -path '*/compile/*'`, {}))
      .stdout
    expect(open).toBe('')
    expect(statSync(over).mode & 0o777).toBe(0o600)
  },
)
