/**
 * `npm run bench:history [DAYS]`: a year of twenty agents a day, in a store of its own, and every kind of question that the command
 * line has about it: each a `lull` that is started for it. Exits 1 where one takes more than a second.
 */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadSqlite } from '../src/history/open-database.ts'
import { openHistory } from '../src/history/open-history.ts'
import { storeFile } from '../src/history/store-file.ts'
import { placesOf } from '../src/os/file/places.ts'
import { stateKind } from '../src/sessions/history/session-past.ts'
import { run } from './live/processes.ts'
import { table } from './table.ts'

const days = Number(process.argv[2] ?? 365)
const agentsADay = 20
/** Of an agent in a day: as many in `npm run bench:day` take ten minutes. */
const turns = 12
/** The least of so many: others may take the machine. */
const tries = 3
const floorMs = 1000
const dayMs = 24 * 60 * 60 * 1000

const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lull-bench-history-')))
const { PATH = '' } = process.env
const env = { PATH, HOME: folder, LULL_RUNTIME_DIR: path.join(folder, 'run') }
const places = placesOf(env)
const now = Date.now()

type Row = readonly [at: number, session: string, agent: string, cwd: string, kind: string, data: string]

/** A day of an agent: it works, now and then waits for a person, is done; at its end it exits. */
function* dayOf(day: number, n: number): Generator<Row> {
  const session = `${day.toString(36).padStart(3, '0')}${n.toString(36).padStart(5, '0')}`
  const agent = ['claude', 'codex', 'opencode', 'gemini'][n % 4] as string
  const cwd = path.join(folder, `project-${n}`)
  const about = { name: `web-${n}`, pid: 10_000 + n, pane: `%${n}`, title: 'Builds the pages of the shop' }
  const from = now - (days - day) * dayMs
  const row = (share: number, data: object): Row => [
    Math.round(from + share * dayMs),
    session,
    agent,
    cwd,
    stateKind,
    JSON.stringify({ ...about, prompt: 'Go on with the pages, and test what you have', ...data }),
  ]
  for (let turn = 1; turn <= turns; turn++) {
    const at = (turn - 1 + n / agentsADay) / (turns + 1)
    yield row(at, { state: 'working', turn })
    if (turn % 4 === 0) {
      yield row(at + 0.01, { state: 'waiting', for: 'permission', question: 'npm publish', turn })
      yield row(at + 0.02, { state: 'working', turn })
    }
    const after = turn % 6 === 5 ? { after: 'error', error: '529: overloaded' } : { after: 'turn' }
    yield row(at + 0.05, { state: 'idle', ...after, message: 'All pages are written. '.repeat(10), turn })
  }
  if (day < days - 1) yield row(0.999, { state: 'exited', code: 0, turn: turns })
}

function fill(): number {
  openHistory(places).close()
  const database = new (loadSqlite().DatabaseSync)(storeFile(places))
  const insert = database.prepare(
    'INSERT INTO entries (at, session, agent, cwd, kind, data) VALUES (?, ?, ?, ?, ?, ?)',
  )
  let count = 0
  database.exec('BEGIN')
  for (let day = 0; day < days; day++) {
    const rows = Array.from({ length: agentsADay }, (_, n) => [...dayOf(day, n)]).flat()
    for (const row of rows.sort((a, b) => a[0] - b[0])) insert.run(...row)
    count += rows.length
  }
  database.exec('COMMIT')
  database.close()
  return count
}

const date = (back: number): string => new Date(now - back * dayMs).toISOString().slice(0, 10)
const middle = Math.floor(days / 2)
/** All of it, as thousands of lines: shown, and not counted. */
const listings = [
  ['since', date(days)],
  ['history', path.join(folder, 'project-3'), '--since', date(days)],
]
const questions: readonly (readonly string[])[] = [
  ['since'],
  ['since', '22:00'],
  ['since', '7d', '--json'],
  ['history'],
  ['history', '--since', '8h'],
  ['history', '--since', '7d', '--json'],
  ['history', '--since', date(middle), '--until', date(middle - 1)],
  ['history', `${middle.toString(36).padStart(3, '0')}00003`, '--since', date(days)],
  ['history', 'web-3'],
  ['history', 'tmux:%3', '--since', '7d'],
  ['history', path.join(folder, 'project-3')],
  ['history', 'nobody'],
]

try {
  const entries = fill()
  const rows: { question: string; lines: number; ms: number; isCounted: boolean }[] = []
  for (const words of [...questions, ...listings]) {
    let [ms, lines] = [Infinity, 0]
    for (let i = 0; i < tries; i++) {
      const from = performance.now()
      const { stdout, code, at, stderr } = await run(words, env)
      if (code !== (words[1] === 'nobody' ? 2 : 0)) throw new Error(`lull ${words.join(' ')}: ${stderr}`)
      ms = Math.min(ms, at - from)
      lines = stdout.split('\n').length - 1
    }
    rows.push({
      question: `lull ${words.join(' ').replace(folder, '~')}`,
      lines,
      ms: Math.round(ms),
      isCounted: !listings.includes(words as string[]),
    })
  }
  const megabytes = Math.round(statSync(storeFile(places)).size / 1e6)
  process.stdout.write(
    `${table(
      [`${entries} entries of ${days} days, ${megabytes} MB`, 'lines', 'ms', 'asked'],
      rows.map(({ question, lines, ms, isCounted }) => [
        `\`${question}\``,
        lines,
        ms,
        isCounted ? `≤ ${floorMs}` : '-',
      ]),
    )}\n\n`,
  )
  const missed = rows
    .filter(({ ms, isCounted }) => isCounted && ms > floorMs)
    .map(({ question, ms }) => `${question}: ${ms} ms`)
  process.stdout.write(`${JSON.stringify({ bench: 'history', entries, megabytes, rows, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
