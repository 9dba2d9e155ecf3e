/** Runs of `lull loop` are sessions like others: listed, explained, waited for; and gone with their owner. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import { attempt } from '../../src/os/attempt.ts'
import { hasCrashed } from '../../src/sessions/crashed.ts'
import { takeEnded } from '../../src/sessions/runs/published-runs.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { bin, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { until } from '../support/until.ts'

const rows = readFileSync(path.join(import.meta.dirname, '../rows/claude-partialbash.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .flatMap(row => (JSON.parse(row) as { line?: string }).line ?? [])

/** Beside it stands how a run ended, until somebody asks for it. */
const isPublished = (name: string): boolean => !name.endsWith('.ended')

/** A `claude` that says what a real one said, up to the tool call, and then waits to be ended. */
function ralphOf(agent: string, output: readonly string[]) {
  const home = temporaryFolder()
  const program = path.join(home, 'bin', agent)
  mkdirSync(path.dirname(program))
  writeFileSync(path.join(home, 'rows'), `${output.join('\n')}\n`)
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\ncat '${home}/rows'\nexec sleep 60\n`)
  chmodSync(program, 0o755)
  writeFileSync(path.join(home, 'RALPH.md'), `---\nagent: ${agent}\n---\nGo on.\n`)
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    PATH: `${path.dirname(program)}:${process.env.PATH}`,
  }
  const start = (...flags: readonly string[]) => {
    const child = spawn(process.execPath, [bin, 'loop', ...flags, home], {
      cwd: home,
      env: { ...process.env, ...env },
    })
    endWithTest(child, 'SIGTERM')
    return child
  }
  type Row = {
    readonly id: string
    readonly pid: number
    readonly agent: string
    readonly state: string
    readonly doing?: string
    readonly why: string
  }
  const runs = async (): Promise<Row[]> => {
    const { stdout } = await lullHere(['ps', '--json'], env)
    const { sessions } = JSON.parse(stdout) as { sessions: Row[] }
    return sessions.filter(({ why }) => why.includes(`loop ${path.basename(home)}`))
  }
  return { env, start, runs, folder: path.join(home, 'run/runs') }
}

describe.runIf(process.platform === 'linux')('a run of lull loop', () => {
  const upToTool = rows.slice(
    0,
    rows.findIndex(row => row.includes('"tool_use"') && row.startsWith('{"type":"assistant"')) + 1,
  )

  test('is a session: its rows tell what its process can’t; one whose agent is stopped says so, until it goes on', async () => {
    const { start, runs, env, folder } = ralphOf('claude', upToTool)
    const loop = start()
    const [run] = await until(
      runs,
      found => found[0]?.state === 'working' && found[0].doing === 'tool',
      'the run',
    )
    expect(run).toMatchObject({ agent: 'claude', why: expect.stringContaining('iteration 1') })
    const explained = await lullHere(['explain', run?.id ?? ''], env)
    expect(explained.stdout).toMatch(/output row/)
    expect(await lullHere(['wait', run?.id ?? '', '--timeout', '100ms'], env)).toMatchObject({ code: 124 })
    const pid = run?.pid as number
    process.kill(pid, 'SIGSTOP')
    const [stopped] = await until(runs, found => found[0]?.state === 'unknown', 'that it is stopped')
    expect(stopped?.why).toContain('was stopped by a signal')
    process.kill(pid, 'SIGCONT')
    await until(runs, found => found[0]?.state === 'working', 'that it goes on')
    loop.kill('SIGTERM')
    await once(loop, 'exit')
    expect(readdirSync(folder).filter(isPublished)).toEqual([])
  })

  test('is one row for the whole life of its loop: between two runs it says when the next begins', async () => {
    const { start, runs, env, folder } = ralphOf('claude', [])
    const program = path.join(env.HOME, 'bin/claude')
    writeFileSync(program, '#!/bin/sh\ncat > /dev/null\nsleep 1\nexit 3\n')
    const ralph = path.join(env.HOME, 'RALPH.md')
    writeFileSync(ralph, '---\nagent: claude\n---\nGo on.\n')
    const child = start('--delay', '2s', '-n', '20')
    const first = await until(runs, found => found.length > 0, 'the run')
    expect(first).toHaveLength(1)
    const resting = await until(runs, found => found[0]?.why.includes('will be woken') === true, 'the wait')
    expect(resting).toMatchObject([
      { id: first[0]?.id, state: 'idle', why: expect.stringContaining('last: failed') },
    ])
    const again = await until(
      runs,
      // A busy machine may miss the second.
      found => /iteration (?:[2-9]|1\d|20) of 20/.test(found[0]?.why ?? ''),
      'a later one',
    )
    expect(again.map(({ id }) => id)).toEqual([first[0]?.id])
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(readdirSync(folder).filter(isPublished)).toEqual([])
  })

  test('whose next follows at once works all the time: nobody who waits for its end goes on in between', async () => {
    const { start, env, folder } = ralphOf('claude', [])
    const program = path.join(env.HOME, 'bin/claude')
    writeFileSync(program, '#!/bin/sh\ncat > /dev/null\nsleep 1.1\n')
    writeFileSync(path.join(env.HOME, 'RALPH.md'), '---\nagent: claude\n---\nGo on.\n')
    const child = start('-n', '4')
    const ended = once(child, 'exit')
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    type File = { readonly session: { readonly note: string; readonly session: Session } }
    const seen = new Map<string, string>()
    const look = () => {
      for (const name of existsSync(folder) ? readdirSync(folder).filter(one => one.endsWith('.json')) : []) {
        const file = attempt(() => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as File)
        if (file) seen.set(`${file.session.note} ${file.session.session.verdict.state.kind}`, name)
      }
      return isOver
    }
    await until(look, over => over)
    expect([...seen.keys()].filter(state => !/ (starting|working)$/.test(state))).toEqual([])
    expect(seen.size).toBeGreaterThan(3)
    expect(new Set(seen.values()).size).toBe(1)
  })

  test('that had nothing to do for as long as was allowed has ended as it should, and says why', async () => {
    const { env, start, folder } = ralphOf('my-agent', [])
    writeFileSync(path.join(env.HOME, 'bin/my-agent'), '#!/bin/sh\necho "<!-- ralph:state idle -->"\n')
    const loop = start('--idle-delay', '50ms', '--idle-max', '200ms')
    expect(await once(loop, 'exit')).toEqual([8, null])
    const [file = ''] = readdirSync(folder)
    const ended = takeEnded(folder, path.basename(file, '.ended')) as LiveSession
    expect(ended.session.verdict.state).toEqual({ kind: 'exited' })
    expect(hasCrashed(ended)).toBe(false)
    expect(ended.note).toContain(
      'last: idle: there was nothing to do for 0.2 s, the most that idle.max allows',
    )
  })

  test('of any command is one too, and is believed no more once its owner was killed', async () => {
    const { start, runs, folder } = ralphOf('my-agent', ['hello'])
    const loop = start()
    const found = await until(runs, all => all.length > 0 && all[0]?.state !== 'starting', 'the run')
    expect(found).toMatchObject([{ agent: 'command', state: 'working', doing: 'command' }])
    const orphan = found[0]?.pid as number
    loop.kill('SIGKILL')
    await once(loop, 'exit')
    expect(existsSync(folder)).toBe(true)
    await until(runs, all => all.length === 0, 'its end')
    process.kill(orphan, 'SIGKILL')
    // Kept until then: the next loop says that it still runs.
    const left = () => runs().then(() => readdirSync(folder))
    await until(left, files => files.length === 0, 'its file')
  })
})
