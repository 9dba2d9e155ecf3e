/**
 * `npm run bench:first-turn [-- CLI… TURN…]`: fresh CLIs without hooks, each in a fresh home and in tmux. Sessions are
 * asked for all the time, as `lull ps` does it, with a host and without, from the composer over the first turn to its end; the truth is the scripted
 * model's log and the keys. Exits 1 where an answer that was asked for 3 s after a change, or later, was not right.
 */
import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureLab, type LabCli, labFolder, labVersion } from '../scripts/setup-lab.ts'
import { floorMs, type Judged } from './first-turn/judge-looks.ts'
import { type Played, playFirstTurn, type TurnName, turns } from './first-turn/play-first-turn.ts'
import { run } from './live/processes.ts'
import { ownHome } from './own-home.ts'
import { table } from './table.ts'

const clis: readonly LabCli[] = ['codex', 'gemini', 'opencode', 'pi']
const words = process.argv.slice(2)
const isNamed = (name: string): boolean => words.includes(name)
const wanted = clis.some(isNamed) ? clis.filter(isNamed) : clis
const allTurns = Object.keys(turns) as TurnName[]
const wantedTurns = allTurns.some(isNamed) ? allTurns.filter(isNamed) : allTurns
/** pi asks for no permissions. */
const plays = wanted.flatMap(cli =>
  wantedTurns.filter(turn => cli !== 'pi' || !turns[turn].asks).map(turn => ({ cli, turn })),
)

ensureLab(wanted)
const { home, env } = ownHome('first-turn')
mkdirSync(path.join(home, 'run'), { mode: 0o700 })
// The looks are this process' own. Where the lab lies hangs on the home.
process.env.LULL_LAB = labFolder()
const kept = ['LULL_LAB', 'FIRST_TURN_LOOKS']
for (const name of Object.keys(process.env))
  if (!(name in env) && !kept.includes(name)) delete process.env[name]
Object.assign(process.env, env)
await run(['host', 'start'], env)
const played: Played[] = []
const failed: string[] = []
try {
  for (const { cli, turn } of plays) {
    process.stderr.write(`first-turn: ${cli}, ${turn}\n`)
    await playFirstTurn(cli, turn).then(
      all => played.push(...all),
      (error: Error) => failed.push(`${cli}, ${turn}: ${error.message}`),
    )
  }
} finally {
  await run(['host', 'stop'], env)
}

const took = ({ took }: Judged): string => (took === undefined ? 'never' : (took / 1000).toFixed(1))
const rows = played.flatMap(({ cli, turn, way, judged, lookMs }) =>
  judged.map(one => [
    `${cli} ${labVersion(cli)}`,
    turn,
    way,
    one.phase,
    took(one),
    `${one.count - one.wrong.length}/${one.count}`,
    lookMs.toFixed(0),
  ]),
)
const wrongs = played.flatMap(({ cli, turn, way, judged }) =>
  judged.flatMap(({ phase, wrong, count }) => [
    ...new Set(wrong.map(({ said }) => `${cli}, ${turn}, ${way}, ${phase}: ${said}`)),
    ...(count === 0 ? [`${cli}, ${turn}, ${way}, ${phase}: no answer in time`] : []),
  ]),
)
const missed = [...failed, ...wrongs]
process.stdout.write(
  `s until the first right answer after which none was wrong; right of those asked for after ${floorMs / 1000} s; ms of one look, median\n\n`,
)
process.stdout.write(`${table(['CLI', 'first turn', 'asked', 'phase', 's', 'right', 'look'], rows)}\n\n`)
for (const line of missed) process.stdout.write(`✗ ${line}\n`)
const answers = played.flatMap(({ judged }) => judged)
const figures = {
  answers: answers.reduce((sum, { count }) => sum + count, 0),
  wrong: answers.reduce((sum, { wrong }) => sum + wrong.length, 0),
  load: os.loadavg().map(value => Number(value.toFixed(1))),
}
process.stdout.write(`${JSON.stringify({ bench: 'first-turn', ...figures, missed })}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
