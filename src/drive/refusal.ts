/** What `lull send` does not type into: what a person has to decide, a password, a pane that takes nothing. */

import { isAgentName } from '../agents/agent-names.ts'
import { recognise } from '../agents/recognise-agent.ts'
import { describeState, inWords } from '../core/explain/explain.ts'
import { LullError, type RefusedOutcome } from '../core/lull-error.ts'
import type { Session } from '../core/session.ts'
import type { Grid } from '../core/text/grid.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { innermost } from '../terminal/classify/classify.ts'
import { asksForLine } from '../terminal/classify/drawn-question.ts'
import { isMenu } from '../terminal/classify/menus.ts'
import { isAlternate } from '../terminal/classify/partial-verdict.ts'
import { shellOf } from '../terminal/classify/shells.ts'
import { editorOf, readerOf } from '../terminal/edited-line.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { type Probe, readingOf, type TerminalProcess } from '../terminal/probe/probed.ts'
import { isRaw } from './await-read.ts'
import { readAgentScreen } from './dialog/shown-dialog.ts'

/** Nothing was typed, or no more than `typed` bytes. The sentence gives the reason. */
export const refusedToType = (
  outcome: RefusedOutcome,
  sentence: string,
  typed = 0,
  line?: string,
): LullError<'REFUSED_TO_TYPE'> =>
  new LullError('REFUSED_TO_TYPE', sentence, { outcome, typed, ...(line === undefined ? {} : { line }) })

/** @throws {LullError} REFUSED_TO_TYPE where whoever types wants it no more */
export function checkWanted(signal: AbortSignal | undefined, typed = 0): void {
  if (signal?.aborted) throw refusedToType('failed', 'it was called off: no more was typed', typed)
}

/** Processes of known agents that own the terminal now. */
export const agentPids = (probe: Probe): readonly number[] =>
  ownersOf(probe)
    .filter(({ args }) => recognise(args) !== undefined)
    .map(({ pid }) => pid)

/**
 * Another program certainly reads the terminal: a shell (also one that runs a script), a pager, or a program that takes
 * lines. The dialog of an ended agent is still on the screen above, or in another part of the tmux on that screen.
 */
export function isNoAgent({ observation, agent, isStranger }: Judged): boolean {
  const { verdict } = observation
  const probe = deepest(observation.probe)
  // Of what a relay shows of another machine nothing is known.
  if (agent || isStranger || !probe.hasKernel || probe.relay) return false
  const reader = readerOf(observation)
  if (reader && shellOf(reader)) return true
  const { state } = verdict
  const readsKeys =
    state.kind !== 'waiting' ||
    state.for === 'input' ||
    state.for === 'keypress' ||
    state.for === 'confirmation'
  return state.kind === 'idle' || !readsKeys || !isRaw(probe)
}

/** Of terminals in the terminal too. */
const ownersOf = ({ processes, inner }: Probe): readonly TerminalProcess[] => [
  ...processes,
  ...(inner ? ownersOf(inner) : []),
]

const deepest = (probe: Probe): Probe => (probe.inner ? deepest(probe.inner) : probe)

export type Judged = {
  readonly observation: Observation
  /** The session of the agent in the pane, where there is one. */
  readonly agent?: LiveSession
  /** There is an agent, but lull has no session of it. */
  readonly isStranger: boolean
  /** The agent reports that a tool runs, and not when it asks for a permission first. */
  readonly mayAsk?: boolean
  /** What the screen shows now, whatever is known of the agent: it would choose, not read. */
  readonly shows?: 'a menu' | 'a dialog'
  /** The agent that was meant, where something else owns its terminal now. */
  readonly away?: LiveSession
}

/**
 * @param sessions asked only where the pane's foreground is a known agent
 * @param meant the agent that is typed to, where the pane is not
 */
export async function judgePane(
  observation: Observation,
  sessions: () => Promise<readonly LiveSession[]>,
  meant?: LiveSession,
): Promise<Judged> {
  if (meant && isAway(observation, meant)) return { observation, isStranger: false, away: meant }
  const pids = agentPids(observation.probe)
  if (pids.length === 0) return { observation, isStranger: false }
  // Until the agent is found, its terminal may have its pid.
  const agent = (await sessions()).find(one => one.agent !== 'terminal' && pids.includes(one.pid))
  if (!agent) return { observation, isStranger: true }
  const shows = await shown(observation, agent)
  return { observation, agent, isStranger: false, mayAsk: await mayAsk(agent), ...(shows ? { shows } : {}) }
}

