/**
 * `npm run bench:loop`: agent calls of an idle day with and without an `idle:` block, and how soon new work is found;
 * state markers found and missed; real Claude Code and Codex in a loop. Exits 1 where a floor is missed.
 */
import { findMarker } from '../src/loop/marker/marker.ts'
import { type IdleRule, idleDefaults } from '../src/loop/step/idle-backoff.ts'
import { messages } from './loop/marker-messages.ts'
import { rowCases } from './loop/marker-rows.ts'
import { expectedEnds, expectedWaits, loopReal } from './loop/real.ts'
import { type Act, hour, scripted, second } from './loop/scripted-loop.ts'
import { table } from './table.ts'

/** docs/seeds.md#001: an iteration with work took 46.2 s, one without 12 s. */
const busy: Act = { takes: 46_200, says: 'Did it.' }
const idle: Act = { takes: 12_000, says: 'Nothing to do.\n<!-- ralph:state idle -->' }
const busyFirst = 5
const idleTime = 24 * hour
/** When the work appears after that: at any point of a wait. */
const offsets = Array.from({ length: 50 }, (_, i) => i * 7 * second)

type Idling = {
  /** Calls of the agent in which it had nothing to do, median of the runs. */
  readonly idleCalls: number
  /** From new work to the start of the iteration that finds it, ms, sorted. */
  readonly pickups: readonly number[]
  readonly longestWait: number
}

/** @param rule none for a file without the block */
function idling(rule?: IdleRule): Idling {
  const runs = offsets.map(offset => run(offset, rule))
  const calls = runs.map(({ idleCalls }) => idleCalls).sort((a, b) => a - b)
  return {
    idleCalls: calls[Math.floor(calls.length / 2)] ?? 0,
    pickups: runs.map(({ pickup }) => pickup).sort((a, b) => a - b),
    longestWait: rule?.maxDelay ?? 0,
  }
}

/** It may idle for longer than a day here. */
const asDocumented: IdleRule = { ...idleDefaults, max: 2 * idleTime }

function run(offset: number, rule: IdleRule | undefined) {
  const workAt = busyFirst * (busy.takes ?? 0) + idleTime + offset
  const hasWork = (iteration: number, now: number): boolean => iteration <= busyFirst || now >= workAt
  const loop = scripted(rule ? { idle: rule } : {}, (iteration, now) =>
    hasWork(iteration, now) ? busy : idle,
  )
  loop.clock.advance(workAt + hour)
  const found = loop.calls.find(({ at }) => at >= workAt)
  if (!found) throw new Error('the loop never found the work')
  return { idleCalls: loop.calls.indexOf(found) - busyFirst, pickup: found.at - workAt }
}

