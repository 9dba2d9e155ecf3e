/** What would make known what is unknown: one sentence for all sessions together, with what to type. Pure. */
import { commandLines } from '../../agents/command-lines.ts'
import { hookPlans } from '../../agents/hook-plans.ts'
import type { LiveSession } from '../session-source.ts'

/** @param installed the agents for which hooks of lull's stand in their settings */
export function unknownHint(
  sessions: readonly LiveSession[],
  installed: ReadonlySet<string>,
): string | undefined {
  const unknown = sessions.filter(isInTheDark)
  const hookless = unknown.filter(({ agent }) => !hasPlan(agent) || !installed.has(agent))
  const unhooked = namesOf(hookless.filter(({ agent }) => hasPlan(agent)))
  if (unhooked.length > 0) return installHint(unhooked)
  const silent = namesOf(unknown.filter(({ agent }) => installed.has(agent)))
  if (silent.length > 0) {
    const of = silent.length === 1 ? ` ${silent[0]}` : ''
    return `${listed(silent)} ${is(silent)} unknown though hooks are installed: run lull hooks doctor${of}`
  }
  const unseen = namesOf(
    hookless.filter(({ pane, terminal }) => pane === undefined && terminal === undefined),
  )
  if (unseen.length === 0) return undefined
  return `${listed(unseen)} ${is(unseen)} unknown: in tmux, or in a terminal of lull’s own (lull open), lull reads its screen`
}

/** Hooks would help: it is this user's, it is not halted, and its hooks do not arrive. */
const isInTheDark = ({ agent, hooks, note, session }: LiveSession): boolean =>
  agent in commandLines &&
  session.verdict.state.kind === 'unknown' &&
  session.verdict.rule !== 'halted' &&
  hooks !== 'heard' &&
  note === undefined

const hasPlan = (agent: string): boolean => hookPlans.some(({ name }) => name === agent)

const namesOf = (sessions: readonly LiveSession[]): string[] => [
  ...new Set(sessions.map(({ agent }) => agent)),
]

const is = (names: readonly string[]): string => (names.length === 1 ? 'is' : 'are')

function installHint(names: readonly string[]): string {
  const command = names.length === 1 ? `lull hooks install ${names[0]}` : 'lull hooks install'
  return `${listed(names)} ${is(names)} unknown: run ${command}, and start ${names.length === 1 ? 'it' : 'them'} again`
}

const listed = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
