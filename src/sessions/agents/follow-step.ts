/**
 * Which transcript is an agent's. Pure. One that a hook or the session's id names is sure; one that is guessed is left
 * again where it may be another's, and doubted from then on. What is not followed is searched for.
 */
import type { Instant } from '../../core/state.ts'

export type FollowState = {
  /** Its files may be read. */
  readonly isReadable: boolean
  /** The transcript that is followed. */
  readonly path?: string
  readonly isSure: boolean
  /** Nothing but its folder and its time speak for it: what another file proves to be its own, this one never was. */
  readonly isGuess?: boolean
  /** Guesses that two processes made: neither makes them again. */
  readonly doubted: readonly string[]
  /** Transcripts that another running process reports as its own, too: their lines belong to both. */
  readonly shared: readonly string[]
  /** The agent's own id of its session, by its status file or a hook. */
  readonly session?: string
  /**
   * A file of its agent's has come while a sure one is followed: it may be this one's next (Codex's `/clear` without hooks).
   * Only a file that the process holds open proves it.
   */
  readonly mayHaveMoved?: true
  /** Others could be its own, too, besides the one that was proven so: each that is written to may show that it has moved. */
  readonly isOneOfSeveral?: true
  /** What the process has gone on from so: it may end it long after. */
  readonly left?: readonly string[]
  readonly search: { readonly next: Instant; readonly last: Instant; readonly every: number }
}

/**
 * What a search came to. `named` by the session's id, `open` in the process, `begun`: no other process can have begun the
 * turns in it; `several` that could be its own; `moved`: it may write another file now than the one that is followed; `unwritten`:
 * its session is known, and no file is named by it yet.
 */
export type TranscriptFinding =
  | { readonly how: 'named' | 'open' | 'begun' | 'guessed'; readonly path: string }
  | { readonly how: 'several' | 'moved' | 'nothing' | 'unwritten' }

export type FollowEvent =
  /** Its files are polled, or one has come or was written to where its transcripts lie. */
  | { readonly type: 'due' | 'stirred'; readonly now: Instant }
  /** @param isTaken another session reads the file that was guessed */
  | { readonly type: 'searched'; readonly found: TranscriptFinding; readonly isTaken: boolean }
  /** A hook named a file, which lies where its agent's transcripts lie. */
  | { readonly type: 'transcript named'; readonly path: string }
  | { readonly type: 'session named'; readonly session: string }
  /** Another session would read the same transcript: unless this one is sure of it, its owner is not known. */
  | { readonly type: 'contested' }
  /** Another process runs the session of this transcript. */
  | { readonly type: 'shared'; readonly path: string }

/** `lost`: what was read in it may be another's, and counts for nothing any more. */
export type FollowEffect =
  | { readonly do: 'search'; readonly session?: string }
  | { readonly do: 'follow'; readonly path: string }
  | { readonly do: 'leave' | 'lost' }

export type FollowStep = { readonly state: FollowState; readonly effects: readonly FollowEffect[] }

/** A transcript that is not found is looked for again when a file stirs, and after 2, 8, 32 s: a search costs a glob. */
const searchAgainMs = { first: 2000, factor: 4, most: 32_000 }
/** Files stir in crowds. */
const shortestSearchMs = 200

/** Codex keeps a thread for each `/clear`. */
const mostLeft = 32

const soon = { next: -Infinity, last: -Infinity, every: searchAgainMs.first }

export const newFollow = (isReadable: boolean, session?: string): FollowState => ({
  isReadable,
  isSure: false,
  doubted: [],
  shared: [],
  search: soon,
  ...(session === undefined ? {} : { session }),
})

export function stepFollow(state: FollowState, event: FollowEvent): FollowStep {
  switch (event.type) {
    case 'due':
      return searchIfDue(state, event.now)
    case 'stirred': {
      const { search } = state
      const soonest = Math.max(event.now, search.last + shortestSearchMs)
      if (!state.isSure)
        return searchIfDue(
          { ...state, search: { ...search, next: Math.min(search.next, soonest) } },
          event.now,
        )
      const anew = { ...search, next: soonest, every: searchAgainMs.first }
      return searchIfDue({ ...state, mayHaveMoved: true, search: anew }, event.now)
    }
    case 'searched':
      return found(state, event.found, event.isTaken)
    case 'transcript named':
      return state.isReadable ? follow(state, event.path, 'sure') : unchanged(state)
    case 'session named':
      if (event.session === state.session) return unchanged(state)
      return unchanged({
        ...state,
        session: event.session,
        isSure: false,
        search: { ...state.search, next: -Infinity, every: searchAgainMs.first },
      })
    case 'contested':
      return doubt(state)
    case 'shared':
      return share(state, event.path)
  }
}

