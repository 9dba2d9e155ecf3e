/** The parts of the bench: each measures, prints, and names the floors that it missed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { quantile } from '../live/processes.ts'
import { table } from '../table.ts'
import { ownWindows } from './baseline.ts'
import { blockingDwell, timeToCertain } from './blocking.ts'
import type { CostResult } from './cost-one.ts'
import type { Programs } from './programs.ts'
import { type Part, report } from './report.ts'
import type { Scenario } from './scenario.ts'
import { runScenarios } from './scenarios-run.ts'
import { type Row, score } from './scoring.ts'
import { jobs, quietJobs, type Soaked, soak } from './soak.ts'
import { kill } from './subject.ts'
import { treeOf } from './tree.ts'

const run = promisify(execFile)

const sizes = [1, 10, 100, 1000] as const
const methods = ['lull', 'pidusage', 'systeminformation'] as const

type Cost = { readonly size: number; readonly by: Readonly<Record<string, CostResult>> }

async function measureCosts(programs: Programs): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const size of sizes) {
    const [command = '', ...rest] = programs.resolve(['tree.c', String(size)], {})
    const child = spawn(command, rest, { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    const pid = child.pid as number
    try {
      const end = performance.now() + 10_000
      while (treeOf(pid).length < size && performance.now() < end) await sleep(50)
      await sleep(300)
      const by: Record<string, CostResult> = {}
      for (const method of methods) {
        const one = path.join(import.meta.dirname, 'cost-one.ts')
        const { stdout } = await run(process.execPath, [one, method, String(pid)], { timeout: 120_000 })
        by[method] = JSON.parse(stdout) as CostResult
      }
      costs.push({ size, by })
    } finally {
      for (const one of treeOf(pid).reverse()) kill(one)
    }
  }
  return costs
}

const folder = path.resolve(import.meta.dirname, '../../test/snapshots')
const repository = path.resolve(import.meta.dirname, '../..')
const mostBytes = 30_000

/** `scratch` is the bench's own folder. A cut that is too large is left out, and one whose cause is not right. */
function record({ scenario, isExact, observation: { cut } }: Row, scratch: string): void {
  if (!cut || !isExact) return
  const { name, kind, expected } = scenario
  const text = JSON.stringify({ name, kind, expected, cut })
    .replaceAll(path.join(scratch), '/scratch')
    .replaceAll(repository, '/lull')
    .replaceAll(path.dirname(process.execPath), '/usr/bin')
    .replaceAll(os.homedir(), '/home/user')
  const file = path.join(folder, `${name.replace(/\W+/g, '-').replace(/^-|-$/g, '').toLowerCase()}.json`)
  if (text.length > mostBytes) {
    process.stderr.write(`${name}: its cut is ${text.length} bytes, too large to record\n`)
    return
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${text}\n`)
}

const floors = { soakSamples: 1000, certainP95Ms: 4000, tickMs: 1, pidusageTimes: 20 }

type Wish = { readonly record: boolean; readonly json: boolean; readonly isWhole: boolean }

export async function scenarioPart(
  chosen: readonly Scenario[],
  programs: Programs,
  { record: records, json, isWhole }: Wish,
): Promise<Part> {
  const seen = await runScenarios(chosen, programs, one => {
    const row = score(one)
    const told = one.skipped ?? (row?.isExact ? 'right' : `WRONG: ${row?.error ?? row?.got}`)
    process.stderr.write(`${one.scenario.name}: ${told}\n`)
  })
  const rows = seen.map(score).filter(row => row !== undefined)
  if (records) for (const row of rows) record(row, programs.folder)
  const part = report(seen, rows, isWhole)
  if (json) return { ...part, text: JSON.stringify(rows.map(brief), null, 1) }
  const told = isWhole ? rows.filter(({ isExact }) => !isExact) : rows
  return { ...part, text: [part.text, ...told.map(inDetail)].join('\n\n') }
}

const brief = ({ observation, ...row }: Row) => ({ ...row, diagnosis: observation.diagnosis })

const inDetail = ({ scenario, observation: { diagnosis, error, costMs } }: Row): string =>
  [
    `${scenario.name}: ${error ?? diagnosis?.summary} (${costMs.toFixed(1)} ms)`,
    ...(diagnosis?.doubts.map(doubt => `  but ${doubt}`) ?? []),
    ...(diagnosis?.waits.map(
      ({ pid, tid, name, call, on, live }) =>
        `  ${pid}/${tid} ${name} in ${call} on ${on}${live ? `: alive, ${live}` : ''}`,
    ) ?? []),
  ].join('\n')

export async function soakPart(programs: Programs): Promise<Part> {
  const soaked = await soak(jobs, programs, 40_000, 200)
  const samples = soaked.reduce((sum, one) => sum + one.samples, 0)
  const part = soakReport('healthy jobs', soaked)
  const tooFew = samples < floors.soakSamples ? [`only ${samples} samples of healthy jobs`] : []
  return { ...part, missed: [...part.missed, ...tooFew] }
}

const halfAnHour = 1_800_000

export const longPart = async (programs: Programs): Promise<Part> =>
  soakReport('half an hour without a word', await soak(quietJobs, programs, halfAnHour - 5000, 5000))

function soakReport(title: string, soaked: readonly Soaked[]): Part {
  const rows = soaked.map(one => [
    one.name,
    one.samples,
    one.blocked,
    one.verdicts,
    one.likely,
    one.confirmed,
    Object.entries(one.causes)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 4)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(', '),
  ])
  const sum = (of: (one: Soaked) => number) => soaked.reduce((all, one) => all + of(one), 0)
  const figures = {
    samples: sum(one => one.samples),
    blocked: sum(one => one.blocked),
    verdicts: sum(one => one.verdicts),
    likely: sum(one => one.likely),
    confirmed: sum(one => one.confirmed),
  }
  const head = [title, 'cuts', 'proven blocked', 'verdicts', 'likely stuck', 'confirmed', 'seen as']
  const wrong = soaked.flatMap(({ name, wrong }) => wrong.map(text => `  ${name}: ${text}`))
  return {
    text: [table(head, [...rows, ['all', ...Object.values(figures), '']]), ...wrong].join('\n'),
    figures,
    missed: [
      ...(figures.confirmed > 0 ? [`${figures.confirmed} verdicts called healthy jobs stuck`] : []),
      ...(figures.blocked > 0 ? [`${figures.blocked} cuts of healthy jobs were proven blocked`] : []),
    ],
  }
}

export async function blockingPart(programs: Programs): Promise<Part> {
  const took = await timeToCertain(programs)
  const known = took.filter(ms => ms !== undefined)
  const figures = {
    rounds: took.length,
    never: took.length - known.length,
    p50: Math.round(quantile(known, 0.5)),
    p95: Math.round(quantile(known, 0.95)),
  }
  const document = 1000 * (ownWindows.silence + ownWindows.confirm)
  const text = table(
    ['blocked → certain, ms', 'rounds', 'p50', 'p95', 'never'],
    [
      [`lull, dwell ${blockingDwell / 1000} s`, figures.rounds, figures.p50, figures.p95, figures.never],
      ['document 004: confirmed, never certain', '-', document, document, '-'],
    ],
  )
  const isLate = figures.never > 0 || figures.p95 > floors.certainP95Ms
  return { text, figures, missed: isLate ? ['certain too late'] : [] }
}

export async function costPart(programs: Programs): Promise<Part> {
  const costs = await measureCosts(programs)
  const figure = (value: number | undefined) => (value ?? Number.NaN).toFixed(value && value < 10 ? 3 : 1)
  const text = table(
    ['CPU ms per look, processes', ...costs.map(({ size }) => String(size))],
    [
      ...methods.map(method => [
        method === 'lull' ? 'lull, a tick while nothing runs' : method,
        ...costs.map(({ by }) => figure(by[method]?.tick)),
      ]),
      ['lull, all looks of ten minutes, a second', ...costs.map(({ by }) => figure(by.lull?.all))],
    ],
  )
  const most = costs.at(-1)?.by
  const tick = most?.lull?.tick ?? Number.POSITIVE_INFINITY
  const times = (most?.pidusage?.tick ?? 0) / tick
  return {
    text,
    figures: { tickAt1000: Number(figure(tick)), pidusageTimes: Math.round(times), costs },
    missed: [
      ...(tick > floors.tickMs ? ['a tick of 1,000 processes costs too much'] : []),
      ...(times < floors.pidusageTimes ? ['not far enough below pidusage'] : []),
    ],
  }
}

/** What `lull run` adds to a command: a bench of its own, whose last line is JSON. */
export async function runPart(): Promise<Part> {
  const file = path.join(import.meta.dirname, '../run.ts')
  if (!existsSync(file))
    return { text: 'bench/run.ts is not there', figures: undefined, missed: ['no bench/run.ts'] }
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', piece => {
    text += piece
  })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  const lines = text.trimEnd().split('\n')
  return {
    text: lines.slice(0, -1).join('\n'),
    figures: JSON.parse(lines.at(-1) ?? '{}'),
    missed: code === 0 ? [] : ['bench/run.ts missed a floor'],
  }
}
