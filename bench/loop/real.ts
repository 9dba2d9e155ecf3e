/** Real CLIs on a scripted model in a loop: three iterations with work, three without, one with. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureLab, labVersion } from '../../scripts/setup-lab.ts'
import { type LoopRun, loop } from '../../src/loop/loop.ts'
import type { LoopEvent } from '../../src/loop/loop-events.ts'
import { quoteWord } from '../../src/os/spawn/shell-words.ts'
import { environmentOf, labAgent } from '../lab/agents.ts'
import type { Step } from '../lab/directive.ts'
import type { LabAgent } from '../lab/lab-agent.ts'
import { startModel } from '../lab/model.ts'
import { newPlace } from '../lab/place.ts'
import { endsTurn, isMainRequest, type ModelEvent, type ModelRequest } from '../lab/truth.ts'

export type RealLoop = {
  readonly cli: string
  /** How each iteration ended: `completed` or `idle`. */
  readonly ends: readonly string[]
  /** The waits, ms: as they had to be, as they were, and from one answer's end to the next request at the model. */
  readonly waits: readonly { readonly wanted: number; readonly took: number; readonly gap: number }[]
  /** Tools that the agent was seen to run. */
  readonly tools: number
}

const measured = ['claude', 'codex'] as const
type Measured = (typeof measured)[number]

/** What has to come out. */
export const expectedEnds = ['completed', 'completed', 'completed', 'idle', 'idle', 'idle', 'completed']
export const expectedWaits = [1000, 2000, 3000]

const idle = '<!-- ralph:state idle -->'

/** The words of a headless run that reads its prompt from stdin. lull adds those for Claude's rows itself. */
const words: Readonly<Record<Measured, readonly string[]>> = {
  claude: ['-p'],
  codex: ['exec', '--json', '--skip-git-repo-check', '-'],
}

const ralphOf = ({ command }: LabAgent, name: Measured): string => `---
agent: ${[...command, ...words[name]].map(quoteWord).join(' ')}
idle:
  delay: 1s
  backoff: 2.0
  max_delay: 3s
---
This is iteration {{ ralph.iteration }}. If there is nothing to do, print this line:

${idle}
`

/** With work: the file with the marker is read by a tool, and the answer quotes it. Without: the marker is said. */
function answerTo({ turns }: ModelRequest): Step {
  const asked = turns.findLastIndex(({ role, text }) => role === 'user' && /This is iteration \d/.test(text))
  const iteration = Number(/This is iteration (\d+)/.exec(turns[asked]?.text ?? '')?.[1] ?? 0)
  if (iteration >= 4 && iteration <= 6) return { say: `Nothing to do.\n\n${idle}` }
  const isFirst = !turns.slice(asked + 1).some(({ role }) => role === 'assistant')
  if (isFirst)
    return { say: `I do not say\n\n${idle}`, call: { tool: 'shell', command: 'cat RALPH.md', asks: false } }
  return { say: `Part ${iteration} is done. I would print \`${idle}\` otherwise:\n\n\`\`\`\n${idle}\n\`\`\`` }
}

/** @throws LabError where the CLIs can't be had */
export async function loopReal(): Promise<RealLoop[]> {
  ensureLab(measured)
  const loops: RealLoop[] = []
  for (const cli of measured) loops.push(await loopOf(cli))
  return loops
}

async function loopOf(name: Measured): Promise<RealLoop> {
  const model = await startModel({ script: answerTo })
  const place = newPlace()
  let run: LoopRun | undefined
  try {
    const agent = labAgent(name, place, model.url)
    for (const [file, content] of Object.entries(agent.files)) place.put(file, content)
    writeFileSync(path.join(place.work, 'RALPH.md'), ralphOf(agent, name))
    run = loop({
      cwd: place.work,
      env: environmentOf(agent, place),
      maxIterations: expectedEnds.length,
      timeout: 120_000,
    })
    const events: LoopEvent[] = []
    for await (const event of run) events.push(event)
    return { cli: `${name} ${labVersion(name)}`, ...readOff(events, model.events) }
  } finally {
    run?.terminate()
    await run?.outcome
    await model.close()
    await place.remove()
  }
}

function readOff(events: readonly LoopEvent[], truth: readonly ModelEvent[]): Omit<RealLoop, 'cli'> {
  const ends = events.flatMap(({ type }) => {
    const [, end] = /^ITERATION_(COMPLETED|IDLE|FAILED|TIMED_OUT)$/.exec(type) ?? []
    return end === undefined ? [] : [end.toLowerCase()]
  })
  const wanted = events.flatMap(event => (event.type === 'DELAY_STARTED' ? [event.delay] : []))
  const gaps = gapsOf(truth)
  const took = events.flatMap(event => (event.type === 'DELAY_ENDED' ? [event.waited] : []))
  return {
    ends,
    waits: wanted.map((ms, i) => ({
      wanted: ms,
      took: took[i] ?? Number.NaN,
      gap: gaps[ends.indexOf('idle') + i] ?? Number.NaN,
    })),
    tools: events.filter(event => event.type === 'AGENT_ACTIVITY' && event.tool !== undefined).length,
  }
}

/** After each turn but the last, ms. */
function gapsOf(truth: readonly ModelEvent[]): number[] {
  return truth.flatMap((event, i) => {
    const next = endsTurn(event) ? truth.slice(i).find(isMainRequest) : undefined
    return next ? [next.at - event.at] : []
  })
}