type Score = {
  readonly name: string
  readonly said: number
  readonly shown: number
  /** Found where it was only shown. */
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

type Case = { readonly what: string; readonly reports: string | null; readonly read: () => string | null }

const ofMessages: readonly Case[] = messages.map(({ what, text, prompt, reports }) => ({
  what,
  reports,
  read: () => findMarker(text, prompt)?.name ?? null,
}))
const ofRows: readonly Case[] = rowCases.map(({ agent, what, ...rest }) => ({
  what: `${agent}: ${what}`,
  ...rest,
}))

const markerScores = (): Score[] => [score('final messages', ofMessages), score('rows of eight CLIs', ofRows)]

/** What the only attempt at it did (docs/research/loops.md#the-earlier-attempt): the marker anywhere in the text. */
function rivalScore(): Score {
  const anywhere = messages.map(({ what, text, reports }) => ({
    what,
    reports,
    read: () => /<!--\s*ralph:state\s+(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? null,
  }))
  return score('final messages, searched for the text alone', anywhere)
}

function score(name: string, cases: readonly Case[]): Score {
  const read = cases.map(one => ({ ...one, found: one.read() }))
  const failures = (wanted: (one: (typeof read)[number]) => boolean): string[] =>
    read.filter(one => one.found !== one.reports && wanted(one)).map(({ what }) => what)
  return {
    name,
    said: cases.filter(({ reports }) => reports !== null).length,
    shown: cases.filter(({ reports }) => reports === null).length,
    wrong: failures(({ found }) => found !== null),
    missed: failures(({ found }) => found === null),
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const missed: string[] = []
const floor = (isMet: boolean, what: string): void => {
  if (!isMet) missed.push(what)
}

const inSeconds = (ms: number | undefined): string => ((ms ?? 0) / 1000).toFixed(1)
const median = ({ pickups }: Idling): number | undefined => pickups[Math.floor(pickups.length / 2)]

const withBlock = idling(asDocumented)
const without = idling()
const saved = 1 - withBlock.idleCalls / without.idleCalls

say(
  '5 busy iterations, 24 h without work, then work (simulated; 46.2 s an iteration with work, 12 s without)\n',
)
say(
  table(
    ['', 'idle calls in 24 h', 'pickup, s: median', 'max'],
    [
      ['without idle:', without.idleCalls, inSeconds(median(without)), inSeconds(without.pickups.at(-1))],
      [
        'idle: 30s, × 2, 5m',
        withBlock.idleCalls,
        inSeconds(median(withBlock)),
        inSeconds(withBlock.pickups.at(-1)),
      ],
    ],
  ),
)
say(`\n${(100 * saved).toFixed(1)} % of the idle calls are saved\n`)
floor(saved >= 0.9, 'idle calls saved')
// At worst the work appears right after an iteration has begun: that one, and the wait after it.
floor((withBlock.pickups.at(-1) ?? Infinity) <= withBlock.longestWait + 12_000, 'pickup')

const scores = markerScores()
const rival = rivalScore()
say(
  table(
    ['state markers', 'said', 'missed', 'only shown', 'found there'],
    [...scores, rival].map(({ name, said, missed, shown, wrong }) => [
      name,
      said,
      missed.length,
      shown,
      wrong.length,
    ]),
  ),
)
for (const { name, wrong, missed: lost } of scores) {
  for (const what of wrong) say(`  found in ${name}: ${what}`)
  for (const what of lost) say(`  missed in ${name}: ${what}`)
  floor(wrong.length === 0, `${name}: false`)
  floor(lost.length === 0, `${name}: missed`)
}
floor(scores.reduce((sum, { shown }) => sum + shown, 0) >= 40, 'markers only shown')

const real = await loopReal()
say('\nreal CLIs on a scripted model: 3 iterations with work, 3 without, 1 with; idle: 1s, × 2, 3s\n')
say(
  table(
    ['', 'iterations', 'waits, s', 'answer → next request, s'],
    real.map(({ cli, ends, waits }) => [
      cli,
      ends.map(end => end.charAt(0)).join(' '),
      waits.map(({ took }) => (took / 1000).toFixed(3)).join(', '),
      waits.map(({ gap }) => (gap / 1000).toFixed(1)).join(', '),
    ]),
  ),
)
say(
  'c: completed, i: idle; each with work reads a file with the marker by a tool, and quotes it in its answer',
)
/** How late a wait may end: timers of a machine under load. */
const lateMs = 500
for (const { cli, ends, waits } of real) {
  floor(ends.join() === expectedEnds.join(), `${cli}: iterations`)
  const isInTime = ({ wanted, took }: (typeof waits)[number], i: number): boolean =>
    wanted === expectedWaits[i] && took >= wanted && took <= wanted + lateMs
  floor(waits.length === expectedWaits.length && waits.every(isInTime), `${cli}: waits`)
}

say(
  `\n${JSON.stringify({
    bench: 'loop',
    idleCalls: withBlock.idleCalls,
    idleCallsWithout: without.idleCalls,
    pickupMedianSeconds: (median(withBlock) ?? 0) / 1000,
    pickupMaxSeconds: (withBlock.pickups.at(-1) ?? 0) / 1000,
    pickupMaxSecondsWithout: (without.pickups.at(-1) ?? 0) / 1000,
    markersSaid: scores.reduce((sum, { said }) => sum + said, 0),
    markersMissed: scores.reduce((sum, { missed }) => sum + missed.length, 0),
    markersShown: scores.reduce((sum, { shown }) => sum + shown, 0),
    markersFalse: scores.reduce((sum, { wrong }) => sum + wrong.length, 0),
    rivalFalse: rival.wrong.length,
    real: real.map(({ cli, ends, waits }) => ({
      cli,
      ends: ends.join(),
      waits: waits.map(({ took }) => took),
    })),
    missed,
  })}`,
)
process.exitCode = missed.length === 0 ? 0 : 1
