/** Why no hooks arrive from a session: the first cause that applies, the most certain first. Pure. */
import type { HookInspection } from '../../hooks/install/inspect.ts'

/** Facts about a session without hooks, and about the settings that its process reads. */
export type HookFacts = {
  readonly agent: string
  /** Why its files are not read: another user's, a container's. */
  readonly note?: string
  /** The hooks of its own settings, as its environment and its folder lead to them. */
  readonly inspections: readonly HookInspection[]
  /** ms since the epoch. */
  readonly startedAt?: number
  /** When the files that hold its hooks were last written, ms since the epoch. */
  readonly writtenAt?: number
  /** A running host that its environment points to, other than the one that was asked. */
  readonly otherHost?: { readonly pid: number; readonly runtime: string }
  /** What its hooks can send with; `own` where they need no program. */
  readonly sender: 'curl' | 'nc' | 'own' | undefined
  /** Of the program that runs, and whether it lists events that hooks can be installed for. */
  readonly version?: string
  readonly knowsHooks?: boolean
  /** It went through a turn, and nothing came. */
  readonly isBlind: boolean
}

export type NoHooksCause =
  | 'not ours'
  | 'unreadable'
  | 'not installed'
  | 'too old'
  | 'switched off'
  | 'untrusted'
  | 'other host'
  | 'no sender'
  | 'started before'
  | 'no turn yet'
  | 'not known'

export type WhyNoHooks = {
  readonly cause: NoHooksCause
  /** A half sentence about the session. */
  readonly what: string
  readonly cure?: string
  /** It keeps hooks from coming, or may only be so. */
  readonly level: 'wrong' | 'note'
}

export function whyNoHooks(facts: HookFacts): WhyNoHooks {
  const { agent, note, inspections, otherHost, sender, version, knowsHooks, isBlind } = facts
  const install = `lull hooks install ${agent}`
  if (note !== undefined) return { cause: 'not ours', what: note, level: 'note' }
  const held = inspections.filter(({ inPlace, stale, unknown }) => [inPlace, stale, unknown].some(hasAny))
  const broken = inspections.find(({ problem }) => problem !== undefined)
  if (held.length === 0 && broken) return { cause: 'unreadable', what: `${broken.problem}`, level: 'wrong' }
  const of = version === undefined ? agent : `${agent} ${version}`
  if (knowsHooks === false)
    return {
      cause: 'too old',
      what: `${of} lists no event that hooks can be installed for`,
      cure: 'it is too old for hooks; update it',
      level: 'wrong',
    }
  if (held.length === 0) {
    const where = inspections.map(({ file }) => file).join(' or ')
    return {
      cause: 'not installed',
      what: `no hooks of lull's in ${where}, where it looks`,
      cure: install,
      level: 'note',
    }
  }
  const off = held.find(one => one.off !== undefined)?.off
  if (off !== undefined)
    return { cause: 'switched off', what: off, cure: 'until that is changed, no hook runs', level: 'wrong' }
  const isUntrusted = held.every(one => hasAny(one.untrusted) && !hasTrusted(one))
  if (isUntrusted)
    return {
      cause: 'untrusted',
      what: 'nobody has trusted its hooks yet',
      cure: 'start it again and choose to trust them',
      level: 'wrong',
    }
  if (otherHost) {
    const { pid, runtime } = otherHost
    return {
      cause: 'other host',
      what: `its LULL_RUNTIME_DIR is ${runtime}, and its hooks go to the host there (pid ${pid})`,
      cure: `LULL_RUNTIME_DIR=${runtime} lull ps asks that one`,
      level: 'wrong',
    }
  }
  if (sender === undefined)
    return {
      cause: 'no sender',
      what: 'neither curl nor nc is on its PATH',
      cure: 'its hooks can send nothing; install curl',
      level: 'wrong',
    }
  if (wasBefore(facts))
    return {
      cause: 'started before',
      what: 'it was started before its hooks were installed',
      cure: 'start it again',
      level: isBlind ? 'wrong' : 'note',
    }
  if (!isBlind) return { cause: 'no turn yet', what: 'no turn yet since lull listens', level: 'note' }
  return {
    cause: 'not known',
    what: 'it ended a turn and no hook came',
    cure: 'start it again',
    level: 'wrong',
  }
}

const hasAny = (list: readonly unknown[]): boolean => list.length > 0

const hasTrusted = ({ inPlace, stale, untrusted }: HookInspection): boolean =>
  [...inPlace, ...stale].some(event => !untrusted.includes(event))

const wasBefore = ({ startedAt, writtenAt }: HookFacts): boolean =>
  startedAt !== undefined && writtenAt !== undefined && startedAt < writtenAt
