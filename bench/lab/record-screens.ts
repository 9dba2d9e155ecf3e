/**
 * Screens of a CLI of the lab, as rows for `bench/screens/recorded.jsonl`: `npm run record-screens NAME`. Beside
 * it, how often its rules called a screen idle while the model answered or a dialog was open, looked at ten times a second.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type LabCli, labClis, labVersion } from '../../scripts/setup-lab.ts'
import { agents } from '../../src/agents/registry.ts'
import { readScreen } from '../../src/agents/screen/read-screen.ts'
import { startModel } from './model.ts'
import { type OpenAgent, openAgent } from './run.ts'

type Step = {
  /** Typed and sent, or keys that are pressed. */
  readonly prompt?: string
  readonly keys?: readonly string[]
  /** s */
  readonly wait: number
  readonly note: string
  readonly state: 'idle' | 'working' | 'waiting'
  /** All that is seen while it waits is of this state. */
  readonly holds?: true
  /** The prompt may have come back into its composer. */
  readonly clears?: true
}

/** Their models have no tool to ask a question with. */
const withoutQuestions: readonly string[] = ['auggie']

const stepsOf = ({ agent: { keys } }: OpenAgent): readonly Step[] => [
  { wait: 4, note: 'after its start', state: 'idle' },
  { prompt: '[[long:8]] go', wait: 0.7, note: 'the answer begins', state: 'working' },
  { wait: 4, note: 'the answer streams', state: 'working', holds: true },
  { wait: 7, note: 'after a turn', state: 'idle' },
  { prompt: '[[touch:a && rm -rf ../x]] please', wait: 3, note: 'a permission', state: 'waiting' },
  { wait: 3, note: 'a permission that nobody answers', state: 'waiting', holds: true },
  { keys: keys.approve, wait: 4, note: 'after a permission', state: 'idle' },
  { prompt: '[[touch:b && sleep 9]] please', wait: 3, note: 'another permission', state: 'waiting' },
  { keys: keys.approve, wait: 2.5, note: 'a command that runs', state: 'working' },
  { wait: 3, note: 'a command that runs on', state: 'working', holds: true },
  { wait: 7, note: 'after a command', state: 'idle' },
  { prompt: '[[think:12]] so', wait: 2, note: 'silence before the first word', state: 'working' },
  { wait: 5, note: 'a long silence', state: 'working', holds: true },
  { keys: keys.interrupt, wait: 2, note: 'interrupted', state: 'idle', clears: true },
  { prompt: '[[ask]] now', wait: 3, note: 'a question', state: 'waiting' },
  { wait: 3, note: 'a question that nobody answers', state: 'waiting', holds: true },
  { keys: ['Enter', 'Enter'], wait: 4, note: 'after a question', state: 'idle' },
  { prompt: '[[stall:middle]] go', wait: 4, note: 'an answer that stalls', state: 'working' },
  { wait: 5, note: 'an answer that has stalled', state: 'working', holds: true },
  { keys: keys.interrupt, wait: 2, note: 'interrupted in its answer', state: 'idle', clears: true },
  { prompt: '[[error:400]] go', wait: 4, note: 'an error', state: 'idle' },
]

const name = process.argv[2] as LabCli
if (!labClis.includes(name)) throw new Error(`which of ${labClis.join(', ')}?`)
const model = await startModel()
const open = await openAgent(name, { model })
let [looks, falselyIdle] = [0, 0]
try {
  const steps = stepsOf(open).filter(
    ({ note }) => !(withoutQuestions.includes(name) && /question/.test(note)),
  )
  for (const step of steps) await take(step)
} finally {
  await open.close()
  await model.close()
}
process.stderr.write(`${name}: ${falselyIdle} of ${looks} looks called idle what works or waits\n`)

async function take({ prompt, keys, wait, note, state, holds, clears }: Step): Promise<void> {
  const { terminal } = open
  if (prompt !== undefined) await open.submit(prompt)
  for (const key of keys ?? []) {
    await terminal.press(key)
    await pause(300)
  }
  const until = performance.now() + wait * 1000
  while (performance.now() < until) {
    await pause(100)
    if (holds) see(await terminal.screen(), note)
  }
  if (holds) return
  const screen = await terminal.screen()
  const row = {
    agent: name,
    screen: screen.replaceAll(open.place.work, '/home/ann/shop'),
    truth: { state },
    note,
    source: `recorded, ${labVersion(name)}`,
  }
  process.stdout.write(`${JSON.stringify(row)}\n`)
  if (clears) await terminal.press('C-u')
}

function see(screen: string, note: string): void {
  const { state } = readScreen(agents[name].screens, { grid: { rows: screen.split('\n') } })
  looks++
  if (state.kind !== 'idle') return
  falselyIdle++
  process.stderr.write(`${note}: idle\n${screen.trimEnd()}\n`)
}