/** What the program that reads has drawn: of a tmux within, the pane that keys go to. */
export const screenOf = ({ probe, screen }: Observation): Grid | undefined =>
  innermost(probe).screen ?? screen

async function shown(observation: Observation, { agent }: LiveSession): Promise<Judged['shows']> {
  const screen = screenOf(observation)
  if (!screen || !isAgentName(agent)) return undefined
  const { state, isMenu } = await readAgentScreen(screen.rows, agent)
  return isMenu ? 'a menu' : state.kind === 'waiting' ? 'a dialog' : undefined
}

async function mayAsk({ agent, session }: LiveSession): Promise<boolean> {
  const { state } = session.verdict
  if (!isAgentName(agent) || state.kind !== 'working' || state.doing !== 'tool') return false
  const { agents } = await import('../agents/registry.ts')
  return agents[agent].asksUntold === true
}

/** An agent of which it is not known yet whether it takes a prompt: it begins. */
export const isUnseen = ({ observation, agent, isStranger, shows, away }: Judged): boolean =>
  !away && shows === undefined && !paneRefusal(observation) && (isStranger || isUnknown(agent))

function isUnknown(agent: LiveSession | undefined): boolean {
  const kind = agent?.session.verdict.state.kind
  return kind === 'starting' || kind === 'unknown'
}

/** It was stopped (Ctrl-Z), has ended, or another program has the terminal: a shell would run the text. */
export const isAway = ({ probe }: Observation, { pid }: LiveSession): boolean =>
  probe.hasKernel && !ownersOf(probe).some(process => process.pid === pid)

export const refusedAway = (
  { verdict }: Observation,
  { agent, id }: LiveSession,
): LullError<'REFUSED_TO_TYPE'> =>
  refusedToType(
    'waitsForPerson',
    `${agent} ${id} is not in the foreground of its pane (${verdict.why}): nothing was typed; tmux:PANE means whatever reads there`,
  )

/**
 * Why nothing may be typed now; undefined where it may.
 * @param force although it is not known what an agent does, or something else than lines of text is read
 * @param hasShown what was typed before has shown on its line
 */
export function refusal(
  { observation, agent, isStranger, mayAsk, shows, away }: Judged,
  force: boolean,
  hasShown = false,
): LullError<'REFUSED_TO_TYPE'> | undefined {
  const { verdict } = observation
  const deaf = paneRefusal(observation)
  if (deaf) return deaf
  if (observation.probe.relay?.isInMode && !force)
    return refusedToType(
      'waitsForPerson',
      'the tmux in it is in copy mode, and takes the keys itself: lull keys … q leaves it',
    )
  if (away) return refusedAway(observation, away)
  const beside = agent || isStranger ? besideAgent(observation, force) : undefined
  if (beside) return beside
  if (mayAsk && !force)
    return refusedToType(
      'waitsForPerson',
      'a tool runs, or a dialog asks for it, of which this agent tells nobody; --force types',
    )
  const asks = agent?.session.verdict.state.kind === 'waiting'
  if (!asks && (shows === 'a dialog' || (shows && !force)))
    return refusedToType(
      'waitsForPerson',
      `its screen shows ${shows}: ${shows === 'a menu' ? 'lull keys … Escape closes it; --force types' : 'lull answer chooses an option, and no text is typed'}`,
    )
  if (agent) return ofAgent(agent.session, force)
  if (isStranger && !force)
    return refusedToType(
      'waitsForPerson',
      'an agent runs in the pane of which nothing is known: --force types',
    )
  if (verdict.health.level === 'confirmed_stuck')
    return refusedToType('stuck', `the terminal is frozen (${verdict.why}): lull keys … C-q lets it go on`)
  if (verdict.state.kind === 'waiting' && verdict.state.for === 'password')
    return refusedToType('waitsForPerson', `it asks for a password: ${verdict.prompt?.trim() || verdict.why}`)
  const takes = force ? undefined : takesInstead(observation, hasShown)
  return takes === undefined
    ? undefined
    : refusedToType(
        'waitsForPerson',
        `it takes ${takes}, and no other text (${verdict.why}): lull keys presses them; --force types`,
      )
}

