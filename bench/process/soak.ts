/** Healthy jobs, looked at again and again: none may ever be called stuck. */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { startBeside } from './beside.ts'
import type { Programs } from './programs.ts'
import type { Command } from './scenario.ts'
import type { SoakJob, SoakResult } from './soak-one.ts'

const run = promisify(execFile)
const abreast = 4

type Healthy = { readonly name: string; readonly run: Command; readonly beside?: Command }

export const jobs: readonly Healthy[] = [
  { name: 'build', run: ['jobs.sh', 'build'] },
  { name: 'python pool', run: ['pool.py'] },
  { name: 'node workers', run: ['threads.js', 'workers'] },
  { name: 'pipeline', run: ['jobs.sh', 'pipeline'] },
  { name: 'git', run: ['jobs.sh', 'git'] },
  { name: 'agent', run: ['turns.js', 'http://127.0.0.1:{value}'], beside: ['server.js'] },
  { name: 'flock jobs', run: ['jobs.sh', 'flock'] },
  { name: 'tar | xz', run: ['jobs.sh', 'tar'] },
]

/** `quiet`: half an hour without a word, on real time. */
export const quietJobs: readonly Healthy[] = [
  { name: 'quiet script', run: ['bash', '-c', 'sleep 1800; echo done'] },
  { name: 'quiet agent', run: ['agent.js', 'mcp', 'http://127.0.0.1:{value}/slow'], beside: ['server.js'] },
]

export type Soaked = SoakResult & { readonly name: string }

export async function soak(
  chosen: readonly Healthy[],
  programs: Programs,
  ms: number,
  interval: number,
): Promise<Soaked[]> {
  const left = [...chosen]
  const done: Soaked[] = []
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift())
      done.push(await soakOne(next, programs, ms, interval))
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  return chosen.map(({ name }) => done.find(one => one.name === name) as Soaked)
}

async function soakOne(
  { name, run: command, beside }: Healthy,
  programs: Programs,
  ms: number,
  interval: number,
): Promise<Soaked> {
  const cwd = path.join(programs.folder, name.replace(/\W+/g, '-'))
  mkdirSync(cwd)
  const world = beside ? await startBeside(programs.resolve(beside, { dir: cwd }), cwd) : undefined
  try {
    const job: SoakJob = { run: programs.resolve(command, { value: world?.value ?? '' }), cwd, ms, interval }
    const one = path.join(import.meta.dirname, 'soak-one.ts')
    const { stdout } = await run(process.execPath, [one, JSON.stringify(job)], {
      timeout: ms + 60_000,
      maxBuffer: 64 << 20,
    })
    return { name, ...(JSON.parse(stdout) as SoakResult) }
  } finally {
    world?.close()
  }
}
