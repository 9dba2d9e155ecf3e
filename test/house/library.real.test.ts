/** The programs of docs/library.md, run as they stand there, by their public names. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { builtPackage, lull, temporaryFolder } from '../support/lull.ts'
import { servedHost } from '../support/served-host.ts'
import { startStandIn } from '../support/stand-in.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/library.md'), 'utf8')

/** The program below a heading. */
function programOf(heading: string): string {
  const section = page.split(/^## /m).find(text => text.startsWith(`${heading}\n`))
  const program = section && /```ts\n(.*?)```/s.exec(section)?.[1]
  if (!program) throw new Error(`docs/library.md has no program below "${heading}"`)
  return program
}

/** A folder in which `lull` and its doors are those of the built package, which load faster, else the sources of this clone. */
function workplace(): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  const folder = temporaryFolder()
  const doors = ['index', 'core', 'agents', 'process', 'terminal']
  const named = Object.fromEntries(
    doors.map(door => [
      door === 'index' ? '.' : `./${door}`,
      builtPackage === undefined ? `./src/${door}.ts` : `./dist/${door}.js`,
    ]),
  )
  const at = path.join(folder, 'lull')
  mkdirSync(at)
  // Outside of node_modules, where Node strips types; a package may import itself by its name.
  for (const name of [builtPackage === undefined ? 'src' : 'dist', 'bin', 'node_modules'])
    symlinkSync(path.join(builtPackage ?? root, name), path.join(at, name))
  writeFileSync(
    path.join(at, 'package.json'),
    JSON.stringify({ name: 'lull', type: 'module', exports: named }),
  )
  const recording = readFileSync(path.join(root, 'demo/claude-agent.cast.gz'))
  writeFileSync(path.join(at, 'session.cast'), gunzipSync(recording))
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: folder,
    LULL_RUNTIME_DIR: path.join(folder, 'run'),
    LANG: 'C.UTF-8',
  }
  return { folder: at, env }
}

