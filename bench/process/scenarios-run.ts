/** Runs scenarios, several at a time where they leave the processor alone, and scores what both sides said of them. */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { startBeside } from './beside.ts'
import { inLanes } from './lanes.ts'
import type { Job, Observation } from './observe.ts'
import { missing, type Programs } from './programs.ts'
import type { Scenario } from './scenario.ts'

const run = promisify(execFile)
const abreast = 8
/** 5 s of them. */
const readings = 10
const observer = path.join(import.meta.dirname, 'observe.ts')

export type Seen = {
  readonly scenario: Scenario
  readonly observation?: Observation
  readonly skipped?: string
}

export async function runScenarios(
  chosen: readonly Scenario[],
  programs: Programs,
  told: (seen: Seen) => void,
): Promise<Seen[]> {
  const seen = new Map<Scenario, Seen>()
  const take = async (scenario: Scenario) => {
    const lacks = missing(scenario)
    const one: Seen = lacks
      ? { scenario, skipped: lacks }
      : { scenario, observation: await runOne(scenario, programs, readings) }
    seen.set(scenario, one)
    told(one)
  }
  await inLanes(
    chosen.filter(({ heavy }) => !heavy),
    abreast,
    take,
  )
  await inLanes(
    chosen.filter(({ heavy }) => heavy),
    1,
    take,
  )
  return chosen.map(scenario => seen.get(scenario) as Seen)
}

let folders = 0

/** @param readings for the baseline, 0.5 s apart; four at least */
export async function runOne(scenario: Scenario, programs: Programs, readings: number): Promise<Observation> {
  const dir = path.join(programs.folder, `s${folders++}`)
  mkdirSync(dir, { mode: 0o777 })
  await run('chmod', ['777', dir])
  const beside = scenario.beside
    ? await startBeside(programs.resolve(scenario.beside, { dir }), dir)
    : undefined
  try {
    const values = { dir, value: beside?.value ?? '' }
    const job: Job = {
      run: programs.resolve(scenario.run, values),
      ...(scenario.attach && { attach: Number(values.value) }),
      pty: scenario.pty === true,
      drained: scenario.undrained !== true,
      cwd: dir,
      moves: scenario.moves === true,
      settle: scenario.settle ?? 500,
      readings,
      ...(scenario.afterwards && { afterwards: programs.resolve(scenario.afterwards, values) }),
      ...(scenario.undo && { undo: programs.resolve(scenario.undo, values) }),
    }
    return await observeApart(job, scenario.unprivileged === true)
  } catch (error) {
    return { readings: [], costMs: 0, error: (error as Error).message }
  } finally {
    beside?.close()
  }
}

/** In a process of its own, as a supervisor is. */
async function observeApart(job: Job, unprivileged: boolean): Promise<Observation> {
  const node = [process.execPath, observer, JSON.stringify(job)]
  const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
  const [command = '', ...rest] = unprivileged ? [...nobody, ...node] : node
  const { stdout, stderr } = await run(command, rest, { timeout: 60_000, maxBuffer: 64 << 20 })
  if (stdout === '') throw new Error(stderr.slice(0, 500) || 'the observer said nothing')
  return JSON.parse(stdout) as Observation
}
