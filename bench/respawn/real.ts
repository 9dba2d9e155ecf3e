/**
 * `node bench/respawn/real.ts [claude|codex] [MINUTES]`: a real CLI in tmux on the scripted model, kept going by `lull respawn` with a
 * plan of everything that a night brings: permissions, questions, plans, background work, limits, errors, a person's Esc, hooks
 * that are switched off half-way, and a crash. A person of the script answers what is a person's. The history has to tell the
 * right thing of each; what was typed is held against what the model was asked. Exits 1 where it does not.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type LabCli, labCommand } from '../../scripts/setup-lab.ts'
import { openHistory } from '../../src/history/open-history.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { environmentOf, labAgent } from '../lab/agents.ts'
import { startModel } from '../lab/model.ts'
import { newPlace } from '../lab/place.ts'
import { startTerminal } from '../lab/terminal.ts'
import { table } from '../table.ts'

const [name = 'claude', minutes = '4', how = ''] = process.argv.slice(2)
const isBlind = how === 'blind'
const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')
const cli = name as LabCli
const model = await startModel({})
const place = newPlace()
const agent = labAgent(cli, place, model.url)
for (const [file, content] of Object.entries(agent.files)) place.put(file, content)
const runtime = path.join(place.home, 'r')
const env = { ...environmentOf(agent, place), LULL_RUNTIME_DIR: runtime, TERM: 'xterm-256color' }

const lull = (words: readonly string[]) =>
  new Promise<{ code: number; stdout: string }>(resolve => {
    const child = spawn(process.execPath, [bin, ...words], { env, cwd: place.work })
    let stdout = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', text => {
        stdout += text
      })
    child.on('close', code => resolve({ code: code ?? -1, stdout }))
  })

const prompts = isBlind
  ? ['[[short]] go on', '[[long:3]] go on', '[[bash:3]] go on']
  : [
      '[[short]] go on',
      '[[long:4]] go on',
      '[[touch:one.txt]] make it',
      '[[ask]] decide',
      '[[background:8]] start it',
      '[[error:400]] fail',
      '[[mimic:4]] talk',
      '[[long:6]] be interrupted',
    ]
const plan = path.join(place.work, 'plan.json')
writeFileSync(
  plan,
  JSON.stringify({
    steps: prompts.map(prompt => ({ prompt })),
    for: `${Number(minutes) * 60}s`,
    timers: { settled: '1s', person: '3s', silence: '4s', unknown: '5s' },
    ...(isBlind ? { judge: { command: [process.execPath, path.join(place.work, 'judge.mjs')] } } : {}),
  }),
)
// It looks at the screen as a model would, and knows the code as one would.
writeFileSync(
  path.join(place.work, 'judge.mjs'),
  `import { readFileSync } from 'node:fs'
const prompt = readFileSync(0, 'utf8')
const code = /\\b[0-9a-f]{24}\\b/.exec(prompt)?.[0]
const works = /esc to interrupt/i.test(prompt.split(code).slice(1).join(code))
process.stdout.write('VERDICT ' + code + ': ' + (works ? 'WORKING - it says esc to interrupt' : 'IDLE - its composer is empty') + '\\n')`,
)

if (!isBlind) await lull(['hooks', 'install', cli, '--cli', labCommand(cli)])
const flags = isBlind ? [] : agent.trustsHooks
const terminal = await startTerminal({ command: [...agent.command, ...flags], cwd: place.work, env })
const wrong: string[] = []
const answered: string[] = []
let isOver = false
try {
  await terminal.waitFor(agent.screen.ready, 40_000)
  await pause(1500)
  const sessions = JSON.parse((await lull(['ps', '--json'])).stdout) as {
    readonly sessions: readonly { readonly id: string; readonly pid: number }[]
  }
  const id = sessions.sessions.find(({ pid }) => pid === terminal.pid)?.id ?? sessions.sessions[0]?.id ?? ''
  const run = lull(['respawn', id, '--plan', plan, '--json'])
  void run.then(() => {
    isOver = true
  })
  let interrupted = 0
  const begun = performance.now()
  let isBlinded = false
  while (!isOver && performance.now() - begun < (Number(minutes) + 1) * 60_000) {
    await pause(400)
    const screen = await terminal.screen()
    const state = JSON.parse((await lull(['ps', '--json'])).stdout).sessions.find(
      (one: { readonly id: string }) => one.id === id,
    )?.state as string | undefined
    // A person takes their time, and answers what is theirs.
    if (state?.startsWith('waiting')) {
      await pause(2500)
      const { code } = await lull(['answer', id, '1'])
      answered.push(`${state}: ${code}`)
    }
    if (/be interrupted/.test(screen) && state?.startsWith('working') && interrupted < 1) {
      await pause(1500)
      await terminal.press('Escape')
      interrupted++
      await pause(3000)
      await lull(['respawn', 'resume', id])
    }
    if (!isBlind && !isBlinded && performance.now() - begun > (Number(minutes) * 60_000) / 2) {
      isBlinded = true
      await lull(['hooks', 'uninstall', cli])
    }
  }
  const { code, stdout } = await run
  const history = openHistory(placesOf({ ...env }), { readOnly: true })
  const entries = history.entries({ most: Infinity })
  history.close()
  const count = (kind: string) => entries.filter(entry => entry.kind === `respawn.${kind}`).length
  const typed = entries.filter(({ kind }) => kind === 'respawn.sent').length
  process.stdout.write(
    `${table(
      ['in the history', 'times'],
      [
        'sent',
        'turn_ended',
        'blocked',
        'limited',
        'paused',
        'resumed',
        'judged',
        'refused',
        'failed',
        'no_turn',
        'left',
      ].map(kind => [kind, count(kind)]),
    )}\n\n`,
  )
  if (code !== 0 && code !== 5) wrong.push(`it ended with ${code}: ${stdout.split('\n').slice(-4).join(' ')}`)
  if (typed < (isBlind ? 3 : prompts.length)) wrong.push(`${typed} steps were sent`)
  if (!isBlind && count('blocked') < 2) wrong.push(`${count('blocked')} dialogs were told`)
  if (!isBlind && interrupted > 0 && count('paused') < 1) wrong.push('a person’s Esc did not pause it')
  if (isBlind && count('judged') < 1) wrong.push('the judge was not asked')
  if (count('no_turn') > 0) wrong.push(`${count('no_turn')} steps began no turn`)
  const file = path.join(place.work, 'one.txt')
  if (!isBlind && !existsSync(file)) wrong.push('what the person allowed was not done')
  process.stdout.write(`answered by the person: ${answered.join(', ') || 'nothing'}\n`)
  if (wrong.length > 0) process.stdout.write(`${readFileSync(plan, 'utf8')}\n${stdout.slice(-6000)}\n`)
} finally {
  await terminal.close()
  await lull(['host', 'stop'])
  await model.close()
  rmSync(plan, { force: true })
  await place.remove()
}
process.stdout.write(
  `${JSON.stringify({ bench: 'respawn-real', cli, minutes: Number(minutes), isBlind, answered: answered.length, wrong })}\n`,
)
process.exit(wrong.length > 0 ? 1 : 0)
