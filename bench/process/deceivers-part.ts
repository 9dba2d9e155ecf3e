/** Deceivers under a real `lull run`, until each has gone on: what lull called it meanwhile. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { table } from '../table.ts'
import { startBeside } from './beside.ts'
import type { Deceiver } from './deceiver.ts'
import { inLanes } from './lanes.ts'
import { missing, type Programs } from './programs.ts'
import { type RealRun, runReally } from './real-run.ts'
import type { Part } from './report.ts'
import type { Groups } from './unseen-part.ts'

const floors = { deceivers: 40, likely: 2 }
const abreast = 10
/** A lease is broken after 45 s. */
const longest = 75_000
const tidyMs = 5000
const options = ['--stdin', 'open']

type Judged = {
  readonly group: string
  readonly one: Deceiver
  readonly skipped?: string
  /** The gravest that it was called. */
  readonly level: 'confirmed' | 'likely' | 'suspicious' | 'healthy' | 'not judged'
  readonly isSafeToKill: boolean
  readonly got: string
  readonly reason: string
  /** It said that it went on: the truth came true. */
  readonly wentOn: boolean
  readonly seconds: number
}

/** @param isWhole all of them ran, so that the floor of their number holds */
export async function deceiversPart(
  groups: Groups<Deceiver>,
  programs: Programs,
  isWhole: boolean,
): Promise<Part> {
  const all = Object.entries(groups).flatMap(([group, some]) => some.map(one => ({ group, one })))
  const judged = new Map<Deceiver, Judged>()
  await inLanes(all, abreast, async ({ group, one }) => {
    const lacks = missing(one)
    const row = { group, one, ...(lacks === undefined ? await judge(one, programs) : absent(lacks)) }
    judged.set(one, row)
    process.stderr.write(
      `${one.name}: ${row.skipped ?? `${row.level}${row.wentOn ? '' : ', DID NOT GO ON'}`}\n`,
    )
  })
  return report(
    all.map(({ one }) => judged.get(one) as Judged),
    Object.keys(groups),
    isWhole,
  )
}

const nothing = {
  level: 'not judged',
  isSafeToKill: false,
  got: '',
  reason: '',
  wentOn: false,
  seconds: 0,
} as const
const absent = (why: string) => ({ ...nothing, skipped: why })

let folders = 0

async function judge(one: Deceiver, programs: Programs): Promise<Omit<Judged, 'group' | 'one'>> {
  const dir = path.join(programs.folder, `d${folders++}`)
  mkdirSync(dir)
  const beside = one.beside ? await startBeside(programs.resolve(one.beside, { dir }), dir) : undefined
  try {
    const command = programs.resolve(one.run, { dir, value: beside?.value ?? '' })
    const { around } = one
    const real = await runReally(command, { dir, options, longest, ...(around && { around }) })
    // The outsider takes away what it made.
    if (real.isOver) await Promise.race([beside?.gone, sleep(tidyMs)])
    return worst(real)
  } catch (error) {
    return { ...nothing, reason: (error as Error).message }
  } finally {
    beside?.close()
  }
}

const rank = { healthy: 0, suspicious: 1, likely_stuck: 2, confirmed_stuck: 3 } as const

function worst({ verdicts, output, isOver, seconds }: RealRun): Omit<Judged, 'group' | 'one'> {
  const gravity = ({ health }: RealRun['verdicts'][number]) =>
    health.certainty === 'certain' && health.level !== 'healthy' ? 3 : rank[health.level]
  const [gravest] = [...verdicts].sort((a, b) => gravity(b) - gravity(a))
  if (!gravest) return { ...nothing, reason: output }
  return {
    level: (['healthy', 'suspicious', 'likely', 'confirmed'] as const)[gravity(gravest)] ?? 'healthy',
    isSafeToKill: verdicts.some(({ safeToKill }) => safeToKill),
    got: `${gravest.health.cause ?? 'no cause'}, ${gravest.diagnosis?.proof ?? 'no proof'}`,
    reason: gravest.reason,
    wentOn: isOver && output.includes('went on'),
    seconds,
  }
}

function report(all: readonly Judged[], groups: readonly string[], isWhole: boolean): Part {
  const ran = all.filter(one => one.skipped === undefined)
  const counted = ran.filter(({ one }) => !one.isBeyond)
  const at = (level: Judged['level'], of: readonly Judged[]) => of.filter(row => row.level === level).length
  const lineOf = (name: string, of: readonly Judged[]) => [
    name,
    of.length,
    at('confirmed', of),
    at('likely', of),
    at('suspicious', of),
    at('healthy', of),
    of.filter(({ isSafeToKill }) => isSafeToKill).length,
  ]
  const totals = table(
    ['deceivers', 'all', 'confirmed', 'likely', 'suspicious', 'healthy', 'safe to kill'],
    [
      ...groups.map(group =>
        lineOf(
          group,
          counted.filter(row => row.group === group),
        ),
      ),
      lineOf('all', counted),
      lineOf(
        'beyond any proof, not counted',
        ran.filter(({ one }) => one.isBeyond),
      ),
    ],
  )
  const failures = ran.filter(({ wentOn }) => !wentOn)
  const figures = {
    deceivers: counted.length,
    skipped: all.filter(one => one.skipped).map(({ one, skipped }) => `${one.name}: ${skipped}`),
    confirmed: at('confirmed', counted),
    likely: at('likely', counted),
    safeToKill: counted.filter(({ isSafeToKill }) => isSafeToKill).length,
    beyondConfirmed: at(
      'confirmed',
      ran.filter(({ one }) => one.isBeyond),
    ),
    didNotGoOn: failures.map(({ one }) => one.name),
    wrong: counted
      .filter(({ level }) => level === 'confirmed' || level === 'likely')
      .map(({ one, level, got }) => `${one.name}: ${level}, ${got}`),
  }
  const told = ran
    .filter(({ level, wentOn }) => level === 'confirmed' || level === 'likely' || !wentOn)
    .map(
      ({ one, level, got, reason, wentOn, seconds }) =>
        `${one.name}: ${one.truth}\n  ${level}: ${got}: ${reason}${wentOn ? ` (went on after ${seconds} s)` : ' (DID NOT GO ON)'}`,
    )
  return {
    text: [totals, ...told, ...figures.skipped.map(text => `missing: ${text}`)].join('\n'),
    figures,
    missed: [
      ...(isWhole && counted.length < floors.deceivers ? [`only ${counted.length} deceivers`] : []),
      ...(figures.confirmed > 0 ? [`${figures.confirmed} deceivers were confirmed or certain`] : []),
      ...(figures.likely > floors.likely ? [`${figures.likely} deceivers were likely stuck`] : []),
      ...(failures.length > 0 ? [`${failures.length} deceivers did not go on`] : []),
    ],
  }
}
