/**
 * `npm run bench:answer [-- CLI…]`: dialogs of real CLIs on a scripted model, answered by `lull answer`, and whether that had the
 * effect that it should: a command that was allowed has run, one that was refused has not. Exits 1 where one was not.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLab, type LabCli } from '../scripts/setup-lab.ts'
import { startModel } from './lab/model.ts'
import { type OpenAgent, openAgent } from './lab/run.ts'
import { isMainRequest, now } from './lab/truth.ts'
import { quantile, run } from './live/processes.ts'
import { ownHome } from './own-home.ts'
import { table } from './table.ts'

const { env } = ownHome('answer')

/** OpenCode shows by colours alone which option is chosen; pi asks for nothing. */
const asking = ['claude', 'codex', 'gemini'] as const satisfies readonly LabCli[]
const words = process.argv.slice(2)
const clis = asking.filter(cli => words.length === 0 || words.includes(cli))

type Outcome = {
  readonly cli: string
  readonly what: string
  readonly isRight: boolean
  readonly ms: number
  readonly said: string
}
const outcomes: Outcome[] = []

/** A command that was allowed has run by then. ms */
const effectMs = 4000

async function answer(open: OpenAgent, ...choice: readonly string[]) {
  const { pane, socket } = open.terminal
  const began = performance.now()
  const said = await run(['answer', `tmux:${pane}`, ...choice, '--socket', socket], env)
  return { ...said, ms: performance.now() - began }
}

async function hasEffect(file: string): Promise<boolean> {
  for (const end = performance.now() + effectMs; performance.now() < end; await pause(100)) {
    if (existsSync(file)) return true
  }
  return false
}

for (const cli of clis) {
  await ensureLab([cli])
  const model = await startModel({})
  const open = await openAgent(cli, { model })
  try {
    for (const [choice, isRun] of [
      ['yes', true],
      ['no', false],
      ['1', true],
    ] as const) {
      const file = `answer-${choice}.txt`
      await open.begin(`[[touch:${file}]] please`)
      await open.asked()
      const listed = await answer(open, '--list')
      const { code, stdout, stderr, ms } = await answer(open, choice)
      const ran = await hasEffect(path.join(open.place.work, file))
      const isRight = listed.code === 3 && listed.stdout.includes(file) && code === 0 && ran === isRun
      outcomes.push({ cli, what: `a permission: ${choice}`, isRight, ms, said: `${stdout}${stderr}`.trim() })
      if (!isRight)
        process.stdout.write(
          `${cli} ${choice}: list ${listed.code}\n${listed.stdout}${listed.stderr}\nanswer ${code} ${stdout}${stderr}\nran ${ran}\n${await open.terminal.screen()}\n`,
        )
      await pause(1500)
    }
    await open.begin('[[ask:Which database]] please')
    await open.terminal.waitFor(/SQLite/, effectMs)
    await pause(500)
    const at = now()
    const { code, stdout, stderr, ms } = await answer(open, 'sqlite')
    // The model is asked again, and told what was chosen.
    const told = await model.next(isMainRequest, effectMs, at).then(
      () => true,
      () => false,
    )
    outcomes.push({
      cli,
      what: 'a question: sqlite',
      isRight: code === 0 && told,
      ms,
      said: `${stdout}${stderr}`.trim(),
    })
    if (code !== 0) process.stdout.write(await open.terminal.screen())
  } finally {
    await open.close()
    await model.close()
  }
}

const times = outcomes.map(({ ms }) => ms)
const right = outcomes.filter(({ isRight }) => isRight).length
process.stdout.write(
  `${table(
    ['CLI', 'dialog', 'as it should be', 'ms, start and end of lull included', 'said'],
    outcomes.map(({ cli, what, isRight, ms, said }) => [
      cli,
      what,
      isRight ? 'yes' : 'NO',
      ms.toFixed(0),
      said.slice(0, 60),
    ]),
  )}\n\n${JSON.stringify({ bench: 'answer', dialogs: outcomes.length, right, p50: quantile(times, 0.5), p95: quantile(times, 0.95) })}\n`,
)
process.exitCode = right === outcomes.length ? 0 : 1
