/** A fresh CLI in a fresh home, without hooks: its composer, its first turn and what follows, asked about all the time. */

import { setTimeout as pause } from 'node:timers/promises'
import type { LabCli } from '../../scripts/setup-lab.ts'
import { describeState } from '../../src/core/explain/explain.ts'
import { connect } from '../../src/index.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { type Model, startModel } from '../lab/model.ts'
import { type OpenAgent, openAgent } from '../lab/run.ts'
import { endsTurn, now } from '../lab/truth.ts'
import { median } from '../median.ts'
import { floorMs, type Judged, judgeLooks, type Look, type Phase } from './judge-looks.ts'

/** What the first turn is: a prompt's directive, and whether it stops at a dialog. */
export const turns = {
  /** Words that come for some seconds. */
  stream: { prompt: '[[long:9]] hello', asks: false },
  /** A silent tool. */
  tool: { prompt: '[[bash:9]] hello', asks: false },
  /** Nothing is shown or written but that it works. */
  thought: { prompt: '[[think:9]] hello', asks: false },
  permission: { prompt: '[[touch:one.txt && sleep 6]] hello', asks: true },
} as const

export type TurnName = keyof typeof turns

/** How it is asked: where a host runs, and by a search of one's own, as `lull ps` does it without one. */
const ways = ['alone', 'host'] as const

export type Played = {
  readonly cli: LabCli
  readonly turn: TurnName
  readonly way: (typeof ways)[number]
  readonly judged: readonly Judged[]
  /** How long one look took, ms, the median. */
  readonly lookMs: number
}

/** Beyond the floor there must be answers: those of a loaded machine take a second each. ms */
const restMs = floorMs + 4000
const patienceMs = 60_000
/** Two looks at once, each as long as it takes, are load enough. */
const betweenMs = 150

/** @throws Error where the CLI itself did not get so far */
export async function playFirstTurn(cli: LabCli, turn: TurnName): Promise<readonly Played[]> {
  const model = await startModel()
  try {
    const open = await openAgent(cli, { model })
    return await play(cli, turn, model, open).finally(open.close)
  } finally {
    await model.close()
  }
}

async function play(cli: LabCli, turn: TurnName, model: Model, open: OpenAgent): Promise<readonly Played[]> {
  const ready = now()
  const { terminal } = open
  const looks = ways.map(way => keepLooking(way === 'alone', terminal.socket))
  try {
    await pause(restMs)
    const { prompt, asks } = turns[turn]
    // What is typed moves the screen, and then nobody knows at one look.
    const phases: Phase[] = [{ name: 'composer → idle', from: ready, to: now(), right: 'idle' }]
    const { pressed, request } = await open.begin(prompt)
    if (asks) {
      await open.asked()
      const asked = now()
      await pause(restMs)
      phases.push({ name: 'dialog → waiting', from: asked, to: now(), right: 'waiting' })
      await open.approve()
    }
    const from = asks ? now() : request.at
    const { at: end } = await model.next(endsTurn, patienceMs, pressed)
    phases.push({ name: asks ? 'granted → working' : 'begin → working', from, to: end, right: 'working' })
    await pause(restMs)
    phases.push({ name: 'end → idle', from: end, to: now(), right: 'idle' })
    return await Promise.all(
      looks.map(async (look, index) => {
        const all = await look.end()
        if (process.env.FIRST_TURN_LOOKS)
          for (const one of all)
            process.stderr.write(`${ways[index]} ${((one.asked - pressed) / 1000).toFixed(1)} ${one.said}\n`)
        return {
          cli,
          turn,
          way: ways[index] ?? 'alone',
          judged: phases.map(phase => judgeLooks(phase, all)),
          lookMs: median(all.map(({ asked, answered }) => answered - asked)),
        }
      }),
    )
  } finally {
    for (const look of looks) await look.end()
  }
}

/** Looks anew each time, as each `lull ps` does: nothing is known of what was before. */
function keepLooking(own: boolean, socket: string): { end(): Promise<readonly Look[]> } {
  const looks: Look[] = []
  let isOver = false
  const ended = (async () => {
    while (!isOver) {
      const asked = now()
      await using lull = await connect({ own })
      const sessions = await lull.sessions()
      looks.push({ asked, answered: now(), ...saidOf(sessions, socket) })
      await pause(betweenMs)
    }
  })()
  return {
    async end() {
      isOver = true
      await ended
      return looks
    },
  }
}

function saidOf(sessions: readonly LiveSession[], socket: string): Pick<Look, 'kind' | 'said'> {
  const found = sessions.find(
    ({ tmux, session }) => tmux === socket && session.verdict.state.kind !== 'exited',
  )
  if (!found) return { kind: 'not listed', said: 'not listed' }
  const { state, rule, because } = found.session.verdict
  const by = because.map(({ source, what }) => `${source} ${what}`).join(', ')
  return { kind: state.kind, said: `${describeState(state)} (${rule}: ${by || '-'})` }
}
