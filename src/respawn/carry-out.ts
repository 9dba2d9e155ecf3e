/** Types a step of a plan, if all of it still holds right before: its conditions, the agent's idleness, that no person is there. */

import { setTimeout as pause } from 'node:timers/promises'
import { withoutOptions } from '../core/error-sentence.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { withoutBlanks } from '../core/text/grid.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { holds, textOf } from './conditions.ts'
import type { Condition, PlanStep, RespawnPlan, StepAct } from './plan/plan.ts'
import type { ActResult, BeforeEnter, Sighting } from './step/respawn-state.ts'
import { beforeEnter, isStillIdle } from './step/step-turn.ts'

export type TypePorts = {
  /** As it is now; undefined where there is none any more. */
  session(): Promise<LiveSession | undefined>
  terminal(session: LiveSession): Promise<Terminal>
  sighting(session: LiveSession): Sighting
  /** The monotonic clock. */
  now(): Instant
  /** A sentence where a person is at the terminal. */
  person(session: LiveSession): Promise<string | undefined>
  /** Called with the text before it is typed. */
  typing(text: string): void
  readonly folder: string
  readonly isDry: boolean
  readonly signal: AbortSignal
}

/** A command that an agent does not have is refused within that time after Enter. */
const [looks, lookMs] = [4, 250] as const
const longestRow = 120

/** What may stand on the line of what lull typed before. */
export type LeftOver = { readonly isOurs: boolean; readonly text: string }

/** A composer breaks a long line into rows. */
const isSame = (line: string | undefined, text: string): boolean =>
  text.trim() !== '' && line !== undefined && withoutBlanks(line) === withoutBlanks(text)

/** What throws a conversation away, by whatever name and whoever wrote it: never while something goes on in it. */
const forgets = /^\/(?:clear|new|reset)\b/

type Typed = ActResult & { readonly isLeftOver?: boolean }

export async function typeStep(
  plan: RespawnPlan,
  step: PlanStep,
  isByJudge: boolean,
  left: LeftOver,
  ports: TypePorts,
): Promise<Typed> {
  const at = ports.now()
  const lack = lackOf(step.act)
  try {
    const session = await ports.session()
    if (!session) return { is: 'gone', why: 'there is no such session any more' }
    const look = lookRightBefore(ports, { at, turn: ports.sighting(session).turn }, isByJudge)
    const { act } = step
    const around = {
      facts: session.session.facts,
      folder: ports.folder,
      cwd: session.cwd ?? ports.folder,
      signal: ports.signal,
    }
    const without = await passedOver(plan, step, around)
    if (without) return without
    // Before they are typed, they may take a while.
    const text = act.do === 'keys' ? act.keys.join(' ') : await textOf(act, around)
    const held = await heldBack(act, text, session, ports)
    if (held) return held
    ports.typing(text)
    if (ports.isDry) return { is: 'passed', why: 'a dry run types nothing' }
    await using terminal = await ports.terminal(session)
    const typing = { act, left, isByJudge, look, lack, terminal, ports }
    const typed = act.do === 'keys' ? pressKeys(act.keys, typing) : typeText(text, typing)
    return await typed.catch(error => {
      // Typing it twice would be worse than never. The timer finds out whether it began a turn.
      if (isLullError(error, 'NO_ANSWER') && lack.why() === undefined)
        return { is: 'sent', before: look.before() }
      throw error
    })
  } catch (error) {
    if (!isLullError(error)) throw error
    const why = lack.why()
    return why === undefined ? resultOf(error) : { is: 'passed', why, isLeftOver: true }
  }
}

/** Checks for idleness right before each of text and Enter; where only the judge reports it, for no other state. */
function lookRightBefore(
  ports: TypePorts,
  decided: { readonly at: Instant; readonly turn: number },
  isByJudge: boolean,
) {
  let before: BeforeEnter = decided
  return {
    before: () => before,
    unwanted(live: LiveSession | undefined): string | undefined {
      if (!live) return 'no agent has the terminal now'
      const seen = ports.sighting(live)
      before = beforeEnter(ports.now(), seen)
      if (isStillIdle(seen, decided) || (isByJudge && seen.is === 'unknown')) return undefined
      return seen.is === 'idle'
        ? `something went on there since: ${seen.why}`
        : `it is not idle any more: ${seen.why}`
    },
  }
}

/** Whether the agent rejects the command, by the rows that are new since the first ones. */
function lackOf(act: StepAct) {
  let first: readonly string[] | undefined
  let why: string | undefined
  return {
    why: () => why,
    in(rows: readonly string[], isEntered: boolean): string | undefined {
      const row = act.do === 'command' && first ? lackedCommand(act.text, first, rows, isEntered) : undefined
      if (!isEntered) first ??= rows
      why =
        row &&
        `the agent has no ${act.do === 'command' ? act.text : ''}: it prints "${oneLine(row, longestRow)}"`
      return why
    },
  }
}

