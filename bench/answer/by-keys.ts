/**
 * `npm run bench:answer [-- CLI…]`: dialogs of real CLIs on a scripted model, answered by `lull answer`, or with `--page` by taps on the
 * page in a real browser, and whether that had the
 * effect that it should: a command that was allowed has run, one that was refused has not. Exits 1 where one was not.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLab, type LabCli } from '../../scripts/setup-lab.ts'
import { type Model, startModel } from '../lab/model.ts'
import type { Place } from '../lab/place.ts'
import { type OpenAgent, openAgent } from '../lab/run.ts'
import { isMainRequest, now } from '../lab/truth.ts'
import { quantile, run } from '../live/processes.ts'
import { ownHome } from '../own-home.ts'
import { measureSlowness, slownessLine } from '../slowness.ts'
import { table } from '../table.ts'
import { pageAnswerer } from './by-page.ts'

const { env } = ownHome('answer')

/** pi asks for nothing. */
const asking = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly LabCli[]
const isByPage = process.argv.includes('--page')
const words = process.argv.slice(2).filter(word => word !== '--page')
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

const byPage = isByPage ? await pageAnswerer(env) : undefined

async function answer(cli: LabCli, open: OpenAgent, ...choice: readonly string[]) {
  if (byPage) return byPage.answer(cli, open.place.work, choice)
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

/** What its files say so that it asks whether it may trust the folder, and the answer. */
const trusts: Partial<
  Record<LabCli, { readonly file: string; readonly choice: string; distrust(row: Row): void }>
> = {
  claude: {
    file: '.claude.json',
    choice: 'yes',
    distrust: row => {
      row.projects = {}
    },
  },
  gemini: {
    file: '.gemini/settings.json',
    choice: '1',
    distrust: row => {
      row.security = { ...(row.security as object), folderTrust: { enabled: true } }
    },
  },
}

type Row = Record<string, unknown>

async function trust(cli: LabCli, model: Model): Promise<void> {
  const asks = trusts[cli]
  if (!asks) return
  const before = ({ home }: Place) => {
    const file = path.join(home, asks.file)
    const row = JSON.parse(readFileSync(file, 'utf8')) as Row
    asks.distrust(row)
    writeFileSync(file, JSON.stringify(row))
  }
  const open = await openAgent(cli, { model, before, ready: /trust/i })
  try {
    const given = await answer(cli, open, asks.choice)
    const isUp = await open.terminal.waitFor(open.agent.screen.ready, effectMs).catch(() => undefined)
    // Gemini CLI starts itself anew: the one that was answered confirms nothing.
    const isAnswered = given.code === 0 || given.stdout.includes('has not confirmed')
    const isRight = isAnswered && isUp !== undefined
    note(cli, `a folder to trust: ${asks.choice}`, isRight, given)
    if (!isRight) await complain(open, 'it is not up')
  } finally {
    await open.close()
  }
}

async function permission(cli: LabCli, open: OpenAgent, choice: string, isRun: boolean): Promise<void> {
  const file = `answer-${choice}.txt`
  await open.begin(`[[touch:${file}]] please`)
  await open.asked()
  const listed = await answer(cli, open, '--list')
  const given = await answer(cli, open, choice)
  const ran = await hasEffect(path.join(open.place.work, file))
  const isRight = listed.code === 3 && listed.stdout.includes(file) && given.code === 0 && ran === isRun
  note(cli, `a permission: ${choice}`, isRight, given)
  if (!isRight) await complain(open, `${listed.code}\n${listed.stdout}${listed.stderr}\nran ${ran}`)
  await pause(1500)
}

type Question = {
  readonly what: string
  readonly directive: string
  /** The words of each `lull answer`, one after the other. */
  readonly answers: readonly (readonly string[])[]
  /** What the model is told in the end. */
  readonly told: RegExp
  /** CLIs whose question tool takes no such answer. */
  readonly notIn?: readonly LabCli[]
}

const questions: readonly Question[] = [
  { what: 'a question: sqlite', directive: 'ask', answers: [['sqlite']], told: /SQLite/ },
  {
    what: 'a question: a text',
    directive: 'ask:Which one',
    answers: [['--text', 'use MySQL 8']],
    told: /MySQL 8/,
  },
  {
    what: 'several at once: 1 and redis',
    directive: 'choose',
    answers: [['1', 'redis']],
    told: /Postgres, ?Redis|Postgres[\s\S]*Redis/,
    notIn: ['codex'],
  },
  {
    what: 'two questions: 2, then 1',
    directive: 'survey',
    answers: [['2'], ['1']],
    told: /(?=[\s\S]*SQLite)(?=[\s\S]*Postgres)/,
  },
]

for (const cli of clis) {
  await ensureLab([cli])
  const model = await startModel({})
  await trust(cli, model)
  const open = await openAgent(cli, { model })
  try {
    for (const [choice, isRun] of [
      ['yes', true],
      ['no', false],
      ['1', true],
    ] as const)
      await permission(cli, open, choice, isRun)
    for (const question of questions) await ask(cli, open, model, question)
  } finally {
    await open.close()
    await model.close()
  }
}

async function ask(cli: LabCli, open: OpenAgent, model: Model, question: Question): Promise<void> {
  const { what, directive, answers, told, notIn = [] } = question
  if (notIn.includes(cli)) return
  await open.begin(`[[${directive}]] please`)
  await open.terminal.waitFor(screen => /Postgres/.test(screen) && /SQLite/.test(screen), effectMs)
  await pause(500)
  const at = now()
  let last: Given & { readonly code: number | null } = { code: 0, stdout: '', stderr: '', ms: 0 }
  for (const words of answers) if (last.code === 0) last = await answer(cli, open, ...words)
  // The model is asked again, and told what was chosen.
  const event = await model.next(isMainRequest, effectMs, at).catch(() => undefined)
  const said = event ? lastItem(event.request.body) : ''
  const isTold = told.test(said)
  note(cli, what, last.code === 0 && isTold, last)
  if (last.code === 0 && isTold) return void (await pause(1500))
  await complain(
    open,
    `told ${isTold}: ${event ? JSON.stringify(event.request.body).slice(-800) : 'nothing'}`,
  )
  for (let n = 0; n < 2; n++) {
    await open.terminal.press('Escape')
    await pause(1000)
  }
}

/** What the tool has given, which the request ends with. */
function lastItem(body: Readonly<Record<string, unknown>>): string {
  const items = [body.input, body.messages, body.contents].find(Array.isArray) ?? []
  return JSON.stringify(items.at(-1))
}

type Given = { readonly stdout: string; readonly stderr: string; readonly ms: number }

function note(cli: LabCli, what: string, isRight: boolean, { stdout, stderr, ms }: Given): void {
  outcomes.push({ cli, what, isRight, ms, said: `${stdout}${stderr}`.trim() })
}

async function complain(open: OpenAgent, why: string): Promise<void> {
  const last = outcomes.at(-1)
  process.stdout.write(`${last?.cli} ${last?.what}: ${last?.said}\n${why}\n${await open.terminal.screen()}\n`)
}

await byPage?.close()

/** Of one choice; several, or a text, take many keys, and who asks for trust starts up afterwards. */
const times = outcomes.filter(({ what }) => !/text|several|trust/.test(what)).map(({ ms }) => ms)
const slowness = measureSlowness()
const floorMs = 1000 * slowness
const right = outcomes.filter(({ isRight }) => isRight).length
process.stdout.write(
  `${slownessLine(slowness)}${table(
    [
      'CLI',
      'dialog',
      'as it should be',
      isByPage ? 'ms, tap to confirmation' : 'ms, start and end of lull included',
      'said',
    ],
    outcomes.map(({ cli, what, isRight, ms, said }) => [
      cli,
      what,
      isRight ? 'yes' : 'NO',
      ms.toFixed(0),
      said.slice(0, 60),
    ]),
  )}\n\n${JSON.stringify({ bench: isByPage ? 'answer on the page' : 'answer', slowness, dialogs: outcomes.length, right, p50OfOneChoice: quantile(times, 0.5), p95OfOneChoice: quantile(times, 0.95) })}\n`,
)
process.exitCode = right === outcomes.length && quantile(times, 0.95) <= floorMs ? 0 : 1
