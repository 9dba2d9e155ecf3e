/** What came of the day: per agent and per kind, and each disagreement. */
import { percent, table } from '../table.ts'
import type { Actor } from './actor.ts'
import { compare, type Disagreement, type DisagreementKind, type Said, type Sums } from './compare.ts'
import { type Span, truthOf } from './truth.ts'
import { type Row, saidOf } from './watcher.ts'

export type Failure = { readonly name: string; readonly agents: string; readonly why: string }

export type AgentDay = {
  readonly agent: string
  readonly hooks: boolean
  readonly spans: readonly Span[]
  readonly said: readonly Said[]
  readonly disagreements: readonly Disagreement[]
  readonly sums: Sums
  readonly situations: number
  /** What the truth was made of. */
  readonly marks: Actor['marks']
  readonly model: readonly object[]
}

/** At least so many kinds of situations have to be played, or the day tells little. */
const leastSituations = 20

export function endDay(actor: Actor, rows: readonly Row[], end: number): AgentDay {
  const spans = truthOf(actor.marks, actor.events, end)
  const said = saidOf(rows, actor.stays(end))
  return {
    agent: actor.role.name,
    hooks: actor.role.hooks,
    spans,
    said,
    ...compare(spans, said),
    situations: new Set(spans.map(({ situation }) => situation)).size,
    marks: actor.marks,
    model: actor.events.map(({ at, type, request, ...rest }) => ({
      at,
      type,
      kind: request.kind,
      directive: request.directive,
      step: request.step,
      ...rest,
    })),
  }
}

const clock = (ms: number): string => {
  const whole = Math.floor(ms / 1000)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}.${Math.floor((ms % 1000) / 100)}`
}

const count = (all: readonly Disagreement[], kind: DisagreementKind): number =>
  all.filter(entry => entry.kind === kind).length

/** A row may be wrong for so long, where all is asked for, ms. */
const longWrong = 2000

/** @param isStrict each row that is wrong or unknown for long is a miss, and each situation that was not played */
export function report(
  days: readonly AgentDay[],
  failures: readonly Failure[],
  begun: number,
  end: number,
  isStrict: boolean,
) {
  const all = days.flatMap(({ disagreements }) => disagreements)
  const sums = days.map(day => day.sums)
  const names = new Set(days.flatMap(({ spans }) => spans.map(({ situation }) => situation)))
  const failed = new Set(failures.map(({ name }) => name))
  const played = [...names].filter(name => !failed.has(name)).length
  const total = sharesOf(sums)
  const kinds = Object.fromEntries(
    [...new Set(all.map(({ kind }) => kind))].map(kind => [kind, count(all, kind)]),
  )
  const wrongRows = all.filter(({ kind, whole }) => kind !== 'long unknown' && whole > longWrong).length
  const unknownRows = count(all, 'long unknown')
  const missed = [
    isStrict && wrongRows > 0 && `${wrongRows} rows wrong for more than 2 s`,
    isStrict && unknownRows > 0 && `${unknownRows} rows unknown for more than 5 s`,
    isStrict && failures.length > 0 && `${failures.length} situations not played`,
    count(all, 'false idle') > 0 && `${count(all, 'false idle')} false idles`,
    count(all, 'stale waiting') > 0 && `${count(all, 'stale waiting')} stale waitings`,
    !isStrict && played < leastSituations && `only ${played} situations were played`,
  ].filter(text => text !== false)
  const text = [
    agentTable(days),
    '',
    ...days.flatMap(day => listed(day, begun)),
    ...failures.map(({ agents, name, why }) => `not played: ${agents}: ${name}: ${why.split('\n')[0]}`),
    '',
    missed.length > 0 ? `missed: ${missed.join(', ')}` : 'no floor is missed',
  ].join('\n')
  const figures = {
    minutes: Math.round((end - begun) / 6000) / 10,
    agents: days.length,
    situations: played,
    plays: days.reduce((sum, { situations }) => sum + situations, 0),
    notPlayed: failures.length,
    ...total,
    disagreements: all.length,
    wrongRows,
    unknownRows,
    kinds,
  }
  return { text, figures, missed }
}

function sharesOf(sums: readonly Sums[]) {
  const add = (pick: (one: Sums) => number) => sums.reduce((sum, one) => sum + pick(one), 0)
  const whole = add(one => one.right + one.unknown + one.wrong + one.late) || 1
  return {
    judgedMinutes: Math.round(whole / 6000) / 10,
    rightShare: add(one => one.right) / whole,
    lateShare: add(one => one.late) / whole,
    unknownShare: add(one => one.unknown) / whole,
    wrongShare: add(one => one.wrong) / whole,
  }
}

function agentTable(days: readonly AgentDay[]): string {
  const head = [
    'agent',
    'hooks',
    'situations',
    'minutes',
    'right %',
    'late %',
    'unknown %',
    'wrong %',
    'wrong times',
  ]
  const rows = days.map(({ agent, hooks, situations, sums, disagreements }) => {
    const shares = sharesOf([sums])
    return [
      agent,
      hooks ? 'yes' : 'no',
      situations,
      shares.judgedMinutes.toFixed(1),
      percent(shares.rightShare),
      percent(shares.lateShare),
      percent(shares.unknownShare),
      percent(shares.wrongShare),
      disagreements.length,
    ]
  })
  return table(head, rows)
}

function listed({ agent, disagreements }: AgentDay, begun: number): string[] {
  return disagreements.map(
    ({ kind, at, lasted, truth, situation, said }) =>
      `${clock(at - begun)} ${agent}: ${kind} for ${(lasted / 1000).toFixed(1)} s: ${truth} in truth, ` +
      `${said.state} by ${said.by} (${situation})`,
  )
}
