/** One session: what it asks, its last words, a prompt for it, its screen, its turns, and the evidence for its state. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { act, read, sessionPath } from '../host/ask.ts'
import { canAct, hostNow, ids, link, seconds, sessions } from '../host/link.ts'
import { replayHash } from '../replay/film.ts'
import { Recorded } from '../replay/recorded.tsx'
import type { Explained } from '../types.ts'
import { ageOf, isBoxId, nameOf, placeOf, visibly, wordsOf } from '../words.ts'
import { DialogCard, LastOutcome } from './dialog.tsx'
import { PastStates } from './past-states.tsx'
import { ProcessTree } from './processes.tsx'
import { Prompt } from './prompt.tsx'
import { ScreenPanel } from './screen.tsx'
import { Why } from './why.tsx'

/** It is asked for anew once its row has changed, and after so long for what depends on time alone. ms */
const againMs = 5000
/** Not more often than this, however often its row changes. ms */
const restMs = 250

/** The session, whole, for as long as the view is open. */
function useSession(id: string) {
  const [whole, setWhole] = useState<Explained | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  /** When that was asked for, by `performance.now`. */
  const [lookedAt, setLookedAt] = useState(-Infinity)
  const key = whole?.id ?? id
  const row = ids.value.includes(key) ? sessions.get(key)?.row.value : undefined
  const isLive = link.value === 'live'
  const isOld = useRef(true)
  useEffect(() => {
    isOld.current = true
  }, [row, isLive])
  useEffect(() => {
    const leave = new AbortController()
    let askedAt = -Infinity
    let isAsking = false
    async function look(): Promise<void> {
      if (isAsking || (!isOld.current && performance.now() - askedAt < againMs)) return
      isAsking = true
      isOld.current = false
      const begun = performance.now()
      askedAt = begun
      try {
        setWhole(await read<Explained>(sessionPath(id), leave.signal))
        setLookedAt(begun)
        setProblem(undefined)
      } catch (error) {
        if (!leave.signal.aborted) setProblem((error as Error).message)
      }
      isAsking = false
    }
    void look()
    const timer = setInterval(() => void look(), restMs)
    return () => {
      leave.abort()
      clearInterval(timer)
    }
  }, [id])
  return { whole, lookedAt, problem, row, isOver: row === undefined && isLive && problem !== undefined }
}

export function SessionView({ id }: { readonly id: string }) {
  const { whole, lookedAt, problem, row, isOver } = useSession(id)
  // An address may mean another session by and by.
  const session = whole?.id ?? id
  if (!whole && !row)
    return (
      <>
        <Back />
        <p class="problem">
          {problem === undefined ? 'Loading…' : `No such session: ${problem.split(';')[0]}`}
        </p>
      </>
    )
  const is = row ?? whole
  const isRecorded = is?.recording !== undefined
  /** It has a screen and processes. */
  const isHere = !isRecorded && !isBoxId(id)
  const dialog = is?.state === 'waiting' && !isOver ? whole?.dialog : undefined
  return (
    <article class="session">
      <Back />
      <h1>
        {is ? visibly(nameOf(is)) : id} {is ? <span class="folder">{placeOf(is, is.cwd)}</span> : null}
      </h1>
      {isOver ? (
        <p class="problem" role="alert">
          This session has ended.
        </p>
      ) : null}
      {is ? (
        <p class="verdict">
          <span class={`mark ${is.need}`} aria-hidden="true" /> <strong>{wordsOf(is)}</strong> for{' '}
          <Since of={is} />. {visibly(isCurrent(whole, is) ? whole.reason : '')}
        </p>
      ) : null}
      {problem === undefined || isOver ? null : (
        <p class="problem" role="alert">
          This may be old: {problem}.
        </p>
      )}
      {dialog ? (
        <DialogCard
          key={dialog.dialog}
          session={session}
          dialog={dialog}
          cwd={is?.cwd}
          lookedAt={lookedAt}
          isKnown={problem === undefined}
        />
      ) : null}
      <LastOutcome session={session} shown={dialog?.dialog} />
      {whole?.dialogProblem === undefined ? null : (
        <p class="problem">The dialog cannot be read: {whole.dialogProblem}</p>
      )}
      {whole ? <Facts all={wordsIn(whole, dialog !== undefined)} /> : null}
      {is && !isOver && isHere && is.state !== 'exited' ? (
        <Prompt id={session} isBlocked={dialog !== undefined} />
      ) : null}
      {is?.need === 'look' && isHere ? <Seen id={session} /> : null}
      {whole ? <Facts all={factsIn(whole)} /> : null}
      {is?.recording === undefined ? null : <Recording name={is.recording} />}
      {!isHere ? null : (
        <Part title="Screen" isOpen={is?.state === 'waiting' && dialog === undefined && !isOver}>
          {() => <ScreenPanel id={id} />}
        </Part>
      )}
      {!isHere || is?.host !== undefined || is?.agent === 'terminal' ? null : (
        <Part title="Replay">{() => <Recorded id={session} since={is?.since} />}</Part>
      )}
      {isHere ? <Part title="States">{() => <PastStates id={id} since={is?.since} />}</Part> : null}
      {whole ? <Part title="Why">{() => <Why whole={whole} />}</Part> : null}
      {isHere ? <Part title="Processes">{() => <ProcessTree id={id} />}</Part> : null}
    </article>
  )
}

