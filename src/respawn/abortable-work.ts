/** What a runner has under way: called off together, and waited for together. */
export type AbortableWork = {
  begin(act: (signal: AbortSignal) => Promise<void>): void
  /** What has begun by now is not wanted any more. */
  abandon(): void
  /** Resolves once nothing of it runs any more. */
  settled(): Promise<void>
}

/** @param failed told of what no rule foresaw */
export function abortableWork(failed: (error: unknown) => void): AbortableWork {
  let hand = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    begin(act) {
      const { signal } = hand
      const doing = act(signal).catch(failed)
      running.add(doing)
      void doing.finally(() => running.delete(doing))
    },
    abandon() {
      hand.abort()
      hand = new AbortController()
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