async function runProgram(
  heading: string,
  extra: NodeJS.ProcessEnv = {},
  prepare?: (folder: string) => void,
) {
  const { folder, env } = workplace()
  prepare?.(folder)
  writeFileSync(path.join(folder, 'program.ts'), programOf(heading))
  const child = spawn(process.execPath, ['program.ts'], { cwd: folder, env: { ...env, ...extra } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', piece => {
    stdout += piece
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

const permission = { status: 'waiting', waitingFor: 'permission prompt', sessionId: 's' }

describe('docs/library.md', () => {
  test('holds the programs that are run here, and no other', () => {
    const headings = page
      .split(/^## /m)
      .slice(1)
      .map(text => text.split('\n')[0])
    expect(headings).toEqual([
      'Who needs me?',
      'Wait for the end of a turn, then go on',
      'Sessions on another machine',
      'Every change, until somebody has to answer',
      'Why does it say so?',
      'Type into a terminal and wait for the prompt',
      'Wait until a terminal asks something, without a connection',
      'Wait for a line that a terminal prints',
      'What does this process wait for?',
      'Run a command, and see why it hangs',
      'Run an agent again and again',
      'Judge a recording again',
      'Judge evidence of one’s own',
      'What a hook of an agent means',
    ])
  })

  test('who needs me', async () => {
    const agent = await startStandIn()
    agent.status(permission)
    const { code, stdout, stderr } = await runProgram('Who needs me?')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`claude ${agent.cwd} waiting/permission`)
  })

  test('wait for the end of a turn', async () => {
    const agent = await startStandIn()
    agent.status({ status: 'idle', sessionId: 's' })
    const program = programOf('Wait for the end of a turn, then go on')
    expect(program).toContain("'claude'")
    const { code, stdout } = await runProgramOf(program.replace("'claude'", `'pid:${agent.pid}'`))
    expect([code, stdout]).toEqual([0, 'go on\n'])
  })

  test.runIf(process.platform === 'linux')('sessions on another machine', async () => {
    const agent = await startStandIn()
    agent.status({ status: 'idle', sessionId: 's' })
    const host = await servedHost()
    onTestFinished(host.end)
    const around = { LULL_URL: host.url, LULL_TOKEN: await host.newToken('ci', 'read') }
    const program = programOf('Sessions on another machine').replace("'claude'", `'pid:${agent.pid}'`)
    const { code, stdout, stderr } = await runProgramOf(program, around)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(` claude ${agent.cwd}\n`)
    expect(stdout.endsWith('\nreached\n')).toBe(true)
  })

  test('every change, until somebody has to answer', async () => {
    const agent = await startStandIn()
    agent.status(permission)
    // Agents that other tests run on this machine may ask something else.
    const program = programOf('Every change, until somebody has to answer')
    expect(program).toContain('({ session }) =>')
    const own = program.replace('({ session }) =>', `({ pid, session }) => pid === ${agent.pid} &&`)
    const { code, stdout } = await runProgramOf(own)
    expect([code, stdout]).toEqual([0, 'claude asks: look at it\n'])
  })

  test('why does it say so', async () => {
    const agent = await startStandIn()
    agent.status(permission)
    const program = programOf('Why does it say so?').replace("'claude'", `'pid:${agent.pid}'`)
    const { code, stdout } = await runProgramOf(program)
    expect(code).toBe(0)
    expect(stdout).toContain('Waiting for a permission')
    expect(stdout).toContain('* status waiting')
  })

  test.runIf(hasProgram('tmux') && hasProgram('bash'))('type into a terminal', async () => {
    const server = tmuxServer()
    const pane = server.start('env', ...bash)
    const { code, stdout, stderr } = await runProgram('Type into a terminal and wait for the prompt', {
      LULL_PANE: pane,
      TMUX: `${server.socket},1,0`,
    })
    expect([code, stderr, stdout]).toEqual([0, '', 'ready true\n'])
  })

  const goals: readonly (readonly [heading: string, said: string])[] = [
    ['Wait until a terminal asks something, without a connection', 'reached Go on?\n'],
    ['Wait for a line that a terminal prints', 'reached running printed: listening on 8080\n'],
  ]
  test.runIf(hasProgram('tmux') && hasProgram('bash')).each(goals)('%s', async (heading, said) => {
    const server = tmuxServer()
    const around = { LULL_PANE: server.start('env', ...bash), TMUX: `${server.socket},1,0` }
    expect(await runProgram(heading, around)).toEqual({ code: 0, stderr: '', stdout: said })
  })

  test.runIf(process.platform === 'linux')('what does this process wait for', async () => {
    const { code, stdout } = await runProgram('What does this process wait for?')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^[A-Z`].*\.\n$/)
  })

  test('run a command', async () => {
    const { code, stdout } = await runProgram('Run a command, and see why it hangs')
    expect(code).toBe(0)
    expect(stdout).toMatch(/exit code 3\n$/)
  })

  test('run an agent again and again', async () => {
    const ralph = '---\nagent: sh -c "cat > /dev/null"\n---\nfix one test\n'
    const { code, stdout } = await runProgram('Run an agent again and again', {}, folder =>
      writeFileSync(path.join(folder, 'RALPH.md'), ralph),
    )
    expect(code).toBe(0)
    expect(stdout.match(/ITERATION_COMPLETED/g)).toHaveLength(2)
    expect(stdout).toMatch(/^RUN_STARTED\n[\s\S]*RUN_STOPPED\n$/)
  })

  test('judge a recording again', async () => {
    const { code, stdout } = await runProgram('Judge a recording again')
    expect(code).toBe(0)
    const { stdout: replayed } = await lull(['replay', path.join(root, 'demo/claude-agent.cast.gz')])
    expect(stdout.trim().split('\n')).toHaveLength(replayed.trim().split('\n').length)
  })

  test('judge evidence of one’s own', async () => {
    const { stdout } = await runProgram('Judge evidence of one’s own')
    expect(stdout).toBe(
      "{ kind: 'working', doing: 'tool' } Working, a tool runs, for 2.0 s: the PreToolUse hook said so 2.0 s ago.\n",
    )
  })

  test('what a hook means', async () => {
    const { stdout } = await runProgram('What a hook of an agent means')
    expect(stdout).toContain("{ kind: 'waiting', for: 'permission' }")
  })
})

async function runProgramOf(program: string, extra: NodeJS.ProcessEnv = {}) {
  const { folder, env } = workplace()
  writeFileSync(path.join(folder, 'program.ts'), program)
  const child = spawn(process.execPath, ['program.ts'], { cwd: folder, env: { ...env, ...extra } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', piece => {
    stdout += piece
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

describe('the table of what has methods', () => {
  test.each([
    ['Lull', ['src/connect/connect.ts']],
    ['Terminal', ['src/drive/open-terminal.ts']],
    ['Run', ['src/run/run.ts']],
    ['LoopRun', ['src/loop/loop.ts', 'src/loop/loop-runner.ts']],
  ] as const)('names all of %s', (name, files) => {
    const row = page.split('\n').find(line => line.startsWith(`| \`${name}\``)) ?? ''
    const told = row.split('|')[2]?.split(';')[0]?.match(/\w+/g)
    const types = files.flatMap(
      (file, at) =>
        new RegExp(`export type ${at === 0 ? name : 'Controls'} = .*?(?=^ *\\}$|^$)`, 'ms').exec(
          readFileSync(path.join(root, file), 'utf8'),
        ) ?? [],
    )
    const has = types.flatMap(text =>
      [...text.matchAll(/^ {2,4}(?:readonly )?(\w+)[(:]|& \{ readonly (\w+):/gm)].map(([, a, b]) => a ?? b),
    )
    expect(has.length).toBeGreaterThan(3)
    expect(new Set(told)).toEqual(new Set(has))
  })
})
