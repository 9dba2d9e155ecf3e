/** What stands at a path need not be a file: nothing that is read hangs, takes the memory, or leads out of its folder. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { readRalph } from '../../src/loop/ralph/ralph.ts'
import { findFiles } from '../../src/os/file/find-files.ts'
import { readBranch } from '../../src/os/file/git-branch.ts'
import { readJsonFile } from '../../src/os/file/json-file.ts'
import { acquireLock } from '../../src/os/file/lock.ts'
import { openPlain, readPlain, readPlainText } from '../../src/os/file/plain-file.ts'
import { readAppended, unread } from '../../src/os/file/tail-file.ts'
import { namedTranscript } from '../../src/sessions/discover/agent-file-search.ts'
import { watchTranscripts } from '../../src/sessions/discover/transcript-watcher.ts'
import { hookHome } from '../support/hook-home.ts'
import { bin, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { giveAway, needsOtherUser } from '../support/other-user.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const gigabyte = 1024 ** 3

/** Puts something at a path that is no file, or none that can be read whole. */
const odd: Readonly<Record<string, (at: string) => unknown>> = {
  'a pipe': at => execFileSync('mkfifo', [at]),
  'a folder': at => mkdirSync(at),
  'a link to a device without an end': at => symlinkSync('/dev/zero', at),
  'a link to a terminal': at => symlinkSync('/dev/tty', at),
  'a terabyte': at => {
    writeFileSync(at, '')
    truncateSync(at, 1024 * gigabyte)
  },
  'a socket': async at => {
    const server = net.createServer().listen(at)
    await once(server, 'listening')
    server.unref()
  },
}
const kinds = Object.keys(odd)
const put = async (kind: string, at: string): Promise<string> => {
  mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 })
  await odd[kind]?.(at)
  return at
}

describe.each(kinds)('%s', kind => {
  test('is not read as a file', async () => {
    const file = await put(kind, path.join(temporaryFolder(), 'x'))
    expect(() => readPlain(file)).toThrow(expect.objectContaining({ code: 'NOT_A_FILE' }))
    if (kind !== 'a terabyte') expect(() => openPlain(file)).toThrow(/: is a \w+, not a file$/)
  })

  test('in the place of a small file of lull’s own counts as none', async () => {
    const folder = temporaryFolder()
    expect(readJsonFile(await put(kind, path.join(folder, 'seen.json')))).toEqual({})
    await put(kind, path.join(folder, 'lock'))
    expect(() => acquireLock(path.join(folder, 'lock'))).toThrow()
  })

  test('is no branch', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    await put(kind, path.join(one, '.git/HEAD'))
    await put(kind, path.join(two, '.git'))
    expect([readBranch(one), readBranch(two)]).toEqual([undefined, undefined])
  })

  test('is no RALPH.md and no settings file: one sentence', async () => {
    const file = await put(kind, path.join(temporaryFolder(), 'RALPH.md'))
    expect(() => readRalph(file, 'RALPH.md')).toThrow(expect.objectContaining({ name: 'LullError' }))
    const home = hookHome()
    await put(kind, home.file('.claude/settings.json'))
    const { code, stderr } = await home.hooks('install', 'claude')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^lull: .*nothing was changed\n$/)
  })

  test('is no recording: one sentence', async () => {
    const file = await put(kind, path.join(temporaryFolder(), 'x.cast'))
    const { code, stderr } = await lullHere(['replay', file])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^lull: \/.*x\.cast: is .*\n$/),
    })
  })

  test.runIf(process.platform === 'linux')(
    'in the place of an agent’s files keeps nobody from being shown',
    async () => {
      const agent = await startStandIn({})
      const id = '11111111-2222-3333-4444-555555555555'
      await put(kind, path.join(agent.home, `.claude/projects/-project/${id}.jsonl`))
      agent.status({ status: 'idle', sessionId: id })
      const env = { HOME: agent.home, LULL_RUNTIME_DIR: path.join(agent.home, 'run'), XDG_STATE_HOME: '' }
      const shown = async () => {
        const { stdout, code } = await lullHere(['ps', '--json'], env)
        expect(code).toBe(0)
        return stdout.includes(`"pid":${agent.pid}`)
      }
      expect(await shown()).toBe(true)
      const file = path.join(agent.home, `.claude/sessions/${agent.pid}.json`)
      rmSync(file)
      await put(kind, file)
      await put(kind, path.join(agent.home, 'run/runs/x.json'))
      await put(kind, path.join(agent.home, '.local/state/lull/seen.json'))
      expect(await shown()).toBe(true)
    },
  )
})

