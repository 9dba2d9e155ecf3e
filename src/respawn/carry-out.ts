/** Types a step of a plan, if all of it still holds right before: its conditions, the agent's idleness, that no person is there. */
import { setTimeout as pause } from 'node:timers/promises'
import { isLullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { holds, textOf } from './conditions.ts'
import { lackedCommand } from './lacked-command.ts'
import type { Condition, PlanStep, RespawnPlan } from './plan/plan.ts'
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
  /** Told of what is typed. */
  typing(text: string): void
  readonly folder: string
  readonly isDry: boolean
  readonly signal: AbortSignal
}

/** A command that an agent does not have is refused within that time after Enter. */
const [looks, lookMs] = [4, 250] as const
const longestSaid = 120

/** What may stand on the line of what lull typed before. */
export type LeftOver = { readonly isOurs: boolean; readonly text: string }

const isSame = (line: string | undefined, text: string): boolean =>
  text.trim() !== '' && line?.trim() === text.trim()

/** What throws a conversation away, by whatever name and whoever wrote it: never while something goes on in it. */
const forgets = /^\/(?:clear|new|reset)\b/

export async function typeStep(
  plan: RespawnPlan,
  step: PlanStep,
  isByJudge: boolean,
  left: LeftOver,
  ports: TypePorts,
): Promise<ActResult & { readonly isLeftOver?: boolean }> {
  const { signal, folder } = ports
  let before: BeforeEnter = { at: ports.now(), turn: 0 }
  let decided = before
  let lacked: string | undefined
  /** Idle all the while, right before each of text and Enter; and nothing else where nobody but the judge says so. */
  function unwanted(live: LiveSession | undefined): string | undefined {
    if (!live) return 'no agent has the terminal now'
    const seen = ports.sighting(live)
    before = beforeEnter(ports.now(), seen)
    if (isStillIdle(seen, decided) || (isByJudge && seen.is === 'unknown')) return undefined
    return seen.is === 'idle'
      ? `something went on there since: ${seen.why}`
      : `it is not idle any more: ${seen.why}`
  }
  try {
    const session = await ports.session()
    if (!session) return { is: 'gone', why: 'there is no such session any more' }
    decided = { ...decided, turn: ports.sighting(session).turn }
    const around = { facts: session.session.facts, folder, cwd: session.cwd ?? folder, signal }
    const does = async (condition: Condition | undefined) => condition && (await holds(condition, around))
    if ((await does(plan.until)) === true) return { is: 'done', why: `${told(plan.until)} holds` }
    if (step.when && (await does(step.when)) !== true)
      return { is: 'passed', why: `${told(step.when)} does not hold, or is not known` }
    if (step.unless && (await does(step.unless)) === true)
      return { is: 'passed', why: `${told(step.unless)} holds` }
    // Before they are typed, they may take a while.
    const { act } = step
    const text = act.do === 'keys' ? act.keys.join(' ') : await textOf(act, around)
    const seen = ports.sighting(session)
    if (act.do !== 'keys' && forgets.test(text) && seen.isBeside)
      return { is: 'refused', why: `${text} would throw away what still goes on in the background` }
    const person = await ports.person(session)
    if (person !== undefined) return { is: 'person', why: person }
    if (signal.aborted) return { is: 'refused', why: 'it was called off' }
    ports.typing(text)
    if (ports.isDry) return { is: 'passed', why: 'a dry run types nothing' }
    let rowsBefore: readonly string[] | undefined
    const says = (rows: readonly string[], isEntered: boolean) =>
      act.do === 'command' && rowsBefore ? lackedCommand(text, rowsBefore, rows, isEntered) : undefined
    const noteLack = (row: string | undefined) => {
      lacked = row && `the agent has no ${text}: it says "${oneLine(row, longestSaid)}"`
      return lacked
    }
    await using terminal = await ports.terminal(session)
    if (act.do === 'keys') {
      const why = unwanted(await terminal.agent())
      if (why !== undefined) return { is: 'refused', why }
      await terminal.keys(act.keys, { signal })
      return { is: 'sent', before }
    }
    const send = (clear: boolean) =>
      terminal.send(text, {
        signal,
        unless(live, rows) {
          const why = unwanted(live) ?? noteLack(says(rows, false))
          rowsBefore ??= rows
          return why
        },
        ...(isByJudge ? { force: true } : {}),
        clear,
      })
    const { isEntered } = await send(left.isOurs).catch(error => {
      // Enter may be swallowed (Codex takes fast typing for a paste): what lull typed is nobody's else.
      if (!isLullError(error, 'REFUSED_TO_TYPE') || !isSame(error.facts.line, left.text)) throw error
      return send(true)
    })
    if (!isEntered) return { is: 'failed', why: 'it was typed, and Enter was not pressed', isLeftOver: true }
    for (let look = 0; act.do === 'command' && look < looks && !signal.aborted; look++) {
      await pause(lookMs)
      const why = noteLack(says(await terminal.read({ screen: true }), true))
      // Some leave the line as it was typed.
      if (why !== undefined) return { is: 'passed', why, isLeftOver: true }
    }
    return { is: 'sent', before: { ...before, text } }
  } catch (error) {
    if (!isLullError(error)) throw error
    if (lacked !== undefined) return { is: 'passed', why: lacked, isLeftOver: true }
    // To type it once more would be worse than never: the time tells whether it began a turn.
    if (isLullError(error, 'NO_ANSWER')) return { is: 'sent', before }
    return resultOf(error)
  }
}

function resultOf(error: Error & { readonly code: string }): ActResult & { readonly isLeftOver?: boolean } {
  const why = error.message
  if (isLullError(error, 'REFUSED_TO_TYPE')) {
    const { outcome, typed, line } = error.facts
    if (outcome === 'gone') return { is: 'gone', why }
    return { is: line === undefined ? 'refused' : 'person', why, ...(typed > 0 ? { isLeftOver: true } : {}) }
  }
  if (isLullError(error, 'NO_PANE', 'NO_SESSION', 'ENDED', 'NO_SERVER')) return { is: 'gone', why }
  return { is: 'failed', why }
}

const told = (condition: Condition | undefined): string => {
  switch (condition?.kind) {
    case 'context':
      return `context ${condition.is === 'below' ? '<' : '>'} ${Math.round(condition.share * 100)}%`
    case 'exists':
      return `exists ${condition.path}`
    case 'passes':
      return `passes ${condition.command}`
    case 'marker':
      return `marker ${condition.name}`
    case undefined:
      return ''
  }
}
