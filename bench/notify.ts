/**
 * `npm run bench:notify [ROUNDS]`: a hundred sessions that change at once, as the host tells of them: rules in a file, sessions in a
 * real tmux, a history on disk, a webhook on loopback. Exits 1 where a message is missing, doubled or wrong, or comes too late.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { advance } from '../src/core/advance.ts'
import type { Sign } from '../src/core/evidence/signal.ts'
import { newSession } from '../src/core/session.ts'
import type { Instant, State } from '../src/core/state.ts'
import { holdNotify } from '../src/notify/hold-notify.ts'
import { placesOf } from '../src/os/file/places.ts'
import type { LiveChange, LiveSession, SessionSource } from '../src/sessions/session-source.ts'
import { realClock } from '../src/track/clock.ts'
import { createSubscribers, newest } from '../src/track/subscribers.ts'
import { quantile } from './live/processes.ts'
import { table } from './table.ts'

const rounds = Number(process.argv[2] ?? 5)
const many = 100
/** s, p95 from the change, or from the end of `after`, to the request at the server. */
const floor = 2

type Received = {
  readonly at: number
  readonly id: string
  readonly isWithdrawn: boolean
  readonly sessions: readonly string[]
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-notify-'))
const socket = path.join(folder, 't')
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
tmux('new-session', '-d', 'sleep 1000')
const pane = tmux('display', '-p', '#{pane_id}').trim()

const received: Received[] = []
/** Every so many-th request is refused. */
let refusesEach = Infinity
let requests = 0
const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', piece => {
    text += piece
  })
  request.on('end', () => {
    const isRefused = ++requests % refusesEach === 0
    response.writeHead(isRefused ? 503 : 200).end()
    if (isRefused) return
    const { id, withdrawn, sessions } = JSON.parse(text) as {
      id: string
      withdrawn: boolean
      sessions: { id: string }[]
    }
    received.push({
      at: performance.now(),
      id,
      isWithdrawn: withdrawn,
      sessions: sessions.map(one => one.id),
    })
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const clock = realClock(true)
const idOf = (n: number): string => `s${String(n).padStart(7, '0')}`
const liveOf = (n: number, state: State): LiveSession => {
  const now = clock.now()
  return {
    id: idOf(n),
    agent: 'claude',
    pid: 1000 + n,
    cwd: `/home/dev/project-${n}`,
    tmux: socket,
    pane,
    hooks: 'heard',
    isSeen: false,
    session: advance(newSession(now), now, onScreen(state, now)),
  }
}
/** What only a report shows counts 0.5 s later (src/sessions/passing-wait.ts). */
const onScreen = (state: State, at: Instant): Sign => ({
  type: 'sign',
  source: 'screen',
  what: state.kind,
  state,
  excludes: [],
  tier: 'seen',
  lag: 0,
  since: at,
  seen: at,
  alive: true,
})
const working: State = { kind: 'working' }
const waiting: State = { kind: 'waiting', for: 'permission' }

type Scenario = {
  readonly name: string
  readonly rules: string
  /** Between one change and the next. ms */
  readonly apart?: number
  /** ms */
  readonly after?: number
  readonly refuses?: number
  /** Messages, of all hundred; any number where not given. */
  readonly messages?: number
}

const scenarios: readonly Scenario[] = [
  { name: 'one digest', rules: 'rules: [{when: waiting, after: 0s}]', messages: 1 },
  {
    name: 'one digest, after 2 s',
    rules: 'rules: [{when: waiting, after: 2s}]',
    after: 2000,
    messages: 1,
  },
  {
    name: 'a message each',
    rules: 'rules: [{when: waiting, after: 0s}]\ndigest: {more_than: 100, within: 1s}',
    messages: many,
  },
  {
    name: 'a message each, 20 ms apart',
    rules: 'rules: [{when: waiting, after: 0s}]\ndigest: {more_than: 100, within: 1s}',
    apart: 20,
    messages: many,
  },
  {
    name: 'a message each, one in ten refused at first',
    rules: 'rules: [{when: waiting, after: 0s}]\ndigest: {more_than: 100, within: 1s}',
    refuses: 10,
    messages: many,
  },
]

type Outcome = {
  readonly told: readonly number[]
  readonly over: readonly number[]
  readonly wrong: readonly string[]
}

let homes = 0
async function play({
  rules,
  apart = 0,
  after = 0,
  refuses = Infinity,
  messages,
}: Scenario): Promise<Outcome> {
  const home = path.join(folder, `h${homes++}`)
  const env = { HOME: home, PATH: process.env.PATH }
  mkdirSync(path.join(home, '.config/lull'), { recursive: true, mode: 0o700 })
  writeFileSync(path.join(home, '.config/lull/notify.yaml'), `to: {hook: {webhook: "${url}"}}\n${rules}\n`, {
    mode: 0o600,
  })
  const changes = createSubscribers<LiveChange>(newest)
  const all = Array.from({ length: many }, (_, n) => n)
  let isFollowed = false
  const sessions = {
    changes: async () => {
      isFollowed = true
      return changes.subscribe({ type: 'snapshot', sessions: all.map(n => liveOf(n, working)) })
    },
  } as unknown as SessionSource
  const complaints: string[] = []
  const complain = (sentence: string): void => void complaints.push(sentence)
  received.length = 0
  ;[requests, refusesEach] = [0, refuses]
  const held = holdNotify({ env, places: placesOf(env), sessions, clock, complain })
  while (!isFollowed) await sleep(5)

  async function become(state: State, isRight: () => boolean): Promise<readonly number[]> {
    const at: number[] = []
    for (const n of all) {
      changes.emit({ type: 'changed', session: liveOf(n, state) })
      at.push(performance.now())
      if (apart > 0) await sleep(apart)
    }
    const end = performance.now() + 15_000
    while (!isRight() && performance.now() < end) await sleep(10)
    return at
  }
  const sent = () => received.filter(one => !one.isWithdrawn)
  const withdrawn = () => received.filter(one => one.isWithdrawn)
  const namedIn = (list: readonly Received[]) => list.flatMap(one => one.sessions)
  const begun = await become(waiting, () => namedIn(sent()).length >= many)
  const ended = await become(working, () => namedIn(withdrawn()).length >= many)
  // What comes twice comes soon.
  await sleep(1500)
  await held.close()

  const late = (list: readonly Received[], from: readonly number[], more: number) =>
    all.flatMap(n => {
      const one = list.find(({ sessions: of }) => of.includes(idOf(n)))
      return one ? [(one.at - (from[n] as number) - more) / 1000] : []
    })
  const wrong = [
    namedIn(sent()).length !== many && `${namedIn(sent()).length} of ${many} were told`,
    new Set(namedIn(sent())).size !== many && 'some were told twice, or never',
    messages !== undefined && sent().length !== messages && `${sent().length} messages, not ${messages}`,
    withdrawn().length !== sent().length && `${withdrawn().length} of ${sent().length} withdrawn`,
    refuses === Infinity && complaints.length > 0 && `complaints: ${complaints[0]}`,
  ].filter(text => text !== false)
  return { told: late(sent(), begun, after), over: late(withdrawn(), ended, 0), wrong }
}

const missed: string[] = []
const rows: string[][] = []
const figures: Record<string, number> = {}
try {
  for (const scenario of scenarios) {
    const told: number[] = []
    const over: number[] = []
    for (let round = 0; round < rounds; round++) {
      const one = await play(scenario)
      told.push(...one.told)
      over.push(...one.over)
      missed.push(...one.wrong.map(text => `${scenario.name}: ${text}`))
    }
    const of = (list: readonly number[], share: number): string => quantile(list, share).toFixed(2)
    rows.push([scenario.name, ...[0.5, 0.95, 1].map(share => of(told, share)), of(over, 0.95)])
    figures[scenario.name] = Number(of(told, 0.95))
    if (!(quantile(told, 0.95) <= floor))
      missed.push(`${scenario.name}: told ${of(told, 0.95)} s later (p95)`)
  }
} finally {
  tmux('kill-server')
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(
  `${table([`${many} sessions, ${rounds} times`, 'told, p50 s', 'p95 s', 'longest s', 'withdrawn, p95 s'], rows)}\n\n`,
)
if (missed.length > 0) process.stdout.write(`missed: ${missed.join(', ')}\n`)
process.stdout.write(`${JSON.stringify({ bench: 'notify', sessions: many, rounds, p95: figures, missed })}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
