/**
 * Sessions without processes: signals for a real track, in the shape in which agents report them, each a change of the thin row. Its
 * prompt holds the signal's number and the instant at which it was due, so a client can check the order and the delay.
 */
import type { Clock } from '../../src/core/clock.ts'
import type { News, Signal } from '../../src/core/evidence/signal.ts'
import type { Instant, State } from '../../src/core/state.ts'
import type { LiveSession, SessionProvider } from '../../src/sessions/session-source.ts'
import { createTrack } from '../../src/track/track.ts'

/** One session in so many was started by the one before it: whether that one is settled depends on it. */
const startedByAnother = 10

const thinking: State = { kind: 'working', doing: 'thinking' }
const tool: State = { kind: 'working', doing: 'tool' }
/** A turn, a signal each. */
const turn: readonly (readonly [what: string, state: State, more?: Partial<News>])[] = [
  ['prompt', thinking, { starts: true }],
  ['PreToolUse', tool],
  ['PostToolUse', thinking],
  ['PreToolUse', tool],
  ['Stop', { kind: 'idle', after: 'turn' }],
]

const idOfSession = (index: number): string => `s${String(index).padStart(7, '0')}`

/** `@NUMBER,MICROSECONDS@` before the text of a prompt; the number of the session's own signals, from 1. */
const promptOf = (number: number, due: Instant): string =>
  `@${number},${Math.round(due * 1000)}@ Go on with the pages of the shop, and test what you have`

function signalsOf(number: number, due: Instant, now: Instant): readonly Signal[] {
  const [what, state, more] = turn[(number - 1) % turn.length] as (typeof turn)[number]
  const facts = {
    prompt: promptOf(number, due),
    ...(state === tool ? { tool: 'Bash', about: 'npm run build' } : {}),
    ...(state.kind === 'idle' ? { finalMessage: 'All pages are written.' } : {}),
  }
  return [
    { type: 'facts', facts, at: now },
    { type: 'news', source: 'hook', what, lane: 'main', state, at: now, seen: now, ...more },
  ]
}

/** What a session has besides its judged state: as much as an agent in a tmux pane has. */
function rowOf(index: number): Omit<LiveSession, 'session'> {
  const shell = `p${String(index).padStart(7, '0')}`
  const parent = index % startedByAnother === 1 ? [idOfSession(index - 1)] : []
  return {
    id: idOfSession(index),
    agent: 'claude',
    pid: 10_000 + index,
    cwd: `/home/dev/project-${index}`,
    branch: 'main',
    pane: `%${index}`,
    tmux: '/tmp/tmux-1000/default',
    place: `main:${index}.0`,
    hooks: 'heard',
    isSeen: false,
    ancestors: [shell, ...parent, 'tmux0000', 'init0000'],
  }
}

export function generatedSessions(clock: Clock, count: number) {
  let onChange: (id: string) => void = () => undefined
  const track = createTrack(clock, id => onChange(id))
  const rows = new Map(Array.from({ length: count }, (_, index) => [idOfSession(index), rowOf(index)]))
  let filed = 0

  /** @param due when it should have been filed: a generator that is late delays a client, too */
  function fileNext(due: Instant): void {
    const index = filed % count
    const number = Math.floor(filed / count) + 1
    filed++
    track.file(idOfSession(index), signalsOf(number, due, clock.now()))
  }

  const get = (id: string): LiveSession | undefined => {
    const [row, session] = [rows.get(id), track.get(id)]
    // As agents' sessions: what came at this instant is for who advances it.
    return row && session && { ...row, session: { ...session, instant: undefined } }
  }
  const provider: SessionProvider = {
    start(changed) {
      onChange = id => changed(id, 'changed')
    },
    get,
    list: () => track.ids().flatMap(id => get(id) ?? []),
    close: () => track.close(),
  }
  return { provider, fileNext, filed: () => filed }
}