test('what the caller has opened is read, whatever it is', async () => {
  const script = `"$0" "$1" replay <(printf '%s\\n' '{"version":2,"lull":{"trace":1,"agent":"claude"}}' '[1,"h","{\\"event\\":\\"Stop\\",\\"payload\\":{}}"]')`
  expect(execFileSync('bash', ['-c', script, process.execPath, bin], { encoding: 'utf8' })).toContain('dle')
})

test('a file of the kernel, and one that grows, are read whole or not at all', () => {
  expect(readPlainText('/proc/self/status')).toContain('VmRSS')
  const file = path.join(temporaryFolder(), 'x')
  writeFileSync(file, 'x'.repeat(2000))
  expect(readPlainText(file, { most: 2000 })).toHaveLength(2000)
  expect(() => readPlain(file, { most: 1999 })).toThrow(/x: is larger than/)
})

describe('a branch', () => {
  const made = (folder: string): string => {
    mkdirSync(path.join(folder, '.git'), { recursive: true })
    writeFileSync(path.join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    mkdirSync(path.join(folder, 'below'))
    return path.join(folder, 'below')
  }

  test('is that of the nearest repository above', () => {
    expect(readBranch(made(temporaryFolder()))).toBe('main')
  })

  test.each(['.git', '.git/HEAD', '.'])('is not read where %s is another user’s', theirs => {
    const folder = temporaryFolder()
    const below = made(folder)
    if (process.getuid?.() !== 0) return
    giveAway(path.join(folder, theirs))
    expect(readBranch(below)).toBeUndefined()
  })

  test('is not read where another user’s link names it', context => {
    needsOtherUser(context)
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    made(other)
    symlinkSync(path.join(other, '.git'), path.join(folder, '.git'))
    expect(readBranch(folder)).toBe('main')
    giveAway(path.join(folder, '.git'))
    expect(readBranch(folder)).toBeUndefined()
  })
})

describe('a link out of a folder of transcripts', () => {
  const linked = () => {
    const home = temporaryFolder()
    const projects = path.join(home, '.claude/projects')
    mkdirSync(path.join(projects, 'one'), { recursive: true })
    writeFileSync(path.join(projects, 'one/a.jsonl'), '')
    const outside = temporaryFolder()
    writeFileSync(path.join(outside, 'b.jsonl'), '')
    symlinkSync(outside, path.join(projects, 'two'))
    symlinkSync('/', path.join(projects, 'root'))
    return { home, projects, outside }
  }

  test('is not followed by a search', () => {
    const { home, projects } = linked()
    expect(findFiles(`${projects}/*/*.jsonl`)).toEqual([path.join(projects, 'one/a.jsonl')])
    expect(findFiles(`${projects}/**/*.jsonl`)).toEqual([path.join(projects, 'one/a.jsonl')])
    const surroundings = { env: { HOME: home } }
    expect(namedTranscript(agents.claude, 'a', surroundings)).toBe(path.join(projects, 'one/a.jsonl'))
    expect(namedTranscript(agents.claude, 'b', surroundings)).toBeUndefined()
  })

  test('is not followed by a watch, however late it comes', async () => {
    const { home, projects, outside } = linked()
    const seen: string[] = []
    const watcher = watchTranscripts((_, file) => seen.push(file))
    const process = { id: 'a', agent: agents.claude, pid: 1, parent: 0, start: '1' }
    watcher.watch(process, { env: { HOME: home } })
    const late = path.join(projects, 'late')
    symlinkSync(outside, late)
    appendFileSync(path.join(outside, 'b.jsonl'), 'x\n')
    appendFileSync(path.join(projects, 'one/a.jsonl'), 'x\n')
    await until(
      () => seen,
      files => files.includes(path.join(projects, 'one/a.jsonl')),
    )
    expect(seen.filter(file => !file.startsWith(path.join(projects, 'one')))).toEqual([])
    watcher.close()
  })
})

describe('what is large', () => {
  test('and packed is unpacked up to a bound, which is named', async () => {
    const file = path.join(temporaryFolder(), 'bomb.cast.gz')
    writeFileSync(file, gzipSync(Buffer.alloc(256 * 1024 * 1024)))
    const { code, stderr, peak } = await measured(['replay', file])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/bomb\.cast\.gz: unpacks to more than 64 MB: unpack it first\n$/),
    })
    expect(peak).toBeLessThan(mostMb)
  })

  test('and one line is passed over, and takes no memory', async () => {
    const file = path.join(temporaryFolder(), 'line.cast')
    writeFileSync(file, '{"version":2,"lull":{"trace":1,"agent":"claude"}}\n[1,"o","')
    for (let i = 0; i < 20; i++) appendFileSync(file, 'a'.repeat(10 * 1024 * 1024))
    appendFileSync(file, '"]\n[2,"h","{\\"event\\":\\"Stop\\",\\"payload\\":{}}"]\n')
    const { code, stdout, stderr, peak } = await measured(['replay', file])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('idle') })
    expect(stderr).toContain('longer than 8 MB')
    expect(peak).toBeLessThan(mostMb)
  })

  test('and many, too: the lines before the first verdict are not all kept', async () => {
    const file = path.join(temporaryFolder(), 'lines.cast')
    writeFileSync(file, '{"version":2,"lull":{"trace":1,"agent":"claude"}}\n')
    const line = `[1,"o","${'a'.repeat(5 * 1024 * 1024)}"]\n`
    for (let i = 0; i < 40; i++) appendFileSync(file, line)
    const { code, peak } = await measured(['replay', file])
    expect(code).toBe(0)
    expect(peak).toBeLessThan(mostMb)
  })

  test('and a bare transcript is refused: its lines are ordered in memory', async () => {
    const file = path.join(temporaryFolder(), 'large.jsonl')
    writeFileSync(file, '')
    truncateSync(file, gigabyte)
    const { code, stderr } = await lullHere(['replay', '--agent', 'claude', '--transcript', file])
    expect({ code, stderr }).toEqual({ code: 2, stderr: `lull: ${file}: is larger than 256 MB\n` })
  })

  test('and came all at once to a transcript is passed over but for its end', () => {
    const file = path.join(temporaryFolder(), 'x.jsonl')
    writeFileSync(file, 'one\n')
    const first = readAppended(unread(file))
    truncateSync(file, 100 * gigabyte)
    appendFileSync(file, '\nlast\n')
    const next = readAppended(first.next)
    expect(next.lines.at(-1)).toBe('last')
    expect(next.isWhole).toBe(true)
  })
})

/** Each of these would take 200 MB at least, beside the 60 of a lull that does nothing. */
const mostMb = 240

/** Of a heap that may grow, V8 takes what it likes: one of 96 MB ends the process that needs more. */
const heap = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=8' }

/** Runs lull, and measures the most memory that it took, MB. */
async function measured(args: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...args], { env: { ...process.env, ...heap } })
  let [stdout, stderr, peak] = ['', '', 0]
  child.stdout.on('data', piece => {
    stdout += piece
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  const look = setInterval(() => {
    const status = `/proc/${child.pid}/status`
    const text = existsSync(status) ? readFileSync(status, 'utf8') : ''
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)
  }, 10)
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(look)
  return { code, stdout, stderr, peak }
}