/** A pager, an editor, a menu, a question for one key; whatever reads keys and is not known to edit a line of them. */
function takesInstead(
  observation: Observation,
  hasShown: boolean,
): 'one of its choices' | 'keys' | undefined {
  const { verdict, probe } = observation
  const { state } = verdict
  const at = innermost(probe)
  if (state.kind === 'idle' || verdict.isContinuation) return undefined
  if (state.kind === 'waiting' && at.screen && isMenu(at.screen)) return 'one of its choices'
  if (at.termios?.canonical !== false) return undefined
  const isText = state.kind !== 'waiting' || state.for === 'input' || state.for === 'confirmation'
  if (!isText || isAlternate(at)) return 'keys'
  // Where the kernel reports nothing, only the screen is left.
  if (verdict.behind !== undefined) return undefined
  // What begins to read, or has not begun, is typed ahead of.
  const reader = readerOf(observation)
  const isLine = !reader || !readingOf(reader) || editorOf(observation) !== undefined
  return isLine || hasShown || isLineByLooks(observation) ? undefined : 'keys'
}

/** It reads keys, and only its question suggests that it edits a line: what is typed has to show. */
export function isLineByLooks(observation: Observation): boolean {
  const { state } = observation.verdict
  const { screen, termios } = innermost(observation.probe)
  if (state.kind !== 'waiting' || state.for !== 'input' || termios?.canonical !== false) return false
  const reader = readerOf(observation)
  if (!reader || !screen || editorOf(observation) !== undefined) return false
  // fish reads whatever it reads by its line editor; others have one of a library.
  const isEdited = shellOf(reader)?.name === 'fish' || reader.hasEditor === true
  return isEdited || asksForLine(screen)
}

/** Why the pane takes nothing, whatever runs in it. */
export function paneRefusal({
  verdict,
  facts,
  unanswered,
  probe,
}: Observation): LullError<'REFUSED_TO_TYPE'> | undefined {
  if (verdict.state.kind === 'exited') return refusedToType('gone', `the pane has ended: ${verdict.why}`)
  if (probe.unread !== undefined) return refusedToType('failed', verdict.why)
  if (unanswered !== undefined) return refusedToType('failed', unanswered)
  if (facts?.isInputOff)
    return refusedToType('failed', 'tmux drops what is typed into this pane (select-pane -e takes it again)')
  return undefined
}

/** What an agent started in its own terminal reads there in its place: an editor for a prompt, a pager, a password. */
export function besideAgent(
  observation: Observation,
  force: boolean,
): LullError<'REFUSED_TO_TYPE'> | undefined {
  const { verdict, probe } = observation
  const { state, why } = verdict
  const isAgent = ({ args }: TerminalProcess): boolean => recognise(args) !== undefined
  // A relay that reads passes on to the agent.
  const { processes } = deepest(probe)
  const readers = processes.filter(readingOf)
  const reader = processes.find(({ pid }) => pid === verdict.reader)
  const isOther = reader && !isAgent(reader) && (state.kind === 'idle' || state.kind === 'waiting')
  if (!isOther && (readers.length === 0 || readers.some(isAgent))) return undefined
  const isPassword = state.kind === 'waiting' && state.for === 'password'
  if (force && !isPassword) return undefined
  return refusedToType('waitsForPerson', `another program reads in the agent’s terminal (${why})`)
}

function ofAgent({ verdict, facts }: Session, force: boolean): LullError<'REFUSED_TO_TYPE'> | undefined {
  const {
    state,
    because: [evidence],
  } = verdict
  switch (state.kind) {
    case 'waiting':
      // An answer is given on purpose: Enter on a dialog takes what happens to be selected.
      return state.for === 'input'
        ? undefined
        : refusedToType(
            'waitsForPerson',
            `it is ${inWords(state, facts).replace(/^W/, 'w')}: lull answer chooses an option, and no text is typed`,
          )
    case 'exited':
      return refusedToType('gone', 'the agent has exited')
    case 'starting':
    case 'unknown':
      return force
        ? undefined
        : refusedToType(
            'waitsForPerson',
            `what it does is not known (${describeState(state)}${evidence ? `, by ${evidence.what}` : ''}): a dialog may be open; --force types`,
          )
    case 'idle':
    case 'working':
      return undefined
  }
}