const unchanged = (state: FollowState): FollowStep => ({ state, effects: [] })

function searchIfDue(state: FollowState, now: Instant): FollowStep {
  const { isReadable, isSure, mayHaveMoved, search, session } = state
  if (!isReadable || (isSure && !mayHaveMoved) || now < search.next) return unchanged(state)
  const every = Math.min(search.every * searchAgainMs.factor, searchAgainMs.most)
  // What a sure one's process has moved to has shown by then, and its id names what is followed.
  const isLast = isSure && search.every === searchAgainMs.most
  const next = isLast ? Infinity : now + search.every
  return {
    state: { ...state, search: { next, last: now, every } },
    effects: [{ do: 'search', ...(session === undefined || isSure ? {} : { session }) }],
  }
}

function found(state: FollowState, finding: TranscriptFinding, isTaken: boolean): FollowStep {
  if (state.isSure && state.path !== undefined) return moved(state, finding)
  switch (finding.how) {
    case 'named':
    case 'open':
    case 'begun':
      return follow(state, finding.path, finding.how === 'named' ? 'sure' : 'likely')
    case 'guessed': {
      const doubted = isTaken ? withDoubt(state, finding.path) : state.doubted
      const next = { ...state, doubted }
      return doubted.includes(finding.path) ? unchanged(next) : follow(next, finding.path, 'guess')
    }
    case 'several':
      // That another file could be its own, too, does not take away what was proven of this one.
      return state.isGuess || state.path === undefined
        ? doubt(state)
        : unchanged({ ...state, isOneOfSeveral: true })
    case 'moved':
      return doubt(state)
    case 'unwritten':
      return state.isGuess ? leave(state) : unchanged(state)
    case 'nothing':
      return unchanged(state)
  }
}

function moved(state: FollowState, finding: TranscriptFinding): FollowStep {
  if (!state.mayHaveMoved || finding.how !== 'open' || finding.path === state.path) return unchanged(state)
  const { session: _, mayHaveMoved: __, path = '', left = [], ...rest } = state
  const others = left.filter(one => one !== finding.path && one !== path)
  return follow({ ...rest, path, left: [...others, path].slice(-mostLeft) }, finding.path, 'likely')
}

function follow(
  { isOneOfSeveral: _, ...state }: FollowState,
  path: string,
  how: 'sure' | 'likely' | 'guess',
): FollowStep {
  const isKnown = state.path === path
  // What was proven of a file is not less so because it is guessed again.
  const isGuess = how === 'guess' && (state.isGuess === true || !isKnown)
  const next = { ...state, isSure: how === 'sure', isGuess }
  if (isKnown) return unchanged(next)
  const lost: readonly FollowEffect[] = state.isGuess ? [{ do: 'lost' }] : []
  return {
    state: { ...next, path, shared: state.shared.filter(one => one !== path) },
    effects: [...lost, { do: 'follow', path }],
  }
}

/** It is searched for on: the other process may end. */
function share(state: FollowState, path: string): FollowStep {
  const shared = state.shared.includes(path) ? state.shared : [...state.shared, path]
  const next = { ...state, isSure: false, shared }
  return state.path === path ? leave(next) : unchanged(next)
}

function doubt(state: FollowState): FollowStep {
  const { path } = state
  if (path === undefined || state.isSure) return unchanged(state)
  return leave({ ...state, doubted: withDoubt(state, path) })
}

function leave({ path: _, isGuess: __, isOneOfSeveral: ___, ...state }: FollowState): FollowStep {
  return { state, effects: [{ do: 'leave' }, { do: 'lost' }] }
}

const withDoubt = ({ doubted }: FollowState, path: string): readonly string[] =>
  doubted.includes(path) ? doubted : [...doubted, path]
