/**
 * Sends a text to an agent and waits for its answer: registered for the turn that the text begins, or that runs while it is
 * typed, and judged by the agent's own track.
 */
import type { SendResult, Terminal } from '../drive/open-terminal.ts'
import type { TypeOptions } from '../drive/terminal-options.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import type { Done } from '../sessions/wait/wait-step.ts'
import type { Lull } from './connect.ts'
import type { WaitForOptions } from './wait-for.ts'

export type Waited = {
  readonly done: Done
  readonly sent: SendResult | undefined
  /** ms */
  readonly took: number
  /** The agent's last message, of a turn that is over: what stands there else is of the turn before. */
  readonly message?: string
}

/** The wait was over before anything was typed. */
const isOver = new Error('the wait is over')

/** @throws {LullError} REFUSED_TO_TYPE, SOURCE_GONE */
export async function sendAndWait(
  {
    lull,
    agent,
    terminal,
  }: { readonly lull: Lull; readonly agent: LiveSession; readonly terminal: Terminal },
  text: string | Buffer,
  typing: TypeOptions,
  { ignoreBackground, timeout }: Pick<WaitForOptions, 'ignoreBackground' | 'timeout'>,
): Promise<Waited> {
  const stop = new AbortController()
  const begun = performance.now()
  let waiting: Promise<Done> | undefined
  // Registered right before the text is typed: a turn that somebody else's text begins before is not the one that is waited for.
  const whenFree = () =>
    new Promise<void>((registered, over) => {
      const left =
        timeout === undefined ? {} : { timeout: Math.max(0, timeout - (performance.now() - begun)) }
      waiting = lull.waitFor(agent.id, {
        next: 'or-running',
        signal: stop.signal,
        onRegistered: () => registered(),
        ...(ignoreBackground === undefined ? {} : { ignoreBackground }),
        ...left,
      })
      waiting.then(() => over(isOver), over)
    })
  let sent: SendResult | undefined
  try {
    sent = await terminal.send(text, { ...typing, whenFree })
  } catch (error) {
    // Nothing begins where nothing was typed.
    stop.abort(error)
    if (error !== isOver) throw error
  }
  const done = await (waiting as Promise<Done>)
  const message = done.outcome === 'reached' ? done.sessions[0]?.session.facts.finalMessage : undefined
  const took = performance.now() - begun
  return { done, sent, took, ...(message === undefined ? {} : { message }) }
}
