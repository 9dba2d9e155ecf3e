/**
 * Checks the lab itself: each CLI through a short turn, a permission, an interrupt and a headless run. `node
 * bench/lab/check.ts [NAME…]` prints what happened and exits with 1 where something did not.
 */
import { ensureLab, type LabCli, labClis, labVersion } from '../../scripts/setup-lab.ts'
import { table } from '../table.ts'
import { type Model, startModel } from './model.ts'
import { type OpenAgent, openAgent, runHeadless } from './run.ts'
import { endsTurn, isMainRequest, type ModelEvent, now } from './truth.ts'

type Row = readonly [name: string, scenario: string, facts: string, took: string]

const patience = 30_000

const since = (from: number, event: ModelEvent | number): string =>
  `${Math.round((typeof event === 'number' ? event : event.at) - from)} ms`

/** The scenario's name → what is done; the words tell what was seen, times from the Enter key. */
const scenarios: Readonly<Record<string, (open: OpenAgent, model: Model) => Promise<string>>> = {
  'short turn': async (open, model) => {
    const { pressed, request } = await open.begin('[[short]] hello')
    const end = await model.next(endsTurn, patience, pressed)
    await open.terminal.waitFor(/This short turn is over/)
    return `request ${since(pressed, request)}, turn end ${since(pressed, end)}, screen ${since(pressed, now())}`
  },
  permission: async (open, model) => {
    if (!open.agent.screen.permission) return 'it asks for none'
    const { pressed } = await open.begin('[[touch:made.txt]] please')
    await open.asked()
    const asked = now()
    await open.approve()
    const end = await model.next(endsTurn, patience, pressed)
    return `dialog ${since(pressed, asked)}, turn end ${since(asked, end)} after the approval`
  },
  interrupt: async (open, model) => {
    const { pressed } = await open.begin('[[long:60]] please')
    await open.terminal.waitFor(/word4/)
    const stopped = now()
    await open.press('interrupt')
    const abort = await model.next(event => event.type === 'abort', patience, stopped)
    await open.terminal.waitFor(open.agent.screen.interrupted)
    return `streaming ${since(pressed, stopped)}, client gone ${since(stopped, abort)} after the key, screen ${since(stopped, now())}`
  },
  quit: async open => {
    const pressed = now()
    await open.press('quit')
    await open.terminal.ended(patience)
    return `ended ${since(pressed, now())}`
  },
}

async function headless(name: LabCli, model: Model): Promise<string> {
  const begun = now()
  const run = await runHeadless(name, '[[say:STATE: complete]]', { model })
  const requests = model.events.filter(event => event.at >= begun && isMainRequest(event)).length
  if (run.code !== 0 || !run.stdout.includes('STATE: complete'))
    throw new Error(`exit ${run.code}\n${run.stdout}\n${run.stderr}`)
  return `exit ${run.code}, ${run.stdout.trim().split('\n').length} rows, ${requests} main requests`
}

async function check(name: LabCli): Promise<readonly Row[]> {
  const model = await startModel()
  const rows: Row[] = []
  const note = async (scenario: string, act: () => Promise<string>): Promise<void> => {
    const begun = now()
    const facts = await act().catch(error => {
      process.exitCode = 1
      process.stderr.write(`${name}, ${scenario}: ${error instanceof Error ? error.message : error}\n`)
      return 'FAILED'
    })
    rows.push([`${name} ${labVersion(name)}`, scenario, facts, `${((now() - begun) / 1000).toFixed(1)} s`])
  }
  try {
    let open: OpenAgent | undefined
    await note('start', async () => {
      open = await openAgent(name, { model })
      return 'ready to be typed to'
    })
    if (open) {
      const session = open
      for (const [scenario, run] of Object.entries(scenarios)) await note(scenario, () => run(session, model))
      await session.close()
    }
    await note('headless', () => headless(name, model))
  } finally {
    await model.close()
  }
  return rows
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  const chosen = names.length > 0 ? labClis.filter(name => names.includes(name)) : labClis
  ensureLab(chosen)
  const rows: Row[] = []
  for (const name of chosen) rows.push(...(await check(name)))
  process.stdout.write(`${table(['CLI', 'scenario', 'what happened', 'took'], rows)}\n`)
}