/** The reason is of the state that the row has: it is asked for a moment later. */
const isCurrent = (
  whole: Explained | undefined,
  row: Pick<Explained, 'state' | 'since'>,
): whole is Explained => whole?.state === row.state && whole.since === row.since

const Recording = ({ name }: { readonly name: string }) => (
  <p>
    A recording, played again and again: its processes and its terminal are not here.{' '}
    <a href={replayHash(name)}>Replay it</a>
  </p>
)

const Back = () => (
  <p>
    <a href="#/">← All sessions</a>
  </p>
)

const Since = ({ of }: { readonly of: Parameters<typeof ageOf>[0] }) => {
  seconds.value
  return <>{ageOf(of, hostNow())}</>
}

type PartProps = {
  readonly title: string
  /** At first: a question that only its terminal shows is before the reader's eyes. */
  readonly isOpen?: boolean
  readonly children: () => ComponentChildren
}

/** What it holds is asked for only once it is opened. */
function Part({ title, isOpen: isOpenFirst = false, children }: PartProps) {
  const [isOpen, open] = useState(isOpenFirst)
  return (
    <details open={isOpen} onToggle={event => open(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  )
}

type Fact = readonly [title: string, text: string | undefined]

/** Those that have a text. */
const Facts = ({ all }: { readonly all: readonly Fact[] }) => (
  <dl class="facts">
    {all.map(([title, text]) =>
      text ? (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{visibly(text)}</dd>
        </div>
      ) : null,
    )}
  </dl>
)

/** @param isAsked its question is shown above */
const wordsIn = ({ prompt, message, error, question }: Explained, isAsked: boolean): readonly Fact[] => [
  ['Prompt', prompt],
  ['Question', isAsked ? undefined : question],
  ['Last message', message],
  ['Error', error],
]

function Seen({ id }: { readonly id: string }) {
  const [problem, setProblem] = useState('')
  return (
    <p>
      <button
        type="button"
        disabled={!canAct.value}
        onClick={() => act(sessionPath(id, '/seen'), {}).catch((error: Error) => setProblem(error.message))}
      >
        Mark as seen
      </button>{' '}
      {problem}
    </p>
  )
}

function factsIn(whole: Explained): readonly Fact[] {
  const { background = [], wakes = [], model, tokensIn, tokensOut, context, cost, turn } = whole
  return [
    [
      'In the background',
      background.map(({ kind, what }) => [kind, what].filter(Boolean).join(' ')).join(', '),
    ],
    ['Wakes', wakes.map(({ kind, what, at }) => [kind, what, at].filter(Boolean).join(' ')).join(', ')],
    ['Model', model],
    ['Turn', String(turn)],
    ['Tokens', tokensIn === undefined ? undefined : `${tokensIn} in, ${tokensOut ?? 0} out`],
    ['Context in use', context === undefined ? undefined : `${Math.round(context * 100)} %`],
    ['Cost', cost ? `$${cost.toFixed(2)}` : undefined],
    ['Health', whole.health === 'healthy' ? undefined : `${whole.health}: ${whole.healthWhy ?? ''}`],
    ['Kept going', whole.kept ? 'by a respawn: idle, it gets its next prompt by itself' : undefined],
    ['Hooks', whole.hooks === 'blind' ? 'a turn ended without a hook' : undefined],
  ]
}
