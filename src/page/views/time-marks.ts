/** The round times of a timeline, for its marks. Pure, but for the time zone. */

type TimeMark = { readonly at: number; readonly words: string }

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const steps = [
  minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
]

/**
 * @param span ms since the epoch
 * @param most marks
 * @returns at round times of the reader's own clock, also over a change to summer time
 */
export function timeMarks({ from, to }: { from: number; to: number }, most: number): readonly TimeMark[] {
  const step = steps.find(one => (to - from) / one <= most) ?? day * Math.ceil((to - from) / day / most)
  const at = new Date(from)
  at.setHours(0, 0, 0, 0)
  const marks: TimeMark[] = []
  for (let n = 0; at.getTime() < to; n++) {
    if (at.getTime() > from && n > 0) marks.push({ at: at.getTime(), words: wordsAt(at, step) })
    const before = at.getTime()
    // By the clock, not by the time that has passed.
    if (step >= day) at.setDate(at.getDate() + step / day)
    else at.setMinutes(at.getMinutes() + step / minute)
    if (at.getTime() <= before) at.setTime(before + step)
  }
  return marks
}

const wordsAt = (at: Date, step: number): string =>
  step >= day
    ? at.toLocaleDateString(undefined, { weekday: 'short' })
    : at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
