/** A thousand sessions with their status files and transcripts: listed by lull itself, and by a host that has just started. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { run } from './processes.ts'

const count = 1000

export async function measureThousand() {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-thousand-')))
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, LULL_RUNTIME_DIR: path.join(home, 'run') }
  const program = path.join(home, 'claude')
  copyFileSync('/bin/sleep', program)
  // The first start compiles, which is measured elsewhere.
  await run(['ps', '--json'], env)
  const agents = Array.from({ length: count }, (_, number) => startAgent(home, program, number, env))
  try {
    const own = await timed(['ps', '--json'], env)
    const host = await timed(['host', 'start'], env)
    const asked = await timed(['ps', '--json'], env)
    const { sessions } = JSON.parse(asked.stdout) as { sessions: { pid: number }[] }
    const listed = new Set(sessions.map(({ pid }) => pid))
    const missing = agents.filter(({ pid = 0 }) => !listed.has(pid)).length
    return { psMs: own.ms, hostMs: host.ms, askedMs: asked.ms, missing }
  } finally {
    await run(['host', 'stop'], env)
    for (const agent of agents) agent.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

async function timed(words: readonly string[], env: NodeJS.ProcessEnv) {
  const from = performance.now()
  const { stdout, at } = await run(words, env)
  return { stdout, ms: at - from }
}

function startAgent(home: string, program: string, number: number, env: NodeJS.ProcessEnv) {
  const cwd = path.join(home, `project-${number}`)
  const session = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const transcripts = path.join(home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
  const statuses = path.join(home, '.claude/sessions')
  for (const folder of [cwd, transcripts, statuses]) mkdirSync(folder, { recursive: true })
  const agent = spawn(program, ['900'], { argv0: 'claude', env, cwd, stdio: 'ignore' })
  const status = { pid: agent.pid, sessionId: session, cwd, status: number % 3 ? 'busy' : 'idle' }
  writeFileSync(path.join(statuses, `${agent.pid}.json`), JSON.stringify(status))
  const row = {
    type: 'user',
    timestamp: new Date().toISOString(),
    sessionId: session,
    cwd,
    message: { content: 'hi' },
  }
  writeFileSync(path.join(transcripts, `${session}.jsonl`), `${JSON.stringify(row)}\n`)
  return agent
}
