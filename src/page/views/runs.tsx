/** Loops and respawns: what each does or waits for, and what can be done to it. */
import { useState } from 'preact/hooks'
import { act, read } from '../host/ask.ts'
import { canAct, hostNow, seconds, sessions } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import { useTapTwice } from '../tap-twice.ts'
import type { Loop, Respawn } from '../types.ts'
import { folderOf, hashOf, nameOf, shortAge, topicOf, visibly, wordsOf } from '../words.ts'
import {
  actionWords,
  loopActions,
  nextRun,
  progressWords,
  type RunAction,
  type RunKind,
  respawnActions,
} from './run-actions.ts'

const lookMs = 3000

async function readRuns(signal: AbortSignal) {
  const [{ loops }, { respawns }] = await Promise.all([
    read<{ loops: readonly Loop[] }>('/v1/loops', signal),
    read<{ respawns: readonly Respawn[] }>('/v1/respawns', signal),
  ])
  return { loops, respawns }
}
type Runs = Awaited<ReturnType<typeof readRuns>>

export function RunsView() {
  const [times, again] = useState(0)
  const { loaded, problem } = useLoaded(`runs ${times}`, readRuns, lookMs)
  return (
    <>
      <h1>Runs</h1>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {loaded ? (
        <All runs={loaded} reload={() => again(before => before + 1)} />
      ) : (
        <p class="quiet">Loading…</p>
      )}
    </>
  )
}

type AllProps = { readonly runs: Runs; readonly reload: () => void }

function All({ runs: { loops, respawns }, reload }: AllProps) {
  seconds.value
  if (loops.length + respawns.length === 0)
    return (
      <p class="quiet">
        No loop or respawn is running. <code>lull loop</code> and <code>lull respawn</code> start one.
      </p>
    )
  return (
    <ul class="runs">
      {loops.map(loop => (
        <li key={loop.id}>
          <h2>
            Loop in <a href={hashOf(loop.id)}>{folderOf(loop.cwd)}</a>: {wordsOf(loop)}
          </h2>
          <p>{visibly(topicOf(loop))}</p>
          <Phase loop={loop} />
          <RunActions kind="loop" path={`/v1/loops/${loop.id}`} which={loopActions(loop)} reload={reload} />
        </li>
      ))}
      {respawns.map(respawn => (
        <li key={respawn.session}>
          <h2>
            Respawn of <a href={hashOf(respawn.session)}>{whose(respawn)}</a>:{' '}
            {respawn.phase.replaceAll('_', ' ')} for {shortAge(hostNow() - Date.parse(respawn.since))}
          </h2>
          <p>{visibly(progressWords(respawn))}</p>
          <RunActions
            kind="respawn"
            path={`/v1/respawns/${respawn.session}`}
            which={respawnActions(respawn)}
            reload={reload}
          />
        </li>
      ))}
    </ul>
  )
}

/** As the list of sessions calls it, as far as that has it. */
function whose({ session, agent, name }: Respawn): string {
  const row = sessions.get(session)?.row.peek()
  return row ? [nameOf(row), folderOf(row.cwd)].filter(Boolean).join(' in ') : visibly(name ?? agent)
}

function Phase({ loop }: { readonly loop: Loop }) {
  if (!loop.loop) return <p class="quiet">It cannot be steered from here.</p>
  const { phase, iteration, isPausing } = loop.loop
  const at = nextRun(loop)
  const left = at === undefined ? 0 : at - hostNow()
  const next =
    at === undefined
      ? ''
      : ` Next run ${left > 0 ? `in ${shortAge(left)}, at ` : 'due since '}${new Date(at).toLocaleTimeString()}.`
  return (
    <p>
      {phase === 'paused' ? 'Paused after iteration' : 'Iteration'} {iteration}.
      {isPausing ? ' It pauses once this iteration is over.' : ''}
      {next}
    </p>
  )
}

type ActionsProps = {
  readonly kind: RunKind
  readonly path: string
  readonly which: readonly RunAction[]
  /** What is listed is older than what was done. */
  readonly reload: () => void
}

function RunActions({ kind, path, which, reload }: ActionsProps) {
  const [result, setResult] = useState('')
  // An end can't be taken back.
  const { isAsked, tap } = useTapTwice(() => void ask('stop'))
  async function ask(action: RunAction): Promise<void> {
    const words = actionWords(kind, action)
    setResult(`${words}: sent`)
    try {
      const { confirmed } = await act(`${path}/${action}`, {})
      setResult(`${words}: ${confirmed ? 'done' : 'requested, not done yet'}`)
    } catch (error) {
      setResult(`${words}: ${(error as Error).message}`)
    }
    reload()
  }
  return (
    <p class="actions">
      {which.map(action => (
        <button
          key={action}
          type="button"
          disabled={!canAct.value}
          onClick={action === 'stop' ? tap : () => void ask(action)}
        >
          {action === 'stop' && isAsked ? 'Tap again: stop' : actionWords(kind, action)}
        </button>
      ))}{' '}
      <span role="status">{result}</span>
    </p>
  )
}
