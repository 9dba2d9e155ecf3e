/**
 * A thread's id is a UUID of version 7: its first 48 bits are the time of its making. Codex' app-server runs the threads
 * of several terminals in one process, so this time, beside a terminal's start, is what tells whose a thread is.
 */
const uuid7 = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** When the thread was made whose id stands in a text (an id, a rollout's name), ms since the epoch. */
export function threadStart(text: string): number | undefined {
  const [, high, low] = uuid7.exec(text) ?? []
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16)
}
