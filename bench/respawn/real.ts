/**
 * `node bench/respawn/real.ts [claude|codex] [MINUTES] [blind]`: a real CLI in tmux on the scripted model, kept going by `lull
 * respawn` with a plan of everything that a night brings. A person of the script answers what is a person's; half-way the hooks are
 * switched off. `blind`: no hooks and no transcript, so that only the screen and the judge remain. The history has to tell the right
 * thing of each scene, and what was typed has to be what the model was asked. Exits 1 where it is not so.
 * `LULL_NIGHT_LOG=FILE` keeps all that was told, done and asked, to look into what is wrong.
 */
import { writeFileSync } from 'node:fs'
import { ensureLab, labVersion } from '../../scripts/setup-lab.ts'
import { openHistory } from '../../src/history/open-history.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { below } from '../day/below.ts'
import { table } from '../table.ts'
import { type Night, scenesResults, typingOf, wrongOf } from './night-checks.ts'
import { startNightModel } from './night-model.ts'
import { playPerson } from './night-person.ts'
import { setStage, writePlan } from './night-stage.ts'
import { type NightCli, scenes, scenesOf } from './scenes.ts'

const [name = 'claude', minutes = '15', how = ''] = process.argv.slice(2)
const isBlind = how === 'blind'
if ((name !== 'claude' && name !== 'codex') || !(Number(minutes) > 0) || !/^(blind)?$/.test(how)) {
  process.stderr.write('npm run bench:respawn-real -- [claude|codex] [MINUTES] [blind]\n')
  process.exit(2)
}
const cli: NightCli = name
ensureLab([cli])
const ms = Number(minutes) * 60_000
const played = scenesOf(cli, isBlind)
const model = await startNightModel(cli)
const stage = await setStage(cli, model.url, isBlind)
const print = (text: string) => process.stdout.write(`${text}\n`)
let wrong: string[] = []
try {
  writePlan(stage, cli, played, ms, isBlind)
  const sessionsOf = async (...words: readonly string[]) =>
    JSON.parse((await stage.lull(...words, '--json')).stdout) as {
      readonly sessions: readonly Readonly<Record<string, unknown>>[]
    }
  const pids = below(stage.terminal.pid)
  const { sessions } = await sessionsOf('ps')
  const first = String(sessions.find(({ pid }) => pids.includes(Number(pid)))?.id ?? '')
  const session = async () => {
    const { stdout } = await stage.lull('respawn', 'ps', '--json')
    return /"session":\s*"([^"]+)"/.exec(stdout)?.[1] ?? first
  }
  const began = Date.now()
  let isOver = false
  const run = stage.lull('respawn', first, '--plan', stage.plan, '--json')
  void run.then(() => {
    isOver = true
  })
  const marks = await playPerson(cli, stage, model, played, { session, ms, isBlind, isOver: () => isOver })
  if (!isOver) await stage.lull('respawn', 'stop', await session())
  const { code, stdout } = await run
  const history = openHistory(placesOf(stage.env), { readOnly: true })
  const entries = history.entries({ most: Infinity })
  history.close()
  const night: Night = {
    cli,
    scenes: played,
    entries,
    events: model.events,
    marks,
    limits: model.limits,
    isBlind,
  }
  const typing = typingOf(night)
  const results = scenesResults(night)
  wrong = [
    ...wrongOf(night, typing),
    ...results.flatMap(one => one.wrong.map(what => `${one.name}: ${what}`)),
  ]
  if (code !== 5) wrong.push(`it ended with ${code}`)
  for (const one of results)
    if (one.times === 0 && Number(minutes) >= 8) wrong.push(`${one.name}: was never played`)
  const count = (kind: string) => entries.filter(entry => entry.kind === `respawn.${kind}`).length
  const version = `${cli} ${labVersion(cli)}`
  print(
    table(
      [version, 'times', 'right', 'the history tells'],
      results.map(one => [one.name, one.times, one.right, one.told.join(', ')]),
    ),
  )
  print('')
  print(
    table(
      [
        version,
        'prompts typed',
        'asked of the model',
        'doubles',
        'not asked',
        'untold',
        'while it worked',
        'into a dialog',
        'judged',
      ],
      [
        [
          isBlind ? 'screen and judge alone' : 'with hooks, then without',
          ...Object.values(typing),
          count('judged'),
        ],
      ],
    ),
  )
  for (const { name: scene, without, besideUntold } of scenes) {
    if (without?.[cli]) print(`not played: ${scene}: ${without[cli]}`)
    if (besideUntold?.[cli]) print(`not waited for: ${scene}: ${besideUntold[cli]}`)
  }
  for (const what of wrong) print(`wrong: ${what}`)
  if (process.env.LULL_NIGHT_LOG)
    writeFileSync(
      process.env.LULL_NIGHT_LOG,
      JSON.stringify({
        began,
        wrong,
        marks,
        limits: model.limits,
        events: model.events.map(({ request, ...event }) => ({
          ...event,
          id: request.id,
          kind: request.kind,
          directive: request.directive,
          step: request.step,
          tools: request.tools.length,
          last: request.turns
            .filter(({ role }) => role === 'user')
            .at(-1)
            ?.text.slice(-200),
        })),
        stdout,
      }),
    )
  print(
    JSON.stringify({
      bench: 'respawn-real',
      cli: version,
      minutes: Number(minutes),
      isBlind,
      code,
      typing,
      judged: count('judged'),
      played: results.reduce((sum, one) => sum + one.times, 0),
      right: results.reduce((sum, one) => sum + one.right, 0),
      wrong,
    }),
  )
} catch (error) {
  wrong.push(String(error))
  print(String(error))
  print(await stage.terminal.screen().catch(() => ''))
} finally {
  await stage.close()
  await model.close()
}
process.exit(wrong.length > 0 ? 1 : 0)
