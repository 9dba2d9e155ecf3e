/**
 * `npm run bench:answer -- --http [CLI…]`: real CLIs on a scripted model, with lull's hooks, prompted, watched, waited for and answered
 * over HTTP alone; whether that had the effect that it should, and how long each answer took. Exits 1 where one had not.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLab, type LabCli } from '../../scripts/setup-lab.ts'
import { type Model, startModel } from '../lab/model.ts'
import { type OpenAgent, openAgent } from '../lab/run.ts'
import { isMainRequest, now } from '../lab/truth.ts'
import { quantile, run } from '../live/processes.ts'
import { ownHome } from '../own-home.ts'
import { measureSlowness, slownessLine } from '../slowness.ts'
import { table } from '../table.ts'
import { type Api, type Reply, serveApi, sessionIn } from './served-api.ts'

const { env } = ownHome('answer')
/** Those whose hooks take an answer (docs/answer.md). */
const answering = ['claude', 'opencode'] as const satisfies readonly LabCli[]
const words = process.argv.slice(2)
const clis = answering.filter(cli => words.every(word => word === '--http') || words.includes(cli))

type Case = {
  readonly what: string
  readonly prompt: string
  readonly choice: string | number
  /** What the agent did then. */
  isRight(open: OpenAgent, model: Model, since: number): Promise<boolean>
}
type Outcome = { readonly cli: string; readonly what: string; readonly why: string; readonly ms: number }

/** ms */
const effectMs = 10_000
const hookMs = 2000

async function comesTrue(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + effectMs; performance.now() < end; await pause(100))
    if (isSo()) return true
  return false
}

/** The model is asked again, and told what was chosen. */
const isTold = async (model: Model, since: number, words: string): Promise<boolean> => {
  const event = await model.next(isMainRequest, effectMs, since).catch(() => undefined)
  return JSON.stringify(event?.request.body ?? '').includes(words)
}

const cases: readonly Case[] = [
  {
    what: 'a permission: yes',
    prompt: '[[touch:http-yes.txt]] please',
    choice: 'yes',
    isRight: ({ place }) => comesTrue(() => existsSync(path.join(place.work, 'http-yes.txt'))),
  },
  {
    what: 'a permission: no',
    prompt: '[[touch:http-no.txt]] please',
    choice: 'no',
    isRight: async ({ place }) => !existsSync(path.join(place.work, 'http-no.txt')),
  },
  {
    what: 'a question: sqlite',
    prompt: '[[ask]] please',
    choice: 'sqlite',
    isRight: (_open, model, since) => isTold(model, since, 'SQLite'),
  },
  {
    what: 'a question: 1',
    prompt: '[[ask]] please',
    choice: 1,
    isRight: (_open, model, since) => isTold(model, since, 'Postgres'),
  },
]

/** A turn that ends with a refusal is `turnFailed`: interrupted. */
const isIdle = ({ outcome }: Reply): boolean => outcome === 'reached' || outcome === 'turnFailed'

/** @returns why it is not as it should be; empty where it is */
async function tryCase(
  api: Api,
  id: string,
  open: OpenAgent,
  model: Model,
  one: Case,
): Promise<Omit<Outcome, 'cli'>> {
  const at = `/v1/sessions/${id}`
  const failed = (why: string, ms = 0) => ({ what: one.what, why, ms })
  const idle = await api.get(`/v1/wait?session=${id}&for=idle&timeout=30`)
  if (!isIdle(idle)) return failed(`it is not idle: ${JSON.stringify(idle)}`)
  const sent = await api.post(`${at}/send`, { text: one.prompt })
  if (sent.confirmed !== true) return failed(`the prompt was not taken: ${JSON.stringify(sent)}`)
  const waited = await api.get(`/v1/wait?session=${id}&for=waiting&timeout=30`)
  if (waited.outcome !== 'reached') return failed(`it did not ask: ${JSON.stringify(waited)}`)
  // Its status may tell of it before its hook does.
  let dialog: { readonly dialog: string; readonly via: string } | undefined
  for (const end = performance.now() + hookMs; dialog?.via !== 'hook' && performance.now() < end; )
    dialog = ((await api.get(at)) as { readonly dialog?: typeof dialog }).dialog
  if (dialog?.via !== 'hook') return failed(`its dialog is not known by its hook: ${JSON.stringify(dialog)}`)
  const since = now()
  const begun = performance.now()
  const reply = await api.post(`${at}/answer`, { dialog: dialog.dialog, choice: String(one.choice) })
  const ms = performance.now() - begun
  if (reply.confirmed !== true) return failed(`not confirmed: ${JSON.stringify(reply)}`, ms)
  const ended = await api.get(`/v1/wait?session=${id}&for=idle&timeout=30`)
  if (!isIdle(ended)) return failed(`its turn did not end: ${JSON.stringify(ended)}`, ms)
  return { what: one.what, why: (await one.isRight(open, model, since)) ? '' : 'it had another effect', ms }
}

async function tryCli(api: Api, cli: LabCli): Promise<readonly Outcome[]> {
  await ensureLab([cli])
  const model = await startModel({})
  const { LULL_RUNTIME_DIR = '', XDG_STATE_HOME = '' } = env
  const open = await openAgent(cli, {
    model,
    trustsHooks: true,
    env: { LULL_RUNTIME_DIR },
    before: async (_place, given, { command }) => {
      const around = { ...given, PATH: process.env.PATH, LULL_RUNTIME_DIR, XDG_STATE_HOME }
      const installed = await run(['hooks', 'install', cli, '--cli', command[0] ?? ''], around)
      if (installed.code !== 0) throw new Error(installed.stderr)
    },
  })
  try {
    const id = await sessionIn(api, cli, open.place.work)
    if (id === undefined) return [{ cli, what: 'it is found', why: 'no session', ms: 0 }]
    const outcomes: Outcome[] = []
    for (const one of cases) {
      const outcome = { cli, ...(await tryCase(api, id, open, model, one)) }
      outcomes.push(outcome)
      if (outcome.why !== '')
        process.stdout.write(`${cli}, ${one.what}: ${outcome.why}\n${await open.terminal.screen()}\n`)
    }
    return outcomes
  } finally {
    await open.close()
    await model.close()
  }
}

const api = await serveApi(env)
const outcomes: Outcome[] = []
try {
  for (const cli of clis) outcomes.push(...(await tryCli(api, cli)))
} finally {
  await run(['host', 'stop'], env)
}
const slowness = measureSlowness()
const right = outcomes.filter(({ why }) => why === '')
const p50 = quantile(
  outcomes.map(({ ms }) => ms),
  0.5,
)
const rows = outcomes.map(({ cli, what, why, ms }) => [cli, what, why === '' ? 'yes' : 'NO', ms.toFixed(0)])
process.stdout.write(
  `${slownessLine(slowness)}${table(['CLI', 'dialog', 'as it should be', 'ms, request to confirmation'], rows)}\n\n${JSON.stringify({ bench: 'answer over HTTP', slowness, dialogs: outcomes.length, right: right.length, p50 })}\n`,
)
process.exitCode = outcomes.length > 0 && right.length === outcomes.length ? 0 : 1
