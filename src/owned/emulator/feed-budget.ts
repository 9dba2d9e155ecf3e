/**
 * How much output all emulators together take at once: what one turn of the event loop computes keeps every other question
 * waiting. Terminals take turns.
 */
export type FeedBudget = {
  /** Runs it when its bytes may be computed. */
  take(bytes: number, run: () => Promise<void>): void
}

/** Two ms of computing. */
const mostBytes = 32 * 1024

export function feedBudget(): FeedBudget {
  const waiting: (readonly [bytes: number, run: () => Promise<void>])[] = []
  let used = 0

  function next(): void {
    for (let first = waiting[0]; first && (used === 0 || used + first[0] <= mostBytes); first = waiting[0]) {
      waiting.shift()
      const [bytes, run] = first
      used += bytes
      void run().finally(() => {
        used -= bytes
        // What came in meanwhile is served first.
        setImmediate(next)
      })
    }
  }

  return {
    take(bytes, run) {
      waiting.push([bytes, run])
      next()
    },
  }
}