async function passedOver(
  { until }: RespawnPlan,
  { when, unless }: PlanStep,
  around: Parameters<typeof holds>[1],
): Promise<ActResult | undefined> {
  if (until && (await holds(until, around)) === true) return { is: 'done', why: `${inWords(until)} holds` }
  if (when && (await holds(when, around)) !== true)
    return { is: 'passed', why: `${inWords(when)} does not hold, or is not known` }
  if (unless && (await holds(unless, around)) === true)
    return { is: 'passed', why: `${inWords(unless)} holds` }
  return undefined
}

async function heldBack(
  act: StepAct,
  text: string,
  session: LiveSession,
  ports: TypePorts,
): Promise<ActResult | undefined> {
  if (act.do !== 'keys' && forgets.test(text) && ports.sighting(session).isBeside)
    return { is: 'refused', why: `${text} would throw away what still goes on in the background` }
  const person = await ports.person(session)
  if (person !== undefined) return { is: 'person', why: person }
  return ports.signal.aborted ? { is: 'refused', why: 'it was called off' } : undefined
}

type Typing = {
  readonly act: StepAct
  readonly left: LeftOver
  readonly isByJudge: boolean
  readonly look: ReturnType<typeof lookRightBefore>
  readonly lack: ReturnType<typeof lackOf>
  readonly terminal: Terminal
  readonly ports: TypePorts
}

async function pressKeys(
  keys: readonly string[],
  { look, terminal, ports: { signal } }: Typing,
): Promise<Typed> {
  const why = look.unwanted(await terminal.agent())
  if (why !== undefined) return { is: 'refused', why }
  await terminal.keys(keys, { signal })
  return { is: 'sent', before: look.before() }
}

async function typeText(text: string, typing: Typing): Promise<Typed> {
  const { act, left, isByJudge, look, lack, terminal } = typing
  const { signal } = typing.ports
  const send = (clear: boolean) =>
    terminal.send(text, {
      signal,
      unless: (live, rows) => look.unwanted(live) ?? lack.in(rows, false),
      ...(isByJudge ? { force: true } : {}),
      clear,
    })
  const { isEntered } = await send(left.isOurs).catch(error => {
    // Enter may be swallowed (Codex takes fast typing for a paste): the line is still lull's text.
    if (!isLullError(error, 'REFUSED_TO_TYPE') || !isSame(error.facts.line, left.text)) throw error
    return send(true)
  })
  if (!isEntered) return { is: 'failed', why: 'it was typed, and Enter was not pressed', isLeftOver: true }
  for (let looked = 0; act.do === 'command' && looked < looks && !signal.aborted; looked++) {
    await pause(lookMs)
    const why = lack.in(await terminal.read({ screen: true }), true)
    // Some leave the line as it was typed.
    if (why !== undefined) return { is: 'passed', why, isLeftOver: true }
  }
  return { is: 'sent', before: { ...look.before(), text } }
}

function resultOf(error: Error & { readonly code: string }): Typed {
  const why = withoutOptions(error.message)
  if (isLullError(error, 'REFUSED_TO_TYPE')) {
    const { outcome, typed, line } = error.facts
    if (outcome === 'gone') return { is: 'gone', why }
    return { is: line === undefined ? 'refused' : 'person', why, ...(typed > 0 ? { isLeftOver: true } : {}) }
  }
  if (isLullError(error, 'NO_PANE', 'NO_SESSION', 'ENDED', 'NO_SERVER')) return { is: 'gone', why }
  return { is: 'failed', why }
}

const inWords = (condition: Condition): string => {
  switch (condition.kind) {
    case 'context':
      return `context ${condition.is === 'below' ? '<' : '>'} ${Math.round(condition.share * 100)}%`
    case 'exists':
      return `exists ${condition.path}`
    case 'passes':
      return `passes ${condition.command}`
    case 'marker':
      return `marker ${condition.name}`
  }
}

const noneOffered = /^\W*no (?:\w+ )?(?:commands?|items?|matche?s?|results?|suggestions?)\b/i
const refusing = /\b(?:un(?:known|recogni[sz]ed)|no such|invalid|not (?:found|recogni[sz]ed|available))\b/i

/** @returns the row that rejects the command, among new rows only */
export function lackedCommand(
  command: string,
  before: readonly string[],
  now: readonly string[],
  isEntered: boolean,
): string | undefined {
  const [name = ''] = command.split(/\s/)
  const old = new Set(before.map(row => row.trim()))
  const fresh = now.map(row => row.trim()).filter(row => !old.has(row))
  const isAbout = (row: string) => row.includes(name) && refusing.test(row)
  return fresh.find(row => isAbout(row) || (!isEntered && noneOffered.test(row)))
}
