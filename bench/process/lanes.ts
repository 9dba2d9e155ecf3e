/** Several things at a time, in order. */
export async function inLanes<T>(
  things: readonly T[],
  count: number,
  take: (thing: T) => Promise<void>,
): Promise<void> {
  const left = [...things]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await take(next)
  }
  await Promise.all(Array.from({ length: count }, lane))
}
