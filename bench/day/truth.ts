/** What an agent really did, from its model's own log and the keys that were pressed. Pure; nothing of lull's. */
import type { ModelEvent } from '../lab/truth.ts'

/** What the one who drives the day did, or saw on the screen. `at`: ms since the epoch, by the lab's `now`. */
export type Mark = { readonly at: number } & (
  | { readonly type: 'situation'; readonly name: string }
  | { readonly type: 'started' | 'ready' | 'quitting' | 'killed' | 'stopped' | 'continued' | 'lost' }
  /** Enter was pressed. `directive`: the prompt's `[[…]]`. */
  | { readonly type: 'prompted' | 'queued'; readonly directive: string }
  /** A dialog stands on the screen: it waits for its person. */
  | { readonly type: 'dialog' }
  /** A program answers the dialog for its person: when exactly it presses, nobody else knows. */
  | { readonly type: 'answering' }
  /** Its answer was pressed. After a refusal some ask the model again, and some end the turn. */
  | { readonly type: 'granted' | 'refused' | 'interrupted' }
  /** The command that was interrupted still runs (its process says so); it has ended. */
  | { readonly type: 'outlived' | 'outrun' }
  /** Its conversation is compacted, asked for by its person; the summary has come. */
  | { readonly type: 'compacting' | 'compacted' }
  /** A command of its person's own runs in its shell; it has ended. */
  | { readonly type: 'commanding' | 'commanded' }
)

/**
 * `asking`: the model wants something that is asked for first, and no dialog was seen yet. `background`: the turn is over and
 * its background work is not. `open`: nobody can know.
 */
export type Truth = 'working' | 'asking' | 'waiting' | 'idle' | 'background' | 'stopped' | 'exited' | 'open'

export type Span = {
  readonly from: number
  readonly to: number
  readonly truth: Truth
  readonly situation: string
}

/** After these a turn ends unless the model is asked again within so long, ms. */
export const settle = {
  refused: 3000,
  interrupted: 1000,
  error: 3000,
  queue: 3000,
  compacted: 3000,
  woken: 3000,
  commanded: 1500,
}

type Entry =
  | { readonly at: number; readonly mark: Mark }
  | { readonly at: number; readonly event: ModelEvent }
  | { readonly at: number; readonly settled: number }

type Now = {
  readonly truth: Truth
  /** What was typed since it was started: by these its own turns are told from a subagent's, and from an earlier life's. */
  readonly typed: readonly string[]
  /** What was typed and not answered to its end. */
  readonly pending: readonly string[]
  /** What its subagents are asked and have not answered. */
  readonly delegated: readonly string[]
  /** When its command in the background ends. */
  readonly commandEnds?: number
  /** A command that was interrupted still runs beside what comes next. */
  readonly isOutlived?: true
  /** The turn is over then, unless something else happens. */
  readonly endsAt?: number
  readonly beforeStop?: Truth
}

const fresh: Now = { truth: 'open', typed: [], pending: [], delegated: [] }

/**
 * @param end the instant at which the day ended
 */
export function truthOf(marks: readonly Mark[], events: readonly ModelEvent[], end: number): Span[] {
  const entries: Entry[] = [
    ...marks.map(mark => ({ at: mark.at, mark })),
    ...events.filter(({ request }) => request.kind === 'main').map(event => ({ at: event.at, event })),
  ].sort((a, b) => a.at - b.at)
  const spans: Span[] = []
  let now = fresh
  let situation = ''
  let from = entries[0]?.at ?? end
  const turnTo = (at: number, next: Now, name = situation): void => {
    if (next.truth !== now.truth || name !== situation) {
      if (at > from) spans.push({ from, to: at, truth: now.truth, situation })
      from = at
    }
    now = next
    situation = name
  }
  for (const [index, entry] of entries.entries()) {
    if (now.endsAt !== undefined && now.endsAt <= entry.at) turnTo(now.endsAt, settled(now))
    if ('mark' in entry && entry.mark.type === 'situation') turnTo(entry.at, now, entry.mark.name)
    else if ('mark' in entry) turnTo(entry.at, marked(now, entry.mark))
    else if ('event' in entry) turnTo(entry.at, told(now, entry.event, isRetried(entries, index)))
  }
  if (now.endsAt !== undefined && now.endsAt <= end) turnTo(now.endsAt, settled(now))
  if (end > from) spans.push({ from, to: end, truth: now.truth, situation })
  return spans
}

const settled = ({ endsAt: _, ...now }: Now): Now => ({
  ...now,
  truth: atRest(now),
  pending: [],
  delegated: [],
})

const atRest = ({ isOutlived }: Now): Truth => (isOutlived ? 'background' : 'idle')

const over = (now: Now, at: number, patience: number): Now => ({
  ...now,
  truth: 'open',
  endsAt: at + patience,
})

