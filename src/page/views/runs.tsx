/** Loops and respawns: what each does or waits for, and what can be done to it. */
import { useState } from 'preact/hooks'
import { act, read } from '../host/ask.ts'
import { canAct, hostNow, seconds } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import { useTapTwice } from '../tap-twice.ts'
import type { Loop, Respawn } from '../types.ts'
import { folderOf, shortAge, topicOf, visibly, wordsOf } from '../words.ts'
import { loopActions, nextRun, type RunAction, respawnActions } from './run-actions.ts'

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
  const { loaded, problem } = useLoaded('runs', readRuns, lookMs)
  return (
    <>
      <h1>Runs</h1>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {loaded ? <All runs={loaded} /> : <p class="quiet">Loading…</p>}
    </>
  )
}

function All({ runs: { loops, respawns } }: { readonly runs: Runs }) {
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
            Loop in {folderOf(loop.cwd)}: {wordsOf(loop)}
          </h2>
          <p>{visibly(topicOf(loop))}</p>
          <Phase loop={loop} />
          <RunActions path={`/v1/loops/${loop.id}`} which={loopActions(loop)} />
        </li>
      ))}
      {respawns.map(respawn => (
        <li key={respawn.session}>
          <h2>
            Respawn of {visibly(respawn.name ?? respawn.agent)}: {respawn.phase.replaceAll('_', ' ')} for{' '}
            {shortAge(hostNow() - Date.parse(respawn.since))}
          </h2>
          <p>
            Cycle {respawn.cycle}, step {respawn.step} of {respawn.steps}.{' '}
            {visibly(respawn.detection.statusText)}
          </p>
          <RunActions path={`/v1/respawns/${respawn.session}`} which={respawnActions(respawn)} />
        </li>
      ))}
    </ul>
  )
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

type ActionsProps = { readonly path: string; readonly which: readonly RunAction[] }

function RunActions({ path, which }: ActionsProps) {
  const [result, setResult] = useState('')
  // An end can't be taken back.
  const { isAsked, tap } = useTapTwice(() => void ask('stop'))
  async function ask(action: RunAction): Promise<void> {
    setResult(`${action}: sent`)
    try {
      const { confirmed } = await act(`${path}/${action}`, {})
      setResult(`${action}: ${confirmed ? 'done' : 'requested, not done yet'}`)
    } catch (error) {
      setResult(`${action}: ${(error as Error).message}`)
    }
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
          {action === 'stop' && isAsked ? 'Tap again: stop' : action}
        </button>
      ))}{' '}
      <span role="status">{result}</span>
    </p>
  )
}
