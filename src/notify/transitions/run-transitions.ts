/** The queues of all webhooks that get transitions, as the rules have them now. */
import { isDeepStrictEqual } from 'node:util'
import { type History, openHistory } from '../../history/open-history.ts'
import type { Places } from '../../os/file/places.ts'
import type { TransitionsHook } from '../rules/destination-fields.ts'
import { type Queue, type QueuePorts, runQueue } from './run-queue.ts'

type Hooks = Readonly<Record<string, TransitionsHook>>

export type Transitions = {
  /** The history has more. */
  kept(): void
  /** Those that stay as they are go on undisturbed. */
  change(hooks: Hooks): void
  close(): Promise<void>
}

export type TransitionsOptions = Omit<QueuePorts, 'outbox'> & { readonly places: Places }

export function runTransitions(hooks: Hooks, { places, ...ports }: TransitionsOptions): Transitions {
  const running = new Map<string, { readonly hook: TransitionsHook; readonly queue: Queue }>()
  const closing = new Set<Promise<void>>()
  let history: History | undefined
  const outbox = () => {
    history ??= openHistory(places)
    return history.outbox
  }

  function end(name: string): void {
    const done = running
      .get(name)
      ?.queue.close()
      .finally(() => closing.delete(done as Promise<void>))
    running.delete(name)
    if (done) closing.add(done)
  }

  function change(next: Hooks): void {
    for (const [name, { hook }] of running) if (!isDeepStrictEqual(next[name], hook)) end(name)
    for (const [name, hook] of Object.entries(next))
      if (!running.has(name)) running.set(name, { hook, queue: runQueue(name, hook, { ...ports, outbox }) })
  }
  change(hooks)

  return {
    kept() {
      for (const { queue } of running.values()) queue.kept()
    },
    change,
    async close() {
      for (const name of [...running.keys()]) end(name)
      await Promise.all(closing)
      history?.close()
    },
  }
}