function marked({ endsAt: _, ...now }: Now, mark: Mark): Now {
  switch (mark.type) {
    case 'started':
    case 'lost':
      return fresh
    case 'ready':
      return { ...now, truth: 'idle', pending: [] }
    case 'quitting':
    case 'answering':
      return { ...now, truth: 'open' }
    case 'killed':
      return { ...fresh, truth: 'exited' }
    case 'stopped':
      return { ...now, truth: 'stopped', beforeStop: now.truth }
    case 'continued':
      return { ...now, truth: now.beforeStop ?? 'open' }
    case 'prompted':
      return {
        ...now,
        truth: 'working',
        typed: [...now.typed, mark.directive],
        pending: [mark.directive],
        delegated: [],
      }
    case 'queued':
      return {
        ...now,
        typed: [...now.typed, mark.directive],
        pending: [...now.pending, mark.directive],
      }
    case 'dialog':
      return { ...now, truth: 'waiting' }
    case 'granted':
      // A short turn has ended before the program that answered it.
      return { ...now, truth: now.truth === 'idle' ? 'idle' : 'working' }
    case 'compacting':
    case 'commanding':
      return { ...now, truth: 'working' }
    case 'refused':
    case 'interrupted':
    case 'compacted':
    case 'commanded':
      return over(now, mark.at, settle[mark.type])
    case 'outlived':
      // On a busy machine it is found after the interrupt was taken for the end.
      if (now.truth !== 'open' && now.truth !== 'idle') return now
      return { ...now, truth: 'background', isOutlived: true }
    case 'outrun': {
      const { isOutlived: _, ...next } = now
      return now.truth === 'background' ? over(next, mark.at, settle.woken) : next
    }
    case 'situation':
      return now
  }
}

const directiveOf = ({ request }: ModelEvent): string => {
  const { name, argument } = request.directive ?? {}
  return name === undefined ? '' : `[[${name}${argument === undefined ? '' : `:${argument}`}]]`
}

function told(before: Now, event: ModelEvent, retried: boolean): Now {
  if (before.truth === 'exited' || before.truth === 'stopped') return before
  const directive = directiveOf(event)
  if (directive !== '' && !before.typed.includes(directive)) return delegated(before, event, directive)
  // Some ask beside the turn what could be typed next: a prompt that is answered is asked from its beginning.
  if (directive !== '' && event.request.step === 0 && !before.pending.includes(directive)) return before
  const { endsAt: _, ...now } = before
  switch (event.type) {
    case 'request':
      // Where nothing was typed, the end of its background work has woken it.
      return { ...now, truth: now.truth === 'waiting' ? 'waiting' : 'working' }
    case 'error':
      return retried ? { ...now, truth: 'working' } : over(now, event.at, settle.error)
    case 'end':
      return answered(before, event, directive)
    case 'first-byte':
    case 'abort':
      return before
  }
}

/** A subagent is asked, or has answered. What another life of the same session is still told counts for nothing. */
function delegated(now: Now, event: ModelEvent, directive: string): Now {
  const others = now.delegated.filter(other => other !== directive)
  if (event.type === 'end' && !event.endsTurn && asks(event.request.directive?.name))
    return { ...now, truth: 'asking' }
  if (event.type === 'request')
    return now.pending.length > 0 ? { ...now, delegated: [...others, directive] } : now
  const isOver = event.type === 'abort' || (event.type === 'end' && event.endsTurn)
  if (!isOver || others.length === now.delegated.length) return now
  const isLast = others.length === 0 && now.truth === 'background' && now.commandEnds === undefined
  return { ...now, delegated: others, ...(isLast ? { endsAt: event.at + settle.woken } : {}) }
}

function answered(before: Now, event: Extract<ModelEvent, { type: 'end' }>, directive: string): Now {
  const { endsAt: _, commandEnds, ...now } = before
  const { name, argument } = event.request.directive ?? {}
  if (!event.endsTurn) {
    // By itself the subagent may ask later than its agent, which may end its turn before.
    if (name === 'agent') return { ...before, delegated: [...before.delegated, `[[bash:${argument}]]`] }
    if (name === 'agentasks') return { ...before, delegated: [...before.delegated, `[[touch:${argument}]]`] }
    if (name === 'background') return { ...before, commandEnds: event.at + 1000 * Number(argument) }
    return asks(name) ? { ...before, truth: 'asking' } : before
  }
  const pending = now.pending.filter(other => other !== directive)
  if (pending.length > 0) return over({ ...before, pending }, event.at, settle.queue)
  const runs = commandEnds !== undefined && event.at < commandEnds
  if (runs) return { ...now, commandEnds, pending, truth: 'background', endsAt: commandEnds + settle.woken }
  return { ...now, pending, truth: now.delegated.length > 0 ? 'background' : atRest(now) }
}

const asks = (directive: string | undefined): boolean =>
  directive === 'touch' || directive === 'ask' || directive === 'plan'

/** The client asks again, and nobody pressed a key in between: it never gave up. */
function isRetried(entries: readonly Entry[], index: number): boolean {
  for (const entry of entries.slice(index + 1)) {
    if ('mark' in entry && entry.mark.type !== 'situation') return false
    if ('event' in entry && entry.event.type === 'request') return true
  }
  return false
}
