/** What came of the plays: a row per CLI, with hooks and without, each disagreement, each answer that failed. */
import { compare } from '../day/compare.ts'
import { type Span, truthOf } from '../day/truth.ts'
import { type Row, saidOf } from '../day/watcher.ts'
import { quantile } from '../live/processes.ts'
import { percent, table } from '../table.ts'
import type { Member } from './cast.ts'
import { falseIdles, latencies, missedWaits } from './figures.ts'
import type { Headless } from './headless.ts'
import type { Answer } from './player.ts'

/** Not even tried, or broken off. */
export type Left = { readonly cli: string; readonly name: string; readonly why: string }

/** Idle for longer while it is busy, ms: the floor. */
const leastIdle = 1000

/** A wait of a shorter time could not have been seen by a person either, ms. */
const leastWait = 2000

export type Outcome = ReturnType<typeof judged>

const judged = (
  name: string,
  spans: readonly Span[],
  said: ReturnType<typeof saidOf>,
  answers: readonly Answer[],
) => ({
  name,
  spans,
  said,
  answers,
  ...compare(spans, said),
  falseIdles: falseIdles(spans, said, leastIdle),
  missedWaits: missedWaits(spans, said, leastWait),
  latencies: latencies(spans, said),
})

export const outcomeOf = ({ name, player }: Member, rows: readonly Row[], end: number): Outcome =>
  judged(
    name,
    truthOf(player.actor.marks, player.actor.events, end),
    saidOf(rows, player.actor.stays(end)),
    player.answers,
  )

export const outcomeOfHeadless = (
  run: Extract<Headless, { spans: unknown }>,
  rows: readonly Row[],
): Outcome => judged(run.name, run.spans, saidOf(rows, run.stays), [])

const clock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1000).toFixed(1).padStart(4, '0')}`

const whole = (ms: number): string => (Number.isNaN(ms) ? '-' : ms.toFixed(0))

export function report(outcomes: readonly Outcome[], left: readonly Left[], begun: number, end: number) {
  const answers = outcomes.flatMap(outcome => outcome.answers)
  const right = answers.filter(({ isRight }) => isRight).length
  const idles = outcomes.flatMap(outcome => outcome.falseIdles).length
  const waits = outcomes.flatMap(outcome => outcome.missedWaits).length
  const missed = [
    idles > 0 && `${idles} false idles of more than 1 s`,
    waits > 0 && `${waits} waits that nobody was told of`,
    right < answers.length &&
      `${answers.length - right} of ${answers.length} dialogs not answered as they should be`,
  ].filter(text => text !== false)
  const text = [
    tableOf(outcomes),
    '',
    ...outcomes.flatMap(outcome => listed(outcome, begun)),
    '',
    ...answers.filter(({ isRight }) => !isRight).map(failed),
    ...left.map(({ cli, name, why }) => `not played: ${cli}: ${name}: ${why.split('\n')[0]}`),
    '',
    missed.length > 0 ? `missed: ${missed.join(', ')}` : 'no floor is missed',
  ].join('\n')
  const all = outcomes.flatMap(outcome => outcome.latencies)
  const figures = {
    minutes: Math.round((end - begun) / 6000) / 10,
    agents: outcomes.length,
    ...sharesOf(outcomes),
    falseIdles: idles,
    missedWaits: waits,
    dialogs: answers.length,
    answered: right,
    p50: Math.round(quantile(all, 0.5)),
    p95: Math.round(quantile(all, 0.95)),
    disagreements: outcomes.flatMap(outcome => outcome.disagreements).length,
    notPlayed: left.length,
  }
  return { text, figures, missed }
}

function sharesOf(outcomes: readonly Outcome[]) {
  const add = (pick: (sums: Outcome['sums']) => number) =>
    outcomes.reduce((sum, outcome) => sum + pick(outcome.sums), 0)
  const all = add(one => one.right + one.unknown + one.wrong + one.late) || 1
  return {
    judgedMinutes: Math.round(all / 6000) / 10,
    rightShare: add(one => one.right) / all,
    lateShare: add(one => one.late) / all,
    unknownShare: add(one => one.unknown) / all,
    wrongShare: add(one => one.wrong) / all,
  }
}

function tableOf(outcomes: readonly Outcome[]): string {
  const head = [
    'agent',
    'minutes',
    'right %',
    'late %',
    'unknown %',
    'wrong %',
    'idle > 1 s',
    'missed waits',
    'ms p50',
    'ms p95',
    'answered',
  ]
  const rows = outcomes.map(outcome => {
    const shares = sharesOf([outcome])
    return [
      outcome.name,
      shares.judgedMinutes.toFixed(1),
      percent(shares.rightShare),
      percent(shares.lateShare),
      percent(shares.unknownShare),
      percent(shares.wrongShare),
      outcome.falseIdles.length,
      outcome.missedWaits.length,
      whole(quantile(outcome.latencies, 0.5)),
      whole(quantile(outcome.latencies, 0.95)),
      `${outcome.answers.filter(({ isRight }) => isRight).length}/${outcome.answers.length}`,
    ]
  })
  return table(head, rows)
}

function listed(
  { name, disagreements, falseIdles: idles, missedWaits: waits }: Outcome,
  begun: number,
): string[] {
  return [
    ...disagreements.map(
      ({ kind, at, lasted, truth, situation, said }) =>
        `${clock(at - begun)} ${name}: ${kind} for ${(lasted / 1000).toFixed(1)} s: ${truth} in truth, ` +
        `${said.state} by ${said.by} (${situation})`,
    ),
    ...idles.map(
      ({ from, to, situation, said }) =>
        `${clock(from - begun)} ${name}: IDLE > 1 s, for ${((to - from) / 1000).toFixed(1)} s, by ${said.by} (${situation})`,
    ),
    ...waits.map(
      ({ from, to, situation, said }) =>
        `${clock(from - begun)} ${name}: WAIT MISSED of ${((to - from) / 1000).toFixed(1)} s: ${said.state} by ${said.by} (${situation})`,
    ),
  ]
}

const failed = ({ agent, what, choice, said, screen }: Answer): string =>
  `not answered: ${agent}: ${what}, ${choice}: ${said}\n${(screen ?? '').trimEnd()}`
