/**
 * That a command was allowed, which no agent's log and few hooks tell: its process runs. Pure. It is known by the text that
 * the person was asked about, which a shell below the agent was started with since.
 */
import type { Lane, Signal } from '../core/evidence/signal.ts'
import type { Instant } from '../core/state.ts'
import { isRecord, parseJson } from '../core/trace/trace.ts'
import { readGoesOn } from './goes-on.ts'

/** The dialog that was opened last, and the command that it is about, if it is about one. */
export type Asked = { readonly lane: Lane; readonly at: Instant; readonly command?: string }

/** @param signals of one input */
export function askedAfter(before: Asked | undefined, signals: readonly Signal[]): Asked | undefined {
  const news = signals.find(signal => signal.type === 'news' && signal.state.kind === 'waiting')
  if (news?.type !== 'news') return before
  const asking = signals.find(signal => signal.type === 'facts' && signal.facts.question !== undefined)
  const command = asking?.type === 'facts' ? asking.facts.question : undefined
  const isPermission = news.state.kind === 'waiting' && news.state.for === 'permission'
  const { lane, at } = news
  return command !== undefined && isPermission ? { lane, at, command } : { lane, at }
}

/** @param line the words of a process, with blanks between them */
export function runs(line: string, command: string): boolean {
  const whole = plain(line)
  const parts = partsOf(command)
  // Something starts it: the shell of the tool. The agent itself may run the same for its own ends.
  let from = 1
  for (const part of parts) {
    const at = placeOf(whole, part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return parts.length > 0
}

/** A shell that has come to the last command of its line becomes it: then that is all that is left to be seen. */
const runsLastOf = (line: string, command: string): boolean => {
  const last = partsOf(command).at(-1)
  return last !== undefined && plain(line) === last
}

const plain = (text: string): string => text.replace(/['"]/g, '').replace(/\s+/g, ' ').trim()

/** OpenCode's log has the commands of a line, without the operators between them. */
const partsOf = (command: string): string[] =>
  command
    .split(/&&|\|\||[;|\n]/)
    .map(plain)
    .filter(part => part !== '')

function placeOf(whole: string, part: string, from: number): number {
  for (let at = whole.indexOf(part, from); at > 0; at = whole.indexOf(part, at + 1)) {
    const after = whole[at + part.length]
    if (isEdge.test(whole[at - 1] as string) && (after === undefined || isEdge.test(after))) return at
  }
  return -1
}

const isEdge = /[\s;&|(){}]/

/** What a sample of an agent's processes shows. @param asked what a person was last asked to allow */
export const readSample = (asked: Asked | undefined, data: string, at: Instant): readonly Signal[] => [
  ...readGrant(asked, data, at),
  ...readGoesOn(data, at),
]

/**
 * The end of the dialog, where a sample of the processes (`{"procs":[{"pid","cmd","leads"}]}`, the agent first) shows the tool.
 * `leads`: it leads a process group of its own, as tools do, and what an agent runs for its own ends does not.
 */
function readGrant(asked: Asked | undefined, data: string, at: Instant): readonly Signal[] {
  const row = asked && parseJson(data)
  if (!asked || !isRecord(row)) return []
  // One that no look has shown has been gone since soon after it was asked.
  if (row.dialog === 'gone') return dialogGone(asked, row.isUnseen === true ? asked.at : at, at)
  const { lane, command } = asked
  if (command === undefined || !Array.isArray(row.procs)) return []
  const isGranted = row.procs
    .slice(1)
    .filter(isRecord)
    .some(({ cmd, leads }) => typeof cmd === 'string' && isTool(cmd, leads === true, command))
  if (!isGranted) return []
  const ended = {
    type: 'news',
    source: 'process',
    what: 'the command runs',
    ends: [lane],
    at,
    seen: at,
  } as const
  // Of a subagent's tool the main turn knows nothing.
  if (!lane.startsWith('ask:main:')) return [{ ...ended, lane: 'main', state: { kind: 'unknown' } }]
  return [{ ...ended, lane: 'main', state: { kind: 'working', doing: 'tool' } }]
}

/** Work after an answer is reported by then; a turn that ended with the answer may never be reported. */
const answeredMs = 3000

/** The dialog has left the screen: it was answered, but the answer is not known. */
const dialogGone = ({ lane }: Asked, at: Instant, seen: Instant): readonly Signal[] => {
  const gone = {
    type: 'news',
    source: 'screen',
    what: 'the dialog is gone',
    ends: [lane],
    at,
    seen,
  } as const
  if (!lane.startsWith('ask:main:')) return [{ ...gone, lane: 'main', state: { kind: 'unknown' } }]
  return [{ ...gone, lane: 'main', state: { kind: 'working' }, hold: answeredMs }]
}

/** Whether the command line of a process is the command that the agent was allowed to run. */
export const isTool = (line: string, leads: boolean, command: string): boolean =>
  runs(line, command) || (leads && runsLastOf(line, command))
